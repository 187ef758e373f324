// Databases, damaged, as inputs of merge and verify: a result that is whole, or one sentence.
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>

#include "fuzz/fuzz_main.h"
#include "store/merge.h"
#include "store/scratch.h"
#include "store/verify.h"

namespace {

using vmafbatch::fuzz::Random;
using vmafbatch::store::csv_of;
using vmafbatch::store::merge_databases;
using vmafbatch::store::read_file;
using vmafbatch::store::VerifyFormat;
using vmafbatch::store::write_file;

void check_sentence(const vmafbatch::Error& error) {
  if (error.message.empty()) throw std::logic_error("an error without a sentence");
}

class Cases {
 public:
  Cases() {
    vmafbatch::store::make_database(folder_.path("whole.db"));
    seed_ = read_file(folder_.path("whole.db"));
    if (seed_.empty()) throw std::logic_error("no database to begin with");
  }

  void run_one(Random& random) {
    const std::string damaged = folder_.path("damaged.db");
    const std::string merged = folder_.path("merged.db");
    std::filesystem::remove(merged);
    write_file(damaged, vmafbatch::fuzz::damaged(seed_, random));
    const auto summary = random.one_in(2) ? merge_databases({damaged, folder_.path("whole.db")}, merged)
                                          : merge_databases({folder_.path("whole.db"), damaged}, merged);
    if (summary.ok() != std::filesystem::exists(merged)) throw std::logic_error("merge does not do what it says");
    if (std::filesystem::exists(merged + ".part")) throw std::logic_error("merge leaves a half database");
    if (!summary.ok()) {
      check_sentence(summary.error());
    } else if (csv_of(merged, "PRAGMA integrity_check") != "ok\n") {
      throw std::logic_error("the merged database is not whole");
    }
    verify(damaged, random.one_in(2) ? VerifyFormat::kText : VerifyFormat::kJson);
  }

 private:
  static void verify(const std::string& path, VerifyFormat format) {
    std::ostringstream out;
    const auto summary = vmafbatch::store::verify_database(path, {false, format}, out);
    if (!summary.ok()) check_sentence(summary.error());
  }

  const vmafbatch::testing::TemporaryFolder folder_;
  std::string seed_;
};

}  // namespace

int main(int argc, char** argv) {
  Cases cases;
  return vmafbatch::fuzz::run(argc, argv, [&](Random& random) { cases.run_one(random); });
}
