// Numbers of an input that no run wrote: a merge names them and copies nothing.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "store/merge.h"
#include "store/scratch.h"

namespace vmafbatch::store {
namespace {

TEST(MergeDamage, ANumberOfFramesThatNoClipHasIsNamed) {
  const TemporaryFolder folder;
  const std::string all = folder.path("all.db");
  int made = 0;
  for (const char* column : {"frames", "identical_frames", "decoded_reference", "decoded_distorted"}) {
    for (const char* number : {"9007199254740992", "9223372036854775807", "-1", "'many'"}) {
      const std::string input = folder.path(std::to_string(++made) + ".db");
      {
        auto writer = Writer::open(input);
        ASSERT_OK(writer);
        ASSERT_OK((*writer)->begin_run(some_run()));
        add_clip(**writer, some_record("a"));
        ASSERT_OK((*writer)->end_run());
        ASSERT_OK((*writer)->close());
      }
      run_sql(input, std::string("UPDATE scoring SET ") + column + " = " + number);
      const auto merged = merge_databases({input}, all, {});
      ASSERT_FALSE(merged.ok()) << column << " " << number;
      EXPECT_NE(merged.error().message.find(input + ": the database is damaged (a scoring has \""), std::string::npos)
          << column << " " << number << ": " << merged.error().message;
      EXPECT_FALSE(std::filesystem::exists(all));
    }
  }
}

}  // namespace
}  // namespace vmafbatch::store
