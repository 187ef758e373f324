#include "store/scoring_identity.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "store/scratch.h"
#include "store/writer.h"

namespace vmafbatch::store {
namespace {

using Change = std::function<void(ScoringRecord&)>;

ScoringRecord changed(const Change& change) {
  ScoringRecord record = some_record("a");
  record.models = {{"vmaf", "m.json", "xxh3:1"}};
  change(record);
  return record;
}

// What makes another scoring of it.
const std::vector<Change>& other_results() {
  static const std::vector<Change> changes = {
      [](ScoringRecord& r) { r.options += " x=1"; },       [](ScoringRecord& r) { r.models[0].hash = "xxh3:2"; },
      [](ScoringRecord& r) { r.models[0].key = "vmaf2"; }, [](ScoringRecord& r) { r.models.clear(); },
      [](ScoringRecord& r) { r.program_version += "1"; },  [](ScoringRecord& r) { ++r.reference.size; },
      [](ScoringRecord& r) { ++r.reference.mtime_ns; },    [](ScoringRecord& r) { r.reference.path += "2"; },
      [](ScoringRecord& r) { ++r.distorted.size; },        [](ScoringRecord& r) { ++r.distorted.mtime_ns; },
      [](ScoringRecord& r) { r.distorted.path += "2"; }};
  return changes;
}

// What does not.
const std::vector<Change>& same_results() {
  static const std::vector<Change> changes = {[](ScoringRecord&) {}, [](ScoringRecord& r) { r.models[0].path = "other.json"; },
                                              [](ScoringRecord& r) { r.distorted.content_hash = "xxh3:3"; },
                                              [](ScoringRecord& r) { r.processor += "x"; }};
  return changes;
}

class Identity : public ::testing::Test {
 protected:
  Identity() {
    auto opened = Writer::open(folder_.path("scores.db"));
    EXPECT_TRUE(opened.ok());
    writer_ = std::move(*opened);
    EXPECT_TRUE(writer_->begin_run(some_run()).ok());
  }

  // `find` gives what is stored for the records that are the same, and for no other.
  template <class Find>
  static void expect_by_identity(const Find& find) {
    for (const Change& change : same_results()) {
      const auto found = find(changed(change));
      ASSERT_OK(found);
      EXPECT_TRUE(found->has_value());
    }
    for (const Change& change : other_results()) {
      const auto found = find(changed(change));
      EXPECT_FALSE(found.ok() && found->has_value());
    }
  }

  const TemporaryFolder folder_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(Identity, IsWhatTheWriterKeepsAFinishedScoringBy) {
  add_clip(*writer_, changed([](ScoringRecord&) {}));
  expect_by_identity([&](const ScoringRecord& record) { return writer_->find_ended(record); });
}

TEST_F(Identity, IsWhatTheWriterGoesOnBy) {
  const auto begun = writer_->begin_scoring(changed([](ScoringRecord&) {}), some_columns(), some_extractors());
  ASSERT_OK(begun);
  ASSERT_OK(writer_->add_pair(begun->id, 0, {0, 0, {1, 5}}));
  ASSERT_OK(writer_->close());
  auto opened = Writer::open(folder_.path("scores.db"));
  ASSERT_OK(opened);
  writer_ = std::move(*opened);
  ASSERT_OK(writer_->begin_run(some_run()));
  expect_by_identity([&](const ScoringRecord& record) { return writer_->find_unfinished(record); });
}

TEST(ScoringIdentity, ComparesWhatDecidesTheValues) {
  const ScoringIdentity stored = identity_of(changed([](ScoringRecord&) {}));
  for (const Change& change : same_results()) EXPECT_TRUE(is_same_scoring(stored, identity_of(changed(change))));
  for (const Change& change : other_results()) EXPECT_FALSE(is_same_scoring(stored, identity_of(changed(change))));
  EXPECT_FALSE(has_same_setup(stored, identity_of(changed([](ScoringRecord& r) { r.models.clear(); }))));
  EXPECT_TRUE(has_same_setup(stored, identity_of(changed([](ScoringRecord& r) { ++r.reference.size; }))));
}

}  // namespace
}  // namespace vmafbatch::store
