// A decode lane: takes one group of clips (a ladder) after the other and turns them into frame records.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "graph/admission.h"
#include "graph/auto_align.h"
#include "graph/clip_timeout.h"
#include "graph/device_set.h"
#include "graph/progress.h"
#include "graph/run.h"
#include "graph/scoring.h"
#include "io/frame_pool.h"
#include "io/group_reader.h"

namespace vmafbatch::graph {

// Tasks that share a decode of their reference; indices into the run's tasks.
using ClipGroup = std::vector<size_t>;

// Tasks in groups of at most GroupSpec::kMostMembers that share the reference's decode, in the order of their first task.
std::vector<ClipGroup> group_tasks(const std::vector<ClipTask>& tasks);

// What all lanes of a run share.
struct LaneContext {
  const std::vector<ClipTask>& tasks;
  const std::vector<store::StoredPrefix>& prefixes;  // by task: what an interrupted run left of it
  const std::vector<ClipGroup>& groups;
  const RunOptions& options;
  int decoder_threads;
  io::FramePool& pool;
  Admission& admission;
  DeviceSet& devices;
  ProgressCounters& progress;
  std::function<bool()> should_stop;  // asked before each step
  const ClipTimeout& timeout;
  std::atomic<size_t> next_group{0};
  std::atomic<std::int64_t> reference_frames_decoded{0};
  std::function<void(std::shared_ptr<FrameRecord>)> send_frame;  // into the fan-out
  std::function<void(WriterMessage)> send_writer;
};

// The state of one lane. run_step() does one small piece of work (opens a group, or decodes one position of it) and asks the
// admission for the next one; it never waits. One step at a time, on any thread. Never throws.
class DecodeLane {
 public:
  // `continue_later` must cause another run_step(), from any thread.
  DecodeLane(LaneContext& context, std::function<void()> continue_later);
  DecodeLane(const DecodeLane&) = delete;
  DecodeLane& operator=(const DecodeLane&) = delete;
  ~DecodeLane();

  // Asks for the first step.
  void start();
  void run_step() noexcept;

 private:
  struct Group;

  // The tasks of a group under --auto-align, with how each is to be scored and what is left of its time; without it only `tasks`.
  struct AlignedGroup {
    ClipGroup tasks;
    std::vector<AlignedClip> clips;
    std::optional<io::ReadLimits> limits;
  };

  // Nothing where no group is left.
  std::optional<AlignedGroup> take_group();
  // Looks for offsets; members that need another skip of the reference than the first one go into groups of their own (apart_).
  AlignedGroup align(const ClipGroup& tasks);
  // False: none is left.
  bool open_next_group();
  // Has the reader begin where the first member goes on from stored frames.
  void go_to_first_needed();
  // Opens the files again, to decode what lies before `first` without measuring it.
  void walk_to(std::int64_t first);
  // Sees whether members show the pictures that are stored of them; one that does not begins anew. False: a seek led to another place, and
  // the files were opened again.
  bool check_pictures(const io::Step& step);
  // Ends a member here, to be scored once more from its first frame, in a group of its own.
  void set_apart(size_t member);
  // Plans a member; null where no extractor can score it.
  std::shared_ptr<Scoring> plan_clip(io::GroupReader& reader, size_t member, size_t task, const AlignedClip* aligned);
  // Gives the scoring's jobs their twins, where the device still works.
  void plan_device(Scoring& scoring, const io::PictureFormat& format, size_t device);
  void decode_position(const std::shared_ptr<OpenStep>& open, const std::shared_ptr<AdmittedBytes>& bytes);
  // Reads one position of the group, or passes over one that nobody needs. False: there is none.
  bool read_position(io::Step& step);
  // Tells the writer of a member, once.
  void tell_begin(size_t member);
  void emit(const io::Step& step, size_t member, const std::shared_ptr<OpenStep>& open, const std::shared_ptr<AdmittedBytes>& bytes);
  // Tells the writer of every member whose input ended; `interrupted`: of all.
  void end_ended_members(bool interrupted);
  void fail_task(size_t index, const std::string& reason);
  // Ends all members where they are.
  void fail_members(const std::string& reason);
  ClipEnd end_of_member(size_t member);
  void ask_for_step(size_t bytes);

  LaneContext& context_;
  std::function<void()> continue_later_;
  std::unique_ptr<Group> group_;
  std::vector<AlignedGroup> apart_;  // to be taken next
  std::set<size_t> begin_anew_;      // tasks whose stored frames are of other pictures
  size_t granted_bytes_ = 0;
};

}  // namespace vmafbatch::graph
