// The order of clips: what counts as long, and that values do not depend on it.
#include "graph/task_order.h"

#include <gmock/gmock.h>

#include "run_fixture.h"
#include "support/media_files.h"

namespace vmafbatch::graph {
namespace {

using ::testing::ElementsAre;
using testing::SyntheticClip;
using testing::write_file;

class TaskOrder : public RunFixture {
 protected:
  // A pair of files of so many bytes.
  ClipTask sized(const std::string& reference, size_t reference_bytes, const std::string& distorted, size_t distorted_bytes) {
    ClipTask task;
    task.row.name = distorted;
    task.row.reference = folder_.path(reference);
    task.row.distorted = folder_.path(distorted);
    task.reference_file = io::FileIdentity{reference_bytes, 0};
    task.distorted_file = io::FileIdentity{distorted_bytes, 0};
    return task;
  }

  std::vector<ClipGroup> ordered(const std::vector<ClipTask>& tasks) {
    std::vector<ClipGroup> groups = group_tasks(tasks);
    put_longest_first(tasks, groups);
    return groups;
  }
};

TEST_F(TaskOrder, TheLargestFilesComeFirstAndEqualOnesStayInOrder) {
  const std::vector<ClipTask> tasks = {sized("a.mp4", 10, "a1.mp4", 10), sized("b.mp4", 10, "b1.mp4", 30), sized("c.mp4", 10, "c1.mp4", 10),
                                       sized("d.mp4", 60, "d1.mp4", 1)};
  EXPECT_THAT(ordered(tasks), ElementsAre(ClipGroup{3}, ClipGroup{1}, ClipGroup{0}, ClipGroup{2}));
}

TEST_F(TaskOrder, ALadderCountsItsReferenceOnce) {
  const std::vector<ClipTask> tasks = {sized("alone.mp4", 50, "alone1.mp4", 50), sized("title.mp4", 40, "low.mp4", 20),
                                       sized("title.mp4", 40, "high.mp4", 30)};
  EXPECT_THAT(ordered(tasks), ElementsAre(ClipGroup{0}, ClipGroup{1, 2})) << "100 and 90: with the reference twice it would be 130";
}

TEST_F(TaskOrder, AByteOfAnEncodedFileIsMoreWorkThanOneOfRawVideo) {
  std::vector<ClipTask> tasks = {sized("raw.yuv", 1000, "raw1.yuv", 1000), sized("a.y4m", 1000, "a1.y4m", 1001),
                                 sized("a.mp4", 100, "a1.mp4", 100)};
  tasks[0].row.reference_raw = tasks[0].row.distorted_raw = io::RawGeometry{};
  EXPECT_THAT(ordered(tasks), ElementsAre(ClipGroup{2}, ClipGroup{1}, ClipGroup{0}));
}

TEST_F(TaskOrder, AFileThatIsNotThereIsLast) {
  std::vector<ClipTask> tasks = {sized("a.mp4", 1, "a1.mp4", 1), sized("b.mp4", 1, "b1.mp4", 1)};
  tasks[0].reference_file = tasks[0].distorted_file = std::nullopt;
  EXPECT_THAT(ordered(tasks), ElementsAre(ClipGroup{1}, ClipGroup{0}));
}

TEST_F(TaskOrder, ValuesDoNotDependOnItAndClipsEndInIt) {
  std::vector<ClipTask> tasks;
  for (const int frames : {3, 9, 6}) {
    tasks.push_back(make_task("clip" + std::to_string(frames), {.frames = frames, .distortion = "blur"}, request_of({"psnr", "motion"})));
  }
  const auto names = [](const RunSummary& summary) {
    std::vector<std::string> list;
    for (const ClipOutcome& clip : summary.clips) list.push_back(clip.name);
    return list;
  };
  const std::string catalogue = folder_.path("catalogue.db");
  const std::string longest = folder_.path("longest.db");
  EXPECT_THAT(names(score(tasks, catalogue)), ElementsAre("clip3", "clip9", "clip6"));
  EXPECT_THAT(names(score(tasks, longest, {.order = ClipOrder::kLongestFirst})), ElementsAre("clip9", "clip6", "clip3"));
  const Rows rows = query(catalogue, kAllValues);
  EXPECT_FALSE(rows.empty());
  EXPECT_EQ(query(longest, kAllValues), rows);
}

}  // namespace
}  // namespace vmafbatch::graph
