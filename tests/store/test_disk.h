// A disk between SQLite and the file system that fails when it is told to, and knows what a power cut would leave.
#pragma once

#include <sqlite3.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace vmafbatch::store {

// SQLite's default file system from its construction until it is destroyed. One at a time; databases are closed before it goes.
// Threads: one at a time.
class TestDisk {
 public:
  TestDisk() : real_(sqlite3_vfs_find(nullptr)), own_(*real_) {
    disk() = this;
    own_.zName = "test disk";
    own_.xOpen = open;
    sqlite3_vfs_register(&own_, 1);
  }
  ~TestDisk() {
    sqlite3_vfs_unregister(&own_);
    disk() = nullptr;
  }
  TestDisk(const TestDisk&) = delete;
  TestDisk& operator=(const TestDisk&) = delete;

  // From now on writes of files whose names end so fail with this error number. 0: no longer.
  void fail_writes(const std::string& suffix, int error) {
    suffix_ = suffix;
    error_ = error;
  }
  // The same when the index of the write-ahead log (-shm) is to be made.
  void fail_shared_memory(int error) { shared_memory_error_ = error; }

  // What is on the disk when the power goes: of each file the bytes of its last sync.
  void cut_power(const std::filesystem::path& into) const {
    for (const auto& [path, bytes] : durable_) {
      std::ofstream(into / std::filesystem::path(path).filename(), std::ios::binary) << bytes;
    }
  }

 private:
  struct Opened {
    const sqlite3_io_methods* methods = nullptr;
    std::string path;
  };

  static TestDisk*& disk() {
    static TestDisk* the_disk = nullptr;
    return the_disk;
  }

  // The real file with three of its methods changed.
  static int open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    TestDisk& self = *disk();
    const int code = self.real_->xOpen(self.real_, name, file, flags, out_flags);
    if (code != SQLITE_OK || name == nullptr) return code;
    self.files_[file] = {file->pMethods, name};
    sqlite3_io_methods& methods = self.methods_[file->pMethods];
    methods = *file->pMethods;
    methods.xClose = close;
    methods.xWrite = write;
    methods.xSync = sync;
    if (methods.xShmMap != nullptr) methods.xShmMap = map_shared_memory;
    file->pMethods = &methods;
    return code;
  }
  static int close(sqlite3_file* file) {
    const sqlite3_io_methods* const methods = disk()->files_.at(file).methods;
    disk()->files_.erase(file);
    return methods->xClose(file);
  }
  static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
    const Opened& opened = disk()->files_.at(file);
    if (disk()->error_ == 0 || !opened.path.ends_with(disk()->suffix_)) return opened.methods->xWrite(file, bytes, count, offset);
    errno = disk()->error_;
    return errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;  // as SQLite's own
  }
  static int sync(sqlite3_file* file, int flags) {
    const Opened& opened = disk()->files_.at(file);
    const int code = opened.methods->xSync(file, flags);
    std::ifstream now(opened.path, std::ios::binary);
    disk()->durable_[opened.path] = {std::istreambuf_iterator<char>(now), std::istreambuf_iterator<char>()};
    return code;
  }
  static int map_shared_memory(sqlite3_file* file, int page, int size, int extend, void volatile** at) {
    if (disk()->shared_memory_error_ == 0) return disk()->files_.at(file).methods->xShmMap(file, page, size, extend, at);
    errno = disk()->shared_memory_error_;
    return SQLITE_IOERR_SHMSIZE;
  }

  sqlite3_vfs* real_;
  sqlite3_vfs own_;
  std::map<sqlite3_file*, Opened> files_;
  std::map<const sqlite3_io_methods*, sqlite3_io_methods> methods_;
  std::map<std::string, std::string> durable_;
  std::string suffix_;
  int error_ = 0;
  int shared_memory_error_ = 0;
};

}  // namespace vmafbatch::store
