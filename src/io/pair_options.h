// What of a scoring's options says how its two files are opened and paired, as the one canonical text that a database keeps, and read
// back from there when the same pictures are wanted again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "io/group_reader.h"
#include "io/raw_geometry.h"
#include "io/scaler.h"
#include "io/sync.h"

namespace vmafbatch::io {

struct PairOptions {
  std::int64_t skip_reference = 0;
  std::int64_t skip_distorted = 0;
  std::optional<std::int64_t> frames;
  std::optional<double> start_s;
  std::optional<double> duration_s;
  Sync sync = Sync::kFrame;
  std::optional<RawGeometry> reference_raw;
  std::optional<RawGeometry> distorted_raw;
  Scaler scaler = Scaler::kBicubic;
  bool convert = false;
  bool strict_length = false;

  bool operator==(const PairOptions&) const = default;
};

// "skip_reference=3 start=1.5 scale=bicubic": what is not the default, in one order; scale always stands there.
std::string pair_options_text(const PairOptions& options);

// Reads the part that pair_options_text() wrote out of a scoring's whole text, where other options stand before it (features, subsample)
// and behind it (auto_align, align_search). Error: the text is not of this program, or of a newer one.
Result<PairOptions> parse_pair_options(std::string_view scoring_options);

// What is said of the pictures of a clip that was aligned before it was scored: "aligned by skip_reference 3 and skip_distorted 0". Names
// what changed: REQUIRES at least one of the two.
std::string alignment_note(std::optional<std::int64_t> skip_reference, std::optional<std::int64_t> skip_distorted);

// Sets the skips that such a note names, where `pictures` ends in one. Error: a note that cannot be read.
Status apply_alignment_note(std::string_view pictures, PairOptions& options);

// The order for a reader of this one pair.
GroupSpec pair_spec(const std::string& reference, const std::string& distorted, const PairOptions& options);

}  // namespace vmafbatch::io
