#include "report/temporary_files.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace vmafbatch::report {
namespace {

constexpr sqlite3_int64 kPieceBytes = 64 << 10;

struct Free {
  void operator()(char* piece) const { sqlite3_free(piece); }
};

// SQLite makes the object's room, and knows it by its base.
class MemoryFile : public sqlite3_file {
 public:
  MemoryFile();

  // The bytes of the file that are there; the rest becomes zeros.
  int read(char* bytes, sqlite3_int64 count, sqlite3_int64 offset) const {
    const sqlite3_int64 there = std::clamp<sqlite3_int64>(size_ - offset, 0, count);
    std::memset(bytes + there, 0, static_cast<size_t>(count - there));
    each_part(offset, there, [&](char* part, sqlite3_int64 size) {
      std::memcpy(bytes, part, static_cast<size_t>(size));
      bytes += size;
    });
    return there == count ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
  }

  int write(const char* bytes, sqlite3_int64 count, sqlite3_int64 offset) {
    if (!grow(offset + count)) return SQLITE_NOMEM;
    each_part(offset, count, [&](char* part, sqlite3_int64 size) {
      std::memcpy(part, bytes, static_cast<size_t>(size));
      bytes += size;
    });
    return SQLITE_OK;
  }

  int truncate(sqlite3_int64 size) {
    if (size >= size_) return SQLITE_OK;
    size_ = size;
    pieces_.resize(static_cast<size_t>((size + kPieceBytes - 1) / kPieceBytes));
    each_part(size, static_cast<sqlite3_int64>(pieces_.size()) * kPieceBytes - size,
              [](char* part, sqlite3_int64 rest) { std::memset(part, 0, static_cast<size_t>(rest)); });
    return SQLITE_OK;
  }

  sqlite3_int64 size() const { return size_; }

 private:
  using Piece = std::unique_ptr<char, Free>;

  // `take` gets the bytes from `offset` on, a piece of memory at a time.
  template <class Take>
  void each_part(sqlite3_int64 offset, sqlite3_int64 count, const Take& take) const {
    while (count > 0) {
      const sqlite3_int64 begin = offset % kPieceBytes;
      const sqlite3_int64 size = std::min(count, kPieceBytes - begin);
      take(pieces_[static_cast<size_t>(offset / kPieceBytes)].get() + begin, size);
      offset += size;
      count -= size;
    }
  }

  bool grow(sqlite3_int64 size) {
    while (static_cast<sqlite3_int64>(pieces_.size()) * kPieceBytes < size) {
      Piece piece(static_cast<char*>(sqlite3_malloc64(kPieceBytes)));
      if (!piece) return false;
      std::memset(piece.get(), 0, kPieceBytes);
      try {
        pieces_.push_back(std::move(piece));
      } catch (const std::bad_alloc&) {  // must not go through SQLite
        return false;
      }
    }
    size_ = std::max(size_, size);
    return true;
  }

  std::vector<Piece> pieces_;
  sqlite3_int64 size_ = 0;
};

MemoryFile& at(sqlite3_file* file) { return *static_cast<MemoryFile*>(file); }

// What a file is asked for (sqlite.org/c3ref/io_methods.html). Only its own connection ever sees it: locks and syncs are nothing.
const sqlite3_io_methods& methods() {
  static const sqlite3_io_methods kMethods = [] {
    sqlite3_io_methods made{};
    made.iVersion = 1;
    made.xClose = [](sqlite3_file* file) {
      std::destroy_at(&at(file));
      return SQLITE_OK;
    };
    made.xRead = [](sqlite3_file* file, void* bytes, int count, sqlite3_int64 offset) {
      return at(file).read(static_cast<char*>(bytes), count, offset);
    };
    made.xWrite = [](sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
      return at(file).write(static_cast<const char*>(bytes), count, offset);
    };
    made.xTruncate = [](sqlite3_file* file, sqlite3_int64 size) { return at(file).truncate(size); };
    made.xSync = [](sqlite3_file*, int) { return SQLITE_OK; };
    made.xFileSize = [](sqlite3_file* file, sqlite3_int64* size) {
      *size = at(file).size();
      return SQLITE_OK;
    };
    made.xLock = [](sqlite3_file*, int) { return SQLITE_OK; };
    made.xUnlock = [](sqlite3_file*, int) { return SQLITE_OK; };
    made.xCheckReservedLock = [](sqlite3_file*, int* reserved) {
      *reserved = 0;
      return SQLITE_OK;
    };
    made.xFileControl = [](sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; };
    made.xSectorSize = [](sqlite3_file*) { return 4096; };
    made.xDeviceCharacteristics = [](sqlite3_file*) { return 0; };
    return made;
  }();
  return kMethods;
}

MemoryFile::MemoryFile() : sqlite3_file{&methods()} {}

sqlite3_vfs* g_system = nullptr;  // constant once the other one is registered

int open_file(sqlite3_vfs* /*ours*/, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  constexpr int kTemporary = SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_SUBJOURNAL;
  if ((flags & kTemporary) == 0) return g_system->xOpen(g_system, name, file, flags, out_flags);
  std::construct_at(static_cast<MemoryFile*>(static_cast<void*>(file)));
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

}  // namespace

void keep_temporary_files_in_memory() {
  g_system = sqlite3_vfs_find(nullptr);
  static sqlite3_vfs ours = *g_system;
  ours.zName = "vmafbatch";
  ours.szOsFile = std::max(ours.szOsFile, static_cast<int>(sizeof(MemoryFile)));
  ours.xOpen = open_file;
  sqlite3_vfs_register(&ours, 1);
}

}  // namespace vmafbatch::report
