#include "graph/decode_lane.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/log.h"
#include "graph/clip_record.h"
#include "graph/pair_words.h"
#include "graph/resume_place.h"

namespace vmafbatch::graph {
namespace {

using Clock = std::chrono::steady_clock;
using PairPointer = std::shared_ptr<const io::FramePair>;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A pair that gives its step's bytes back to the admission when the last user of any pair of the step is gone.
PairPointer with_bytes(PairPointer pair, std::shared_ptr<AdmittedBytes> bytes) {
  struct Holder {
    std::shared_ptr<AdmittedBytes> bytes;  // outlives the pair: members are destroyed in reverse order
    PairPointer pair;
  };
  const io::FramePair* raw = pair.get();
  auto holder = std::make_shared<Holder>(Holder{std::move(bytes), std::move(pair)});
  return {std::move(holder), raw};
}

// How many pairs a clip will have, as far as its reference tells; for the progress only.
std::optional<std::int64_t> expected_frames(const ClipTask& task, const io::StreamInfo& info) {
  std::optional<std::int64_t> frames = info.declared_frames;
  if (!frames && info.duration_s && info.fps_numerator > 0) {
    frames = static_cast<std::int64_t>(*info.duration_s * info.fps_numerator / info.fps_denominator);
  }
  if (frames) frames = std::max<std::int64_t>(0, *frames - task.row.skip_reference);
  if (task.row.frames) frames = std::min(frames.value_or(*task.row.frames), *task.row.frames);
  return frames;
}

// Containers that hold a true rate. AVI says twice the rate of H.264, and streams without a container, raw video and MPEG-TS have none.
bool tells_rate(const io::StreamInfo& info) {
  const bool known = info.container.starts_with("mov,") || info.container.starts_with("matroska") || info.container == "yuv4mpegpipe";
  return known && info.fps_numerator > 0;
}

std::optional<std::string> rate_warning(const ClipTask& task, const io::StreamInfo& reference, const io::StreamInfo& distorted) {
  if (task.sync != io::Sync::kFrame || !tells_rate(reference) || !tells_rate(distorted)) return std::nullopt;
  const auto rate = [](const io::StreamInfo& info) { return static_cast<double>(info.fps_numerator) / info.fps_denominator; };
  return frame_rate_warning(rate(reference), rate(distorted));
}

bool is_broken(const io::MemberEnd& end) { return end.kind == io::MemberEnd::Kind::kDamaged || end.kind == io::MemberEnd::Kind::kFailed; }

void log_given_up(const Scoring& scoring, const std::string& why) {
  log_warning(scoring.name + ": is scored from its first frame, " + std::to_string(scoring.prefix.frames) +
              " stored frames are given up: " + why);
}

}  // namespace

std::vector<ClipGroup> group_tasks(const std::vector<ClipTask>& tasks) {
  std::vector<ClipGroup> groups;
  std::map<std::string, size_t> open;  // key -> its newest group
  for (size_t i = 0; i < tasks.size(); ++i) {
    const std::string key = io::group_key(tasks[i].row);
    const auto found = open.find(key);
    if (found != open.end() && groups[found->second].size() < io::GroupSpec::kMostMembers) {
      groups[found->second].push_back(i);
    } else {
      open[key] = groups.size();
      groups.push_back({i});
    }
  }
  return groups;
}

// One ladder while it is decoded.
struct DecodeLane::Group {
  struct Member {
    size_t task = 0;
    bool told = false;                 // the writer knows of it
    bool is_checked = true;            // false: it goes on from stored frames, and did not show yet that they are of its pictures
    std::shared_ptr<Scoring> scoring;  // null: it failed before its first frame, or has ended
    std::deque<PairPointer> recent;    // the newest first
    std::int64_t frames = 0;

    // The first position that it needs: the frames that its extractors look back to, and at least one that is stored, by which its place
    // is checked. REQUIRES: scoring
    std::int64_t first_needed() const {
      const std::int64_t back = std::max(1, scoring->plan.history());
      return std::max<std::int64_t>(0, scoring->prefix.frames - back);
    }
  };

  std::vector<Member> members;
  io::GroupSpec spec;
  std::unique_ptr<io::GroupReader> reader;
  std::int64_t to_pass_over = 0;  // positions before the first one that a member needs
  bool was_sought = false;        // the next position shows whether the seek led to the stored pictures
  DeviceSet::Use device;          // one for the whole ladder: its reference goes up once
  Clock::time_point start = Clock::now();
  double decode_seconds = 0;

  size_t bytes_per_step() const {
    size_t bytes = reader ? reader->bytes_per_step() : 0;
    for (const Member& member : members) {
      if (member.scoring) bytes += member.scoring->plan.bytes_per_frame();
    }
    return bytes;
  }
  // The first position that some member needs.
  std::int64_t first_needed() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Member& member : members) {
      if (member.scoring) first = std::min(first, member.first_needed());
    }
    return first == std::numeric_limits<std::int64_t>::max() ? 0 : first;
  }

  bool ended() const {
    return std::ranges::none_of(members, [](const Member& m) { return m.scoring != nullptr; });
  }
  // Time that the group shared, split evenly.
  double share(double seconds) const { return seconds / static_cast<double>(members.size()); }
};

DecodeLane::DecodeLane(LaneContext& context, std::function<void()> continue_later)
    : context_(context), continue_later_(std::move(continue_later)) {}
DecodeLane::~DecodeLane() = default;

void DecodeLane::start() { ask_for_step(0); }

void DecodeLane::ask_for_step(size_t bytes) {
  granted_bytes_ = bytes;
  context_.admission.request(bytes, continue_later_);
}

void DecodeLane::run_step() noexcept {
  // The granted step is open until the last record that was made in it is with the writer; without a record, until the end of this call.
  const auto open = std::make_shared<OpenStep>(context_.admission);
  const auto bytes = std::make_shared<AdmittedBytes>(context_.admission, granted_bytes_);
  try {
    if (context_.should_stop()) {
      if (group_) end_ended_members(true);
      group_.reset();
      apart_.clear();
      return;  // what was not started stays so
    }
    if (!group_) {
      if (!open_next_group()) return;  // no group is left: the lane is done
    } else if (group_->spec.limits.late()) {
      fail_members(group_->spec.limits.late_text);
    } else {
      decode_position(open, bytes);
    }
    if (group_ && group_->ended()) group_.reset();
  } catch (const std::exception& e) {
    fail_members(e.what());
  } catch (...) {
    fail_members("decoding stopped for an unknown reason");
  }
  ask_for_step(group_ ? group_->bytes_per_step() : 0);
}

void DecodeLane::fail_task(size_t index, const std::string& reason) {
  if (context_.should_stop()) return;  // reading may have been given up for that
  ClipTask task = context_.tasks[index];
  if (!task.reference_file && !task.look_error) {
    io::FileLook look;
    look_at_files(task, look, group_->spec.limits);
  }
  context_.send_writer(ClipFailed{task.row.name, identity_record(task, context_.options), reason});
}

void DecodeLane::fail_members(const std::string& reason) {
  if (!group_) return;
  for (size_t i = 0; i < group_->members.size(); ++i) {
    const Group::Member& member = group_->members[i];
    if (!member.scoring) {
      if (!member.told) fail_task(member.task, reason);
      continue;
    }
    ClipEnd end = end_of_member(i);
    end.kind = ClipEnd::Kind::kDamaged;
    end.reason = reason + " (frame " + std::to_string(end.frames) + ")";
    context_.send_writer(std::move(end));
  }
  group_.reset();
}

std::optional<DecodeLane::AlignedGroup> DecodeLane::take_group() {
  if (!apart_.empty()) {
    AlignedGroup group = std::move(apart_.back());
    apart_.pop_back();
    return group;
  }
  const size_t next = context_.next_group.fetch_add(1);
  if (next >= context_.groups.size()) return std::nullopt;
  return AlignedGroup{context_.groups[next], {}, {}};
}

DecodeLane::AlignedGroup DecodeLane::align(const ClipGroup& tasks) {
  const io::ReadLimits limits = context_.timeout.limits(tasks.size(), context_.should_stop);
  const std::vector<AlignedClip> clips = align_group(context_.tasks, tasks, context_.options, context_.pool, limits);
  std::map<std::int64_t, AlignedGroup> by_skip;
  for (size_t i = 0; i < tasks.size(); ++i) {
    AlignedGroup& group = by_skip[clips[i].skips.reference];
    group.tasks.push_back(tasks[i]);
    group.clips.push_back(clips[i]);
    group.limits = limits;  // looking is a part of a clip's time
  }
  AlignedGroup first = std::move(by_skip.begin()->second);
  by_skip.erase(by_skip.begin());
  for (auto& [skip, group] : by_skip) apart_.push_back(std::move(group));
  return first;
}

bool DecodeLane::open_next_group() {
  std::optional<AlignedGroup> group = take_group();
  if (!group) return false;
  group_ = std::make_unique<Group>();
  group_->device = context_.devices.take();
  for (const size_t task : group->tasks) group_->members.emplace_back().task = task;
  if (context_.options.auto_align && group->clips.empty()) {
    group = align(group->tasks);
    std::erase_if(group_->members, [&](const Group::Member& m) { return std::ranges::find(group->tasks, m.task) == group->tasks.end(); });
  }
  const ClipGroup& tasks = group->tasks;
  group_->spec = group_spec(context_.tasks, tasks, context_.options, context_.decoder_threads);
  io::GroupSpec& spec = group_->spec;
  for (size_t i = 0; i < group->clips.size(); ++i) {
    spec.skip_reference = group->clips[i].skips.reference;
    spec.members[i].skip = group->clips[i].skips.distorted;
  }
  spec.limits = group->limits ? *group->limits : context_.timeout.limits(tasks.size(), context_.should_stop);
  Result<std::unique_ptr<io::GroupReader>> reader = io::GroupReader::open(spec, context_.pool);
  if (reader.ok()) group_->reader = std::move(*reader);
  for (size_t i = 0; i < tasks.size(); ++i) {
    Group::Member& member = group_->members[i];
    if (!group_->reader) {
      fail_task(tasks[i], reader.error().message);
    } else if (group_->reader->end(i).kind == io::MemberEnd::Kind::kFailed) {
      fail_task(tasks[i], group_->reader->end(i).text);
    } else if (const std::optional<Error>& unknown = context_.tasks[tasks[i]].look_error) {
      fail_task(tasks[i], unknown->message + " when the run began, so it is not known what is stored of the clip; run again");
      group_->reader->drop(i);
    } else {
      member.scoring = plan_clip(*group_->reader, i, tasks[i], group->clips.empty() ? nullptr : &group->clips[i]);
    }
    if (!member.scoring) member.told = true;
    if (member.scoring) member.is_checked = member.scoring->prefix.frames == 0;
  }
  if (group_->reader) go_to_first_needed();
  return true;
}

void DecodeLane::tell_begin(size_t index) {
  Group::Member& member = group_->members[index];
  if (member.told) return;
  member.told = true;
  member.frames = member.scoring->prefix.frames;
  context_.send_writer(ClipBegin{member.scoring});
}

void DecodeLane::go_to_first_needed() {
  const std::int64_t first = group_->first_needed();
  if (first == 0) return;
  io::PositionTimes times;
  times.distorted_ns.resize(group_->members.size());
  bool known = true;
  for (size_t i = 0; i < group_->members.size(); ++i) {
    const std::shared_ptr<Scoring>& scoring = group_->members[i].scoring;
    if (scoring) known = known && add_times(scoring->prefix, first, i, times);
  }
  group_->was_sought = known && group_->reader->seek(first, times);
  if (group_->was_sought) {
    log_info(group_->spec.reference + ": went straight to frame " + std::to_string(first));
  } else {
    walk_to(first);
  }
}

void DecodeLane::walk_to(std::int64_t first) {
  log_info(group_->spec.reference + ": decoded again up to frame " + std::to_string(first) + ", without measuring");
  group_->was_sought = false;
  group_->to_pass_over = first;
  Result<std::unique_ptr<io::GroupReader>> reader = io::GroupReader::open(group_->spec, context_.pool);
  if (!reader.ok()) {
    if (context_.should_stop()) end_ended_members(true);
    return fail_members(reader.error().message);
  }
  const std::unique_ptr<io::GroupReader> before = std::exchange(group_->reader, std::move(*reader));
  bool same = group_->reader->reference_info().file == before->reference_info().file;
  for (size_t i = 0; i < group_->members.size(); ++i) {
    group_->members[i].recent.clear();
    if (!group_->members[i].scoring) {
      group_->reader->drop(i);
    } else if (!is_broken(group_->reader->end(i))) {
      same = same && group_->reader->distorted_info(i).file == before->distorted_info(i).file;
    }
  }
  if (!same) fail_members("a file changed while it was read");
}

bool DecodeLane::check_pictures(const io::Step& step) {
  const auto likeness = [&](size_t i) { return compare_pictures(group_->members[i].scoring->prefix, step.index, *step.pairs[i]); };
  for (size_t i = 0; group_->was_sought && i < group_->members.size(); ++i) {
    if (!group_->members[i].scoring || (step.pairs[i] && likeness(i) == Likeness::kSame)) continue;
    walk_to(step.index);
    return false;
  }
  group_->was_sought = false;
  for (size_t i = 0; i < group_->members.size(); ++i) {
    Group::Member& member = group_->members[i];
    if (!member.scoring || member.is_checked || !step.pairs[i] || step.index < member.first_needed()) continue;
    member.is_checked = likeness(i) == Likeness::kSame;
    if (!member.is_checked) set_apart(i);
  }
  return true;
}

void DecodeLane::set_apart(size_t index) {
  Group::Member& member = group_->members[index];
  log_given_up(*member.scoring, "its files show other pictures than those that were scored");
  begin_anew_.insert(member.task);
  apart_.push_back({{member.task}, {}, {}});
  group_->reader->drop(index);
  member.scoring.reset();
}

std::shared_ptr<Scoring> DecodeLane::plan_clip(io::GroupReader& reader, size_t member, size_t task_index, const AlignedClip* aligned) {
  const ClipTask& task = context_.tasks[task_index];
  auto scoring = std::make_shared<Scoring>();
  scoring->name = task.row.name;
  scoring->subsample = task.subsample;
  if (!begin_anew_.contains(task_index)) scoring->prefix = context_.prefixes[task_index];
  scoring->plan = plan_scoring(*task.request, {reader.format(member), task.row.name});
  if (group_->device.index()) plan_device(*scoring, reader.format(member), *group_->device.index());
  scoring->record = identity_record(task, context_.options);
  describe_pictures(scoring->record, reader, member);
  context_.progress.clips_opened.fetch_add(1);
  context_.progress.columns_opened.fetch_add(static_cast<std::int64_t>(scoring->plan.columns.size()));
  scoring->skips = {task.row.skip_reference, task.row.skip_distorted};
  if (auto warning = rate_warning(task, reader.reference_info(), reader.distorted_info(member))) {
    scoring->warnings.push_back(std::move(*warning));
  }
  if (aligned != nullptr) {
    scoring->skips = aligned->skips;
    std::ranges::copy(aligned->warnings, std::back_inserter(scoring->warnings));
    std::string& pictures = scoring->record.pictures;
    if (!aligned->note.empty()) pictures += (pictures.empty() ? "" : "; ") + aligned->note;
  }
  if (scoring->plan.jobs.empty()) {
    std::string reasons;
    for (const Refusal& refusal : scoring->plan.refusals) reasons += (reasons.empty() ? "" : "; ") + refusal.reason;
    fail_task(task_index, reasons.empty() ? "no feature was asked for" : reasons);
    reader.drop(member);
    return nullptr;
  }
  if (scoring->prefix.frames > 0) {
    if (const auto reason = why_not_resumed(scoring->prefix, task, *scoring)) {
      log_given_up(*scoring, *reason);
      scoring->prefix = {};
    }
    for (const auto& [job, frame] : scoring->prefix.failures) {
      if (static_cast<size_t>(job) < scoring->plan.jobs.size()) scoring->plan.jobs[static_cast<size_t>(job)]->failed_at.store(frame);
    }
  }
  if (const auto frames = expected_frames(task, reader.reference_info())) {
    context_.progress.clips_with_length.fetch_add(1);
    context_.progress.frames_expected.fetch_add(std::max<std::int64_t>(0, *frames - scoring->prefix.frames) / task.subsample);
  }
  return scoring;
}

void DecodeLane::plan_device(Scoring& scoring, const io::PictureFormat& format, size_t device) {
  if (const std::optional<std::string> reason = context_.devices.queue(device).retired()) {
    for (const auto& job : scoring.plan.jobs) job->leave_device(*reason);
    return;
  }
  plan_twins(scoring.plan, {format, scoring.name}, device);
  scoring.device_backend = context_.options.device_backend;
  scoring.device_name = context_.devices.queue(device).device().name();
}

bool DecodeLane::read_position(io::Step& step) {
  const auto start = Clock::now();
  const std::int64_t decoded_before = group_->reader->reference_frames_decoded();
  bool more = false;
  if (group_->to_pass_over > 0) {
    --group_->to_pass_over;
    group_->reader->skip();
  } else {
    more = group_->reader->next(step);
  }
  group_->decode_seconds += seconds_since(start);
  context_.reference_frames_decoded.fetch_add(group_->reader->reference_frames_decoded() - decoded_before);
  return more;
}

void DecodeLane::decode_position(const std::shared_ptr<OpenStep>& open, const std::shared_ptr<AdmittedBytes>& bytes) {
  io::Step step;
  if (read_position(step)) {
    if (!check_pictures(step)) return;
    for (size_t i = 0; i < group_->members.size(); ++i) {
      if (group_->members[i].scoring && step.pairs[i]) emit(step, i, open, bytes);
    }
  }
  end_ended_members(false);
}

void DecodeLane::emit(const io::Step& step, size_t index, const std::shared_ptr<OpenStep>& open,
                      const std::shared_ptr<AdmittedBytes>& bytes) {
  Group::Member& member = group_->members[index];
  const ScoringPlan& plan = member.scoring->plan;
  member.recent.push_front(with_bytes(step.pairs[index], bytes));
  io::FrameWindow window(step.index, {member.recent.begin(), member.recent.end()});
  while (member.recent.size() > static_cast<size_t>(plan.history())) member.recent.pop_back();

  if (step.index < member.scoring->prefix.frames) return;  // stored already; the frames behind it look back to it
  tell_begin(index);

  const bool reported = step.index % member.scoring->subsample == 0;
  std::vector<size_t> jobs;
  bool alive = false;
  for (size_t job = 0; job < plan.jobs.size(); ++job) {
    if (plan.jobs[job]->failed_at.load() <= step.index) continue;
    alive = true;
    if (reported || plan.jobs[job]->needs.every_frame) jobs.push_back(job);
  }
  auto record = std::make_shared<FrameRecord>(member.scoring, std::move(window), reported, std::move(jobs), plan.jobs.size(), open);
  context_.send_frame(std::move(record));
  ++member.frames;
  if (!alive) group_->reader->drop(index);  // nothing is left to measure
}

// The member is over with it.
ClipEnd DecodeLane::end_of_member(size_t index) {
  Group::Member& member = group_->members[index];
  tell_begin(index);
  const io::GroupReader& reader = *group_->reader;
  ClipEnd end;
  end.frames = member.frames;
  end.warnings = reader.warnings(index);
  std::erase_if(end.warnings, [&](const std::string& warning) {
    return std::ranges::find(member.scoring->warnings, warning) != member.scoring->warnings.end();
  });
  end.decoded_reference = reader.reference_frames_decoded();
  end.decoded_distorted = reader.distorted_frames_decoded(index);
  end.seconds = group_->share(seconds_since(group_->start));
  end.decode_seconds = group_->share(group_->decode_seconds);
  end.reference_hash = reader.reference_hash();
  end.distorted_hash = reader.distorted_hash(index);
  end.scoring = std::move(member.scoring);
  member.recent.clear();
  return end;
}

void DecodeLane::end_ended_members(bool interrupted) {
  for (size_t i = 0; i < group_->members.size(); ++i) {
    Group::Member& member = group_->members[i];
    const io::MemberEnd& reached = group_->reader->end(i);
    if (!member.scoring || (!interrupted && reached.kind == io::MemberEnd::Kind::kRunning)) continue;
    if (interrupted && !member.told) {
      member.scoring.reset();  // what is stored of it stays as it is
      continue;
    }
    // Its pictures end before those that are stored: they are others.
    if (!interrupted && !member.is_checked && !is_broken(reached)) {
      set_apart(i);
      continue;
    }
    ClipEnd end = end_of_member(i);
    const bool given_up =
        is_broken(reached) && context_.should_stop();  // reading stops with the run: the next one finds the damage, if there is any
    switch (given_up ? io::MemberEnd::Kind::kRunning : reached.kind) {
      case io::MemberEnd::Kind::kRunning: end.kind = ClipEnd::Kind::kInterrupted; break;
      case io::MemberEnd::Kind::kDamaged:
      case io::MemberEnd::Kind::kFailed:
        end.kind = ClipEnd::Kind::kDamaged;
        end.reason = reached.text;
        break;
      case io::MemberEnd::Kind::kComplete:
      case io::MemberEnd::Kind::kShorter:
      case io::MemberEnd::Kind::kDropped: end.kind = ClipEnd::Kind::kComplete; break;
    }
    context_.send_writer(std::move(end));
  }
}

}  // namespace vmafbatch::graph
