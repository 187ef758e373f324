// What a run says of what is left.
#include "graph/progress.h"

#include <gtest/gtest.h>

namespace vmafbatch::graph {
namespace {

TEST(BytesLeft, NothingIsSaidWhileNoLengthIsKnown) {
  ProgressCounters counters;
  counters.clips_total = 3;
  counters.clips_opened = 1;
  counters.columns_opened = 5;
  EXPECT_EQ(bytes_left(counters), std::nullopt);
}

TEST(BytesLeft, ClipsThatWereNotOpenedCountAsTheMeanOfTheOthers) {
  ProgressCounters counters;
  counters.clips_total = 14;
  counters.clips_kept = 4;  // take no room any more
  counters.clips_opened = 2;
  counters.columns_opened = 2 + 4;
  counters.clips_with_length = 2;
  counters.frames_expected = 100 + 300;
  counters.frames_scored = 500;
  // 10 clips of 200 frames of 3 values, less those that are scored; once in the file, once in the WAL.
  EXPECT_EQ(bytes_left(counters), 2u * (10 * 200 - 500) * 3 * 22);
  counters.frames_scored = 5'000;
  EXPECT_EQ(bytes_left(counters), 0u) << "more frames than expected";
}

TEST(BytesLeft, TheWalHasALimit) {
  ProgressCounters counters;
  counters.clips_total = 1;
  counters.clips_opened = 1;
  counters.clips_with_length = 1;
  counters.columns_opened = 100;
  counters.frames_expected = 1'000'000;
  EXPECT_EQ(bytes_left(counters), std::uint64_t{2'200'000'000} + (32u << 20));
}

}  // namespace
}  // namespace vmafbatch::graph
