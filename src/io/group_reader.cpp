#include "io/group_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "io/group_side.h"
#include "io/shown_picture.h"

namespace vmafbatch::io {
namespace {

using Kind = MemberEnd::Kind;

struct Member {
  std::string path;
  std::unique_ptr<GroupSide> side;      // null once the member has ended
  std::unique_ptr<ShownPicture> shown;  // of `side`, under Sync::kTimestamp
  PictureFormat format;
  StreamInfo info;
  std::int64_t decoded = 0;         // when it ended
  std::optional<std::string> hash;  // likewise
  std::string notes;
  std::vector<std::string> warnings;
  MemberEnd end;
};

void warn_if_different(const char* what, const std::string& reference, const std::string& distorted, std::vector<std::string>& warnings) {
  if (reference.empty() || distorted.empty() || reference == distorted) return;
  warnings.push_back(std::string("the two sides differ in colour ") + what + ": reference " + reference + ", distorted " + distorted +
                     "; nothing was converted");
}

// Hybrid log-gamma and the perceptual quantiser: what one side means by a sample, the other does not.
std::string hdr_name(const ColourTags& tags) { return tags.transfer == "smpte2084" ? "PQ" : tags.transfer == "arib-std-b67" ? "HLG" : ""; }

std::vector<std::string> colour_warnings(const ColourTags& reference, const ColourTags& distorted) {
  std::vector<std::string> warnings;
  warn_if_different("range", reference.range, distorted.range, warnings);
  warn_if_different("matrix", reference.matrix, distorted.matrix, warnings);
  warn_if_different("primaries", reference.primaries, distorted.primaries, warnings);
  warn_if_different("transfer", reference.transfer, distorted.transfer, warnings);
  const std::string r = hdr_name(reference);
  const std::string d = hdr_name(distorted);
  if (r.empty() != d.empty()) {
    warnings.push_back(std::string("only the ") + (r.empty() ? "distorted" : "reference") + " side is tagged " + (r.empty() ? d : r) +
                       "; the samples of the two sides mean different light");
  }
  return warnings;
}

// REQUIRES: same size and chroma, the depth of `format` is greater, samples of `source` fit its depth.
std::shared_ptr<const Frame> shifted_up(const Frame& source, const PictureFormat& format, FramePool& pool) {
  std::shared_ptr<Frame> frame = pool.acquire(format);
  frame->time_s = source.time_s;
  const int shift = format.bit_depth - source.format().bit_depth;
  with_sample_type(source.format(), [&](auto sample) {
    for (int plane = 0; plane < format.plane_count(); ++plane) {
      const auto in = source.plane<decltype(sample)>(plane);
      const auto out = frame->writable_plane<std::uint16_t>(plane);
      for (int y = 0; y < out.height; ++y) {
        for (int x = 0; x < out.width; ++x) out.row(y)[x] = static_cast<std::uint16_t>(in.row(y)[x] << shift);
      }
    }
  });
  return frame;
}

// What a player would do to the pictures and we do not.
std::string rotation_note(const StreamInfo& info) {
  if (info.rotation_degrees == 0) return {};
  return "tagged as rotated by " + std::to_string(std::lround(info.rotation_degrees)) + " degrees, scored as stored";
}

std::string joined_notes(std::string first, const std::string& second) {
  if (!first.empty() && !second.empty()) first += "; ";
  return first + second;
}

// The notes of both sides, named.
std::string notes_text(std::string reference, const std::string& distorted) {
  if (!reference.empty()) reference = "reference " + reference;
  if (distorted.empty()) return reference;
  return reference + (reference.empty() ? "" : "; ") + "distorted " + distorted;
}

// What pairing by time did to the distorted pictures.
std::string sync_sentence(const ShownPicture& shown) {
  if (shown.repeated() == 0 && shown.left_out() == 0) return {};
  return "sync timestamp paired distorted pictures again " + std::to_string(shown.repeated()) + " times and left out " +
         std::to_string(shown.left_out()) + " that no reference picture's time met";
}

class FileGroupReader final : public GroupReader {
 public:
  FileGroupReader(const GroupSpec& spec, std::unique_ptr<VideoReader> reference, FramePool& pool)
      : spec_(spec),
        pool_(pool),
        reference_info_(reference->info()),
        reference_(spec.reference, std::move(reference), spec.start_s, spec.duration_s, spec.skip_reference) {
    for (const GroupMember& member : spec_.members) open_member(member);
  }

  size_t size() const override { return members_.size(); }
  const PictureFormat& format(size_t i) const override { return members_[i].format; }
  const StreamInfo& reference_info() const override { return reference_info_; }
  const StreamInfo& distorted_info(size_t i) const override { return members_[i].info; }
  const std::string& member_notes(size_t i) const override { return members_[i].notes; }
  const std::vector<std::string>& warnings(size_t i) const override { return members_[i].warnings; }
  const MemberEnd& end(size_t i) const override { return members_[i].end; }
  std::int64_t reference_frames_decoded() const override { return reference_.decoded(); }
  std::int64_t distorted_frames_decoded(size_t i) const override {
    return members_[i].side ? members_[i].side->decoded() : members_[i].decoded;
  }

  const std::optional<std::string>& reference_hash() const override { return reference_.reader().content_hash(); }
  const std::optional<std::string>& distorted_hash(size_t i) const override { return members_[i].hash; }

  bool next(Step& step) override {
    while (any_running()) {
      if (spec_.frames && *spec_.frames > 0 && position_ >= *spec_.frames) {
        for (Member& member : members_) finish(member, Kind::kComplete, {});
        return false;
      }
      step.index = position_;
      step.pairs.assign(members_.size(), nullptr);
      const bool any_pair = read_position(step, true);
      ++position_;
      if (any_pair) return true;
    }
    return false;
  }

  bool seek(std::int64_t index, const PositionTimes& times) override {
    if (spec_.sync != Sync::kFrame || !reference_.seek(index, times.reference_ns)) return false;
    for (size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].side && !members_[i].side->seek(index, times.distorted_ns[i])) return false;
    }
    position_ = index;
    return true;
  }

  bool skip() override {
    if (!any_running()) return false;
    Step nothing;
    read_position(nothing, false);
    ++position_;
    return any_running();
  }

  std::optional<std::string> changed() override {
    std::optional<std::string> said = reference_.reader().changed();
    for (Member& member : members_) {
      if (!said && member.side) said = member.side->reader().changed();
    }
    return said;
  }

  void drop(size_t i) override { finish(members_[i], Kind::kDropped, {}); }

  size_t bytes_per_step() const override {
    std::vector<PictureFormat> reference_formats{reference_info_.format};
    size_t bytes = reference_info_.format.bytes();
    for (const Member& member : members_) {
      if (!member.side) continue;
      bytes += member.format.bytes();
      if (std::find(reference_formats.begin(), reference_formats.end(), member.format) == reference_formats.end()) {
        reference_formats.push_back(member.format);
        bytes += member.format.bytes();
      }
    }
    return bytes;
  }

 private:
  void open_member(const GroupMember& wanted) {
    Member& member = members_.emplace_back();
    member.path = wanted.distorted;
    auto opened = VideoReader::open(wanted.distorted, {wanted.raw, spec_.decoder_threads, spec_.convert, spec_.limits});
    if (!opened) {
      member.end = {Kind::kFailed, opened.error().message, 0};
      return;
    }
    VideoReader& reader = **opened;
    member.format = reference_info_.format;
    member.format.bit_depth = std::max(member.format.bit_depth, reader.info().source.bit_depth);
    if (const Status ok = fit(reader, member.format); !ok) {
      member.end = {Kind::kFailed, ok.error().message, 0};
      return;
    }
    member.info = reader.info();
    std::string reference_notes = reference_.reader().done_to_pictures();
    if (member.format.bit_depth > reference_info_.format.bit_depth) {
      reference_notes += (reference_notes.empty() ? "" : "; ") + std::to_string(reference_info_.format.bit_depth) + " -> " +
                         std::to_string(member.format.bit_depth) + " bits by shift";
    }
    member.notes = notes_text(joined_notes(reference_notes, rotation_note(reference_info_)),
                              joined_notes(reader.done_to_pictures(), rotation_note(member.info)));
    member.warnings = colour_warnings(reference_info_.colour, member.info.colour);
    member.side = std::make_unique<GroupSide>(wanted.distorted, std::move(*opened), spec_.start_s, spec_.duration_s, wanted.skip);
    if (spec_.sync == Sync::kTimestamp) member.shown = std::make_unique<ShownPicture>(*member.side);
  }

  // Has the distorted side delivered in the format that is scored.
  Status fit(VideoReader& reader, const PictureFormat& format) const {
    if (format.bit_depth != reference_info_.format.bit_depth && !spec_.convert) {
      return Error{spec_.reference + ": its bit depth " + std::to_string(reference_info_.format.bit_depth) +
                   " is not the distorted side's " + std::to_string(format.bit_depth) + " (--convert shifts the shallower side up)"};
    }
    const bool tags = !reference_info_.rgb;
    return reader.set_output({format, spec_.scaler, tags ? reference_info_.colour.matrix : "", tags ? reference_info_.colour.range : ""});
  }

  bool any_running() const {
    return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.side != nullptr; });
  }

  // Keeps its time and interval under Sync::kTimestamp.
  ReadResult read_reference(bool wanted) {
    if (spec_.sync == Sync::kFrame) return wanted ? reference_.next(pool_) : reference_.skip();
    const std::optional<double> time = reference_.peek_time_s();
    ReadResult read = wanted ? reference_.next(pool_) : reference_.skip();
    if (read.kind != ReadResult::Kind::kFrame) return read;
    if (!time) return {ReadResult::Kind::kDamage, nullptr, reference_.no_times_text("sync timestamp cannot pair it")};
    time_s_ = *time;
    if (const std::optional<double> next = reference_.peek_time_s()) interval_s_ = *next - *time;
    return read;
  }

  ReadResult shown_at_reference(ShownPicture& shown, ReadResult::Kind reference) {
    if (reference == ReadResult::Kind::kFrame) return shown.at(time_s_, interval_s_, pool_);
    return shown.goes_on_at(time_s_ + interval_s_.value_or(0), interval_s_, pool_);
  }

  // Reads one picture of every side; false where no pair came of it. Not `wanted`: `step` stays as it is.
  bool read_position(Step& step, bool wanted) {
    const ReadResult reference = read_reference(wanted);
    std::map<int, std::shared_ptr<const Frame>> references;  // by bit depth
    if (reference.frame) references[reference_info_.format.bit_depth] = reference.frame;
    bool any = false;
    for (size_t i = 0; i < members_.size(); ++i) {
      Member& member = members_[i];
      if (!member.side) continue;
      const ReadResult distorted = member.shown ? shown_at_reference(*member.shown, reference.kind)
                                   : wanted     ? member.side->next(pool_)
                                                : member.side->skip();
      if (!both_have_a_picture(reference, distorted, member)) continue;
      any = true;
      if (!wanted) continue;
      std::shared_ptr<const Frame>& shared = references[member.format.bit_depth];
      if (!shared) shared = shifted_up(*reference.frame, member.format, pool_);
      step.pairs[i] = std::make_shared<FramePair>(shared, distorted.frame);
    }
    return any;
  }

  // Ends the member where they have not.
  bool both_have_a_picture(const ReadResult& reference, const ReadResult& distorted, Member& member) {
    using Read = ReadResult::Kind;
    if (reference.kind == Read::kFrame && distorted.kind == Read::kFrame) return true;
    if (reference.kind == Read::kDamage) {
      finish(member, Kind::kDamaged, reference.text);
    } else if (distorted.kind == Read::kDamage) {
      finish(member, Kind::kDamaged, distorted.text);
    } else if (reference.kind == distorted.kind) {
      finish(member, Kind::kComplete, {});
    } else {
      const bool reference_first = reference.kind == Read::kEnd;
      const std::string& shorter = reference_first ? spec_.reference : member.path;
      const std::string& longer = reference_first ? member.path : spec_.reference;
      const std::string common = std::to_string(position_);
      finish(member, Kind::kShorter,
             shorter + " ends after " + common + " frames, " + longer + " goes on; the common " + common + " frames are scored");
    }
    return false;
  }

  void finish(Member& member, Kind kind, std::string text) {
    if (!member.side) return;
    if (position_ == 0 && kind != Kind::kDropped) {
      text = text.empty() || kind == Kind::kShorter
                 ? "no pair of pictures: nothing is left of " + spec_.reference + " or " + member.path + " after skips and cut"
                 : text;
      kind = Kind::kFailed;
    }
    if (kind == Kind::kShorter && spec_.strict_length) kind = Kind::kDamaged;
    if (kind == Kind::kShorter || kind == Kind::kComplete) {  // a side that goes on, or was cut, has not looked for it
      std::optional<std::string> said = reference_.reader().changed();
      if (!said) said = member.side->reader().changed();
      if (said) {
        kind = Kind::kDamaged;
        text = std::move(*said);
      }
    }
    if (kind == Kind::kShorter) member.warnings.push_back(text);
    if (member.shown) {
      if (std::string said = sync_sentence(*member.shown); !said.empty()) member.warnings.push_back(std::move(said));
    }
    member.shown.reset();
    member.end = {kind, std::move(text), position_};
    member.decoded = member.side->decoded();
    member.hash = member.side->reader().content_hash();
    member.side.reset();
  }

  GroupSpec spec_;
  FramePool& pool_;
  StreamInfo reference_info_;
  GroupSide reference_;
  std::vector<Member> members_;
  std::int64_t position_ = 0;
  double time_s_ = 0;                 // of the reference's present picture
  std::optional<double> interval_s_;  // from it to the next one
};

}  // namespace

Result<std::unique_ptr<GroupReader>> GroupReader::open(const GroupSpec& spec, FramePool& pool) {
  if (spec.members.empty() || spec.members.size() > GroupSpec::kMostMembers) {
    return Error{"a group has 1 to " + std::to_string(GroupSpec::kMostMembers) + " distorted inputs, not " +
                 std::to_string(spec.members.size())};
  }
  auto reference = VideoReader::open(spec.reference, {spec.reference_raw, spec.decoder_threads, spec.convert, spec.limits});
  if (!reference) return reference.error();
  return std::unique_ptr<GroupReader>(std::make_unique<FileGroupReader>(spec, std::move(*reference), pool));
}

}  // namespace vmafbatch::io
