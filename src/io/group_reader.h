// Reads a ladder in step: one reference and 1 to 16 distorted inputs under the same cut, skip, size and conversion. The
// reference is decoded once; its frame is shared by all pairs of a step.
//
// Under Sync::kTimestamp the reference is the clock: each of its pictures meets the distorted picture that is on the screen at its time
// (io/shown_picture.h). A distorted picture can so be paired several times or not at all, no reference picture is left out while the
// distorted lasts, and warnings() counts both at the end. Times count from each side's own first picture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/frame.h"
#include "io/frame_pool.h"
#include "io/raw_geometry.h"
#include "io/read_limits.h"
#include "io/scaler.h"
#include "io/sync.h"
#include "io/video_reader.h"

namespace vmafbatch::io {

struct GroupMember {
  std::string distorted;  // path, any bytes
  std::optional<RawGeometry> raw;
  std::int64_t skip = 0;  // frames dropped at the start
};

struct GroupSpec {
  static constexpr size_t kMostMembers = 16;

  std::string reference;  // path, any bytes
  std::optional<RawGeometry> reference_raw;
  std::int64_t skip_reference = 0;
  std::optional<double> start_s;  // cut by presentation time, both sides, before the skips count
  std::optional<double> duration_s;
  std::optional<std::int64_t> frames;  // at most so many pairs, counted from index 0
  Sync sync = Sync::kFrame;
  bool strict_length = false;  // sides of different length are damage where the shorter one ends
  Scaler scaler = Scaler::kBicubic;
  bool convert = false;
  int decoder_threads = 1;  // of each decoder; 1: in the calling thread
  ReadLimits limits{};      // how long reading may take; a file that is too slow ends its member, the reference all of them
  std::vector<GroupMember> members;
};

// How a member's input ended.
struct MemberEnd {
  enum class Kind {
    kRunning,   // it has not ended
    kComplete,  // both sides ended together, or the frame limit was reached
    kShorter,   // one side ended before the other; the common part counts, `text` is the warning
    kDamaged,   // damage (or the end of the shorter side under strict_length) at frame `frame`, `text` says which; those before it count
    kFailed,    // it could not be opened, does not fit the reference, or has no pair at all; `text` says why
    kDropped,   // by drop()
  };

  Kind kind = Kind::kRunning;
  std::string text;
  std::int64_t frame = 0;  // the first index that has no pair
};

// When the pictures of one position are presented, nanoseconds after the first picture of their file.
struct PositionTimes {
  std::int64_t reference_ns = 0;
  std::vector<std::int64_t> distorted_ns;  // one for each member; those of ended members do not count
};

// One position of the clip.
struct Step {
  std::int64_t index = 0;
  // One for each member, null where that member has ended. The pairs of members with equal format() share the reference frame.
  std::vector<std::shared_ptr<const FramePair>> pairs;
};

// One thread at a time.
class GroupReader {
 public:
  // An error where the reference cannot be read or the spec is not valid: all members fail with it. A member that cannot be opened
  // or does not fit has end(i).kind == kFailed, and the others go on. `pool` must outlive the reader.
  static Result<std::unique_ptr<GroupReader>> open(const GroupSpec& spec, FramePool& pool);
  virtual ~GroupReader() = default;

  virtual size_t size() const = 0;

  // The scored format of member i: size and chroma of the reference, the greater of the two depths (they differ only under
  // `convert`). REQUIRES: end(i).kind != kFailed after open().
  virtual const PictureFormat& format(size_t i) const = 0;
  virtual const StreamInfo& reference_info() const = 0;
  // REQUIRES: as format()
  virtual const StreamInfo& distorted_info(size_t i) const = 0;

  // What was done to the pictures of either side before scoring, one text; empty: nothing.
  virtual const std::string& member_notes(size_t i) const = 0;
  // One sentence each: colour tags that differ, only one side PQ or HLG; after the end also lengths that differ and what kTimestamp did.
  virtual const std::vector<std::string>& warnings(size_t i) const = 0;
  virtual const MemberEnd& end(size_t i) const = 0;

  // Reads one position. False when every member has ended; end(i) then says how.
  virtual bool next(Step& step) = 0;

  // Goes on with position `index`, whose times an earlier pass has seen, without decoding all that lies before it. False where that
  // cannot be done safely: under a cut or Sync::kTimestamp, or where a file has no key picture that can be trusted or no picture of
  // exactly that time. The reader may then not be used any more. REQUIRES: nothing was read yet.
  virtual bool seek(std::int64_t index, const PositionTimes& times) = 0;
  // Reads one position that nobody looks at. False when every member has ended.
  virtual bool skip() = 0;

  // A sentence where a file that is still read is not what it was when it was opened. At the end of a pass end(i) says so; this is for who
  // stops before it.
  virtual std::optional<std::string> changed() = 0;

  // Stops reading a member that failed elsewhere.
  virtual void drop(size_t i) = 0;

  // Bytes of the pictures of one step: for the admission.
  virtual size_t bytes_per_step() const = 0;
  // Reference pictures decoded so far, skipped ones included.
  virtual std::int64_t reference_frames_decoded() const = 0;
  // Of member i, likewise; 0 where it failed to open.
  virtual std::int64_t distorted_frames_decoded(size_t i) const = 0;

  // Of the whole file (base/content_hash.h), once its end was reached; nothing where the pass left out too much of it.
  virtual const std::optional<std::string>& reference_hash() const = 0;
  // Of member i, once it has ended.
  virtual const std::optional<std::string>& distorted_hash(size_t i) const = 0;
};

}  // namespace vmafbatch::io
