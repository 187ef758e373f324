// Two backends' databases against each other.
#include "store/parity.h"

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "scratch.h"

namespace vmafbatch::store {
namespace {

class Parity : public ::testing::Test {
 protected:
  // Two clips of four frames; change(clip, column, frame, value) gives what is stored.
  using Change = std::function<std::optional<double>(const std::string&, int, std::int64_t, double)>;
  std::string make(const std::string& name, const std::string& backend, const Change& change = {}) {
    const std::string path = folder_.path(name);
    auto opened = Writer::open(path);
    EXPECT_TRUE(opened.ok());
    const std::unique_ptr<Writer> writer = std::move(*opened);
    EXPECT_TRUE(writer->begin_run(some_run()).ok());
    for (const char* const name_of_clip : {"a", "b"}) {
      const std::string clip = name_of_clip;
      const ScoringId id = writer->begin_scoring(some_record(clip), some_columns(), some_extractors(), {}).value().id;
      for (std::int64_t frame = 0; frame < 4; ++frame) {
        for (int column = 0; column < 2; ++column) {
          const double value = some_value(column, frame);
          const std::optional<double> stored = change ? change(clip, column, frame, value) : value;
          if (!stored) continue;
          EXPECT_TRUE(writer->add_value(id, column, frame, *stored).ok());
        }
      }
      EXPECT_TRUE(writer->add_aggregate(id, 2, 41.5).ok());
      const std::string motion_on = clip == "b" ? "cpu" : backend;
      EXPECT_TRUE(writer->add_backend(id, 0, {"psnr_hip", backend, "", "", 0, 3}).ok());
      EXPECT_TRUE(writer->add_backend(id, 1, {"motion", motion_on, "", "planted", 0, 3}).ok());
      ScoringEnd end;
      end.frames = 4;
      EXPECT_TRUE(writer->finish_scoring(id, end).ok());
    }
    EXPECT_TRUE(writer->end_run().ok());
    EXPECT_TRUE(writer->close().ok());
    return path;
  }

  TemporaryFolder folder_;
};

TEST_F(Parity, CountsEveryValueOfEqualDatabases) {
  const auto rows = compare_backends({make("a.db", "hip-host"), "hip-host"}, {make("b.db", "hip"), "hip"});
  ASSERT_OK(rows);
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_EQ((*rows)[0].source, "motion");
  EXPECT_EQ((*rows)[0].values, 8);
  EXPECT_EQ((*rows)[0].identical, 8);
  EXPECT_EQ((*rows)[1].source, "psnr");
  EXPECT_EQ((*rows)[1].values, 10);  // with the aggregates
  EXPECT_EQ((*rows)[1].identical, 10);
  EXPECT_EQ((*rows)[1].worst_at, "");
}

TEST_F(Parity, NamesTheWorstDifference) {
  const std::string other = make("b.db", "hip", [](const std::string& clip, int column, std::int64_t frame, double value) {
    if (clip == "b" && column == 0 && frame == 2) return std::optional(value + 0.5);
    if (clip == "a" && column == 0 && frame == 1) return std::optional(std::nextafter(value, 0.0));
    return std::optional(value);
  });
  const auto rows = compare_backends({make("a.db", "cpu"), "cpu"}, {other, "hip"});
  ASSERT_OK(rows);
  EXPECT_EQ((*rows)[1].identical, 8);
  EXPECT_EQ((*rows)[1].worst, 0.5);
  EXPECT_EQ((*rows)[1].worst_at, "b, psnr_y, frame 2");
}

TEST_F(Parity, ASignOfZeroIsADifference) {
  const auto zero = [](double which) {
    return [which](const std::string&, int, std::int64_t frame, double value) { return std::optional(frame == 3 ? which : value); };
  };
  const auto rows = compare_backends({make("a.db", "cpu", zero(0.0)), "cpu"}, {make("b.db", "hip", zero(-0.0)), "hip"});
  ASSERT_OK(rows);
  EXPECT_EQ((*rows)[0].identical, 6);
  EXPECT_EQ((*rows)[0].worst_at, "a, integer_motion2, frame 3");
}

TEST_F(Parity, AMissingValueIsADifference) {
  const std::string other = make("b.db", "hip", [](const std::string&, int column, std::int64_t frame, double value) {
    return column == 1 && frame == 3 ? std::nullopt : std::optional(value);
  });
  const auto rows = compare_backends({make("a.db", "cpu"), "cpu"}, {other, "hip"});
  ASSERT_OK(rows);
  EXPECT_EQ((*rows)[0].values, 8);
  EXPECT_EQ((*rows)[0].identical, 6);
  EXPECT_EQ((*rows)[0].one_sided, 2);
}

TEST_F(Parity, TellsWhatRanElsewhereOnBothSides) {
  const auto rows = compare_backends({make("a.db", "hip-host"), "hip-host"}, {make("b.db", "hip"), "hip"});
  ASSERT_OK(rows);
  EXPECT_EQ((*rows)[0].fallbacks, (std::vector<std::string>{"b ran on cpu: planted", "b ran on cpu: planted"}));
  EXPECT_TRUE((*rows)[1].fallbacks.empty());
}

TEST_F(Parity, ADatabaseThatIsNotThereIsAnError) {
  const auto rows = compare_backends({make("a.db", "cpu"), "cpu"}, {folder_.path("none.db"), "hip"});
  ASSERT_FALSE(rows.ok());
  EXPECT_NE(rows.error().message.find("none.db"), std::string::npos);
}

}  // namespace
}  // namespace vmafbatch::store
