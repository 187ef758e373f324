// What a feature extractor is: a pure function of a few frames (measure), a conclusion per frame (conclude) and a fold over the
// clip (finish). See docs/internals.md, "How to add an extractor".
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "extractors/options.h"
#include "io/frame.h"

namespace vmafbatch::extractors {

// One clip as an extractor sees it before the first frame.
struct ClipInfo {
  io::PictureFormat format;  // of both sides
  std::string name;          // unique in the run; for files that an extractor writes
};

// When a feature has its value.
enum class FeatureScope {
  kFrame,      // conclude() gives it
  kSeries,     // one value per frame, given by finish()
  kAggregate,  // one value per clip, given by finish()
};

struct FeatureSpec {
  std::string_view internal_name;  // as model files name it, "VMAF_integer_feature_adm2_score"
  std::string_view reported_name;  // the key without options, "integer_adm2"
  FeatureScope scope = FeatureScope::kFrame;
  bool suffixed = true;        // the key carries the suffix of the options
  bool provided = true;        // a model may ask for it
  bool reported_late = false;  // in reports this column stands behind the columns of all other extractors
  std::string_view help{};     // one line: what it measures
};

// What an instance asks of the frames it is given.
struct Needs {
  int history = 0;             // earlier frames that measure() looks at
  bool reference = true;       // looks at the reference
  bool distorted = true;       // looks at the distorted picture; false: the measurement is shared by all renditions of a reference
  bool every_frame = false;    // must be measured at every frame, also where --subsample reports only some
  bool series = false;         // finish() reads the measurements of all frames
  size_t bytes_per_frame = 0;  // memory that one frame's measure() takes: derived planes and scratch (an upper estimate)
};

// What measure() found in one frame: 64-bit words whose layout is the extractor's own. measure() of a twin fills the same words.
class Measurements {
 public:
  Measurements() = default;
  explicit Measurements(size_t slots) : words_(slots) {}
  explicit Measurements(std::vector<std::uint64_t> words) : words_(std::move(words)) {}

  void resize(size_t slots) { words_.resize(slots); }
  size_t size() const { return words_.size(); }

  void set_integer(size_t slot, std::uint64_t value) { words_.at(slot) = value; }
  void set_signed(size_t slot, std::int64_t value) { words_.at(slot) = static_cast<std::uint64_t>(value); }
  void set_real(size_t slot, double value) { words_.at(slot) = std::bit_cast<std::uint64_t>(value); }

  std::uint64_t integer(size_t slot) const { return words_.at(slot); }
  std::int64_t signed_integer(size_t slot) const { return static_cast<std::int64_t>(words_.at(slot)); }
  double real(size_t slot) const { return std::bit_cast<double>(words_.at(slot)); }

  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

// The features of one frame, as (index into ExtractorInfo::features, value).
class FrameFeatures {
 public:
  void set(size_t feature, double value) { values_.emplace_back(feature, value); }
  std::span<const std::pair<size_t, double>> values() const { return values_; }

 private:
  std::vector<std::pair<size_t, double>> values_;
};

// The measurements of one instance over a clip, and the place for the values that need them.
class ClipSeries {
 public:
  struct SeriesValue {
    size_t feature;
    std::int64_t frame;
    double value;
  };

  // `measured` holds frames 0 .. size-1 without a gap. `complete`: the clip ends behind the last one.
  ClipSeries(std::vector<Measurements> measured, bool complete) : measured_(std::move(measured)), complete_(complete) {}

  std::int64_t frames() const { return static_cast<std::int64_t>(measured_.size()); }
  // False: the clip stopped early, and only values that later frames could not change may be set.
  bool complete() const { return complete_; }
  // REQUIRES: 0 <= frame < frames()
  const Measurements& at(std::int64_t frame) const { return measured_[static_cast<size_t>(frame)]; }

  // Value of a kSeries feature at a frame. Values at frames that are not reported (--subsample) are dropped by the caller.
  void set(size_t feature, std::int64_t frame, double value) { values_.push_back({feature, frame, value}); }
  // Value of a kAggregate feature.
  void set_aggregate(size_t feature, double value) { aggregates_.emplace_back(feature, value); }

  std::span<const SeriesValue> values() const { return values_; }
  std::span<const std::pair<size_t, double>> aggregates() const { return aggregates_; }

 private:
  std::vector<Measurements> measured_;
  bool complete_;
  std::vector<SeriesValue> values_;
  std::vector<std::pair<size_t, double>> aggregates_;
};

struct ExtractorInfo;

// One extractor under one set of options, bound to one clip's format. Constant after creation: any thread may call any member,
// frames in any order.
class Extractor {
 public:
  Extractor() = default;
  Extractor(const Extractor&) = delete;
  Extractor& operator=(const Extractor&) = delete;
  virtual ~Extractor() = default;

  virtual Needs needs() const = 0;
  // The features this instance gives, as indices into ExtractorInfo::features, in the order of reports.
  virtual std::vector<size_t> outputs() const = 0;

  // Pure: depends on the window alone. Fewer than needs().history earlier frames are at hand at the start of a clip.
  // May throw; the exception's text then becomes the failure of this extractor at this frame.
  virtual void measure(const io::FrameWindow& window, Measurements& out) const = 0;
  // The kFrame features of one frame from its measurements: logarithms, quotients, powers. On the host, shared with the twin.
  virtual void conclude(const Measurements& measured, FrameFeatures& out) const = 0;
  // The kSeries and kAggregate features of a clip.
  virtual void finish(ClipSeries&) const {}
};

// The constant description of an extractor; one per name.
struct ExtractorInfo {
  std::string_view name;
  std::string_view summary;  // one sentence: what it measures
  std::string_view range;    // "0 .. 1, higher is better"
  std::string_view source;   // the published source
  std::span<const OptionSpec> options;
  std::span<const FeatureSpec> features;

  // Null, or checks what the table of options cannot say, before any clip is opened. The error names the option.
  Status (*check_options)(const Options&) = nullptr;
  // An instance for clips of this format, or the reason why there is none (size, format), naming the extractor and the limit.
  Result<std::unique_ptr<Extractor>> (*create)(const Options&, const ClipInfo&) = nullptr;
};

// Creates an instance of type E: the usual body of ExtractorInfo::create, behind its checks.
template <class E>
Result<std::unique_ptr<Extractor>> make_extractor(const Options& options, const ClipInfo& clip) {
  return std::unique_ptr<Extractor>(std::make_unique<E>(options, clip));
}

// The error of a clip that an extractor cannot score: "adm cannot score 16x16 4:2:0 8-bit: needs at least 17x17".
Error unsupported(const ExtractorInfo& info, const ClipInfo& clip, std::string_view reason);

}  // namespace vmafbatch::extractors
