#include "report/scored_reader.h"

#include <utility>

#include "base/utf8.h"
#include "io/picture_times.h"

namespace vmafbatch::report {
namespace {

constexpr size_t kIdleBytes = size_t{64} << 20;  // of decoded pictures' memory that is used again
// Less far is decoded: to look through the files takes as long.
constexpr std::int64_t kLeastSeek = 100;

// The times of a file's pictures, where each packet gave one picture when it was scored: a packet that gave none would shift the numbers.
std::vector<std::int64_t> checked_times(const ScoredFile& file, const std::optional<io::RawGeometry>& raw, const io::ReadLimits& limits) {
  if (!file.decoded) return {};
  auto times = io::picture_times(file.path, raw, limits);
  const bool is_same = times && times->file == file.identity && static_cast<std::int64_t>(times->ns.size()) == *file.decoded;
  return is_same ? std::move(times->ns) : std::vector<std::int64_t>();
}

Error stopped() { return Error{"stopped before the pictures were made"}; }

}  // namespace

ScoredReader::ScoredReader(const ScoredPair& scored, const ScoredReaderOptions& options)
    : scored_(scored), options_(options), pool_(kIdleBytes) {}

Result<std::unique_ptr<ScoredReader>> ScoredReader::open(const ScoredPair& scored, const ScoredReaderOptions& options) {
  auto reader = std::make_unique<ScoredReader>(scored, options);
  auto group = reader->open_group();
  if (!group.ok()) return group.error();
  reader->group_ = std::move(*group);
  return reader;
}

// A file on a mount that hangs is given up when should_stop says so.
io::ReadLimits ScoredReader::limits() const {
  io::ReadLimits limits;
  limits.should_stop = options_.should_stop;
  return limits;
}

Result<std::unique_ptr<io::GroupReader>> ScoredReader::open_group() {
  io::GroupSpec spec = io::pair_spec(scored_.reference.path, scored_.distorted.path, scored_.options);
  spec.decoder_threads = options_.decoder_threads;
  spec.limits = limits();
  auto group = io::GroupReader::open(spec, pool_);
  if (!group.ok()) return should_stop() ? stopped() : Error{display_text(group.error().message)};
  if ((*group)->end(0).kind == io::MemberEnd::Kind::kFailed) return should_stop() ? stopped() : Error{display_text((*group)->end(0).text)};
  if (Status same = check_identity(scored_.reference, (*group)->reference_info().file); !same.ok()) return same.error();
  if (Status same = check_identity(scored_.distorted, (*group)->distorted_info(0).file); !same.ok()) return same.error();
  return std::move(*group);
}

// Pictures before `frame` are decoded, but neither scaled nor converted. False where there is no picture or no time left for it.
bool ScoredReader::skip_to(std::int64_t frame) {
  for (; position_ < frame; ++position_) {
    if (should_stop() || !group_->skip()) return false;
  }
  return !should_stop();
}

Result<std::shared_ptr<const io::FramePair>> ScoredReader::read(std::int64_t frame) {
  if (frame - position_ >= kLeastSeek) go_near(frame);
  io::Step step;
  const bool has_picture = skip_to(frame) && group_->next(step);
  if (should_stop()) return stopped();
  if (const auto changed = group_->changed()) return Error{display_text(*changed)};
  if (!has_picture) return std::shared_ptr<const io::FramePair>();
  ++position_;
  return step.pairs[0];
}

// Where that is not safe, the reader stays where it is.
void ScoredReader::go_near(std::int64_t frame) {
  const std::optional<io::PositionTimes> times = times_of(frame);
  if (!times) return;
  auto group = open_group();
  may_seek_ = group.ok() && (*group)->seek(frame, *times);
  if (!may_seek_) return;
  group_ = std::move(*group);
  position_ = frame;
}

std::optional<io::PositionTimes> ScoredReader::times_of(std::int64_t frame) {
  if (may_seek_ && reference_ns_.empty()) find_times();
  const auto reference = static_cast<size_t>(frame + scored_.options.skip_reference);
  const auto distorted = static_cast<size_t>(frame + scored_.options.skip_distorted);
  if (!may_seek_ || reference >= reference_ns_.size() || distorted >= distorted_ns_.size()) return std::nullopt;
  return io::PositionTimes{reference_ns_[reference], {distorted_ns_[distorted]}};
}

void ScoredReader::find_times() {
  reference_ns_ = checked_times(scored_.reference, scored_.options.reference_raw, limits());
  if (!reference_ns_.empty()) distorted_ns_ = checked_times(scored_.distorted, scored_.options.distorted_raw, limits());
  may_seek_ = !distorted_ns_.empty();
}

}  // namespace vmafbatch::report
