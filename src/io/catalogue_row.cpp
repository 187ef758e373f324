#include "io/catalogue_row.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "base/utf8.h"

namespace vmafbatch::io {
namespace {

constexpr std::array<std::string_view, 28> kColumns = {"reference",
                                                       "distorted",
                                                       "name",
                                                       "width",
                                                       "height",
                                                       "pixel_format",
                                                       "bit_depth",
                                                       "fps",
                                                       "reference_width",
                                                       "reference_height",
                                                       "reference_pixel_format",
                                                       "reference_bit_depth",
                                                       "reference_fps",
                                                       "distorted_width",
                                                       "distorted_height",
                                                       "distorted_pixel_format",
                                                       "distorted_bit_depth",
                                                       "distorted_fps",
                                                       "skip_reference",
                                                       "skip_distorted",
                                                       "start",
                                                       "duration",
                                                       "frames",
                                                       "subsample",
                                                       "scale",
                                                       "sync",
                                                       "features",
                                                       "models"};
constexpr std::string_view kLabel = "label";
constexpr std::string_view kTagPrefix = "tag.";

// Reads typed values and keeps the first thing that is wrong.
class FieldReader {
 public:
  explicit FieldReader(const CatalogueFields& fields) : fields_(fields) {}

  std::optional<std::string> text(std::string_view column) const {
    for (const auto& [name, value] : fields_) {
      if (name == column && !value.empty()) return value;
    }
    return std::nullopt;
  }

  std::optional<std::int64_t> integer(std::string_view column, std::int64_t least, std::int64_t most) {
    const auto value = text(column);
    if (!value) return std::nullopt;
    const auto number = parse_integer(*value);
    if (!number || *number < least || *number > most) {
      fail(column, *value, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return number;
  }

  std::optional<double> time(std::string_view column) {
    const auto value = text(column);
    if (!value) return std::nullopt;
    const auto seconds = parse_time(*value);
    if (!seconds) fail(column, *value, "a time such as 12.5, 90s, 1.5m or HH:MM:SS.mmm");
    return seconds;
  }

  std::optional<std::pair<int, int>> rate(std::string_view column);

  void fail(std::string_view column, const std::string& value, const std::string& wanted) {
    if (error_.empty()) error_ = std::string(column) + " '" + quoted_text(value) + "' is not " + wanted;
  }
  const std::string& error() const { return error_; }

 private:
  const CatalogueFields& fields_;
  std::string error_;
};

// "25", "29.97", "30000/1001", "30000:1001".
std::optional<std::pair<int, int>> FieldReader::rate(std::string_view column) {
  const auto value = text(column);
  if (!value) return std::nullopt;
  constexpr std::int64_t kMost = 1'000'000;
  const size_t slash = value->find_first_of("/:");
  if (slash != std::string::npos) {
    const auto numerator = parse_integer(std::string_view(*value).substr(0, slash));
    const auto denominator = parse_integer(std::string_view(*value).substr(slash + 1));
    if (numerator && denominator && *numerator > 0 && *denominator > 0 && *numerator <= kMost && *denominator <= kMost) {
      return std::pair{static_cast<int>(*numerator), static_cast<int>(*denominator)};
    }
  } else if (const auto number = parse_decimal(*value); number && *number >= 0.001 && *number <= 1000) {
    constexpr int kThousandths = 1000;
    return std::pair{static_cast<int>(std::lround(*number * kThousandths)), kThousandths};
  }
  fail(column, *value, "a frame rate such as 25 or 30000/1001");
  return std::nullopt;
}

// Geometry of one side: its own columns before the common ones. Nothing where neither is given.
std::optional<RawGeometry> geometry(FieldReader& fields, const std::string& side) {
  constexpr std::int64_t kLargest = 65536;
  const auto own = [&](const std::string& column) { return fields.text(side + column) ? side + column : column; };
  const auto width = fields.integer(own("width"), 1, kLargest);
  const auto height = fields.integer(own("height"), 1, kLargest);
  const auto pixel_format = fields.text(own("pixel_format"));
  const auto depth = fields.integer(own("bit_depth"), 8, 16);
  const auto fps = fields.rate(own("fps"));
  if (!width && !height && !pixel_format && !depth) return std::nullopt;
  if (!width) fields.fail(own("width"), "", "given; raw video needs width and height");
  if (!height) fields.fail(own("height"), "", "given; raw video needs width and height");
  RawGeometry raw;
  raw.width = static_cast<int>(width.value_or(0));
  raw.height = static_cast<int>(height.value_or(0));
  if (pixel_format) raw.pixel_format = *pixel_format;
  if (depth) raw.bit_depth = static_cast<int>(*depth);
  if (fps) std::tie(raw.fps_numerator, raw.fps_denominator) = *fps;
  return raw;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view blanks = " \t";
    std::string_view item(text.data() + begin, end - begin);
    item.remove_prefix(std::min(item.find_first_not_of(blanks), item.size()));
    item.remove_suffix(item.size() - std::min(item.find_last_not_of(blanks) + 1, item.size()));
    if (!item.empty()) items.emplace_back(item);
    begin = end + 1;
  }
  return items;
}

std::string default_name(const std::filesystem::path& distorted, const std::filesystem::path& folder) {
  std::filesystem::path relative = distorted.lexically_normal();
  if (distorted.is_absolute()) {
    std::error_code ignored;
    const std::filesystem::path inside = relative.lexically_relative(std::filesystem::absolute(folder, ignored).lexically_normal());
    if (!inside.empty() && *inside.begin() != "..") relative = inside;
  }
  // so that a name is text for every client of the database
  return display_text(relative.replace_extension().native());
}

}  // namespace

std::string quoted_text(std::string_view bytes) {
  constexpr size_t kLongest = 80;
  std::string text;
  for (const char c : display_text(bytes.substr(0, kLongest))) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    text += control ? escaped_byte(c) : std::string(1, c);
  }
  return bytes.size() > kLongest ? text + "..." : text;
}

Status check_column(std::string_view column) {
  const bool tag = column.substr(0, kTagPrefix.size()) == kTagPrefix && column.size() > kTagPrefix.size();
  if (tag || column == kLabel || std::find(kColumns.begin(), kColumns.end(), column) != kColumns.end()) return {};
  std::string known;
  for (const std::string_view name : kColumns) known += std::string(name) + ", ";
  return Error{"column '" + quoted_text(column) + "' is unknown; the columns are " + known + std::string(kLabel) + ", tag.*"};
}

Result<CatalogueRow> make_catalogue_row(const CatalogueFields& fields, const std::filesystem::path& folder) {
  FieldReader reader(fields);
  const auto reference = reader.text("reference");
  const auto distorted = reader.text("distorted");
  if (!reference || !distorted) return Error{std::string(reference ? "distorted" : "reference") + " is empty"};
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLargestSubsample = 1'000'000;  // as on the command line
  CatalogueRow row;
  row.reference = (folder / *reference).native();
  row.distorted = (folder / *distorted).native();
  row.name = reader.text("name").value_or(default_name(*distorted, folder));
  row.reference_raw = geometry(reader, "reference_");
  row.distorted_raw = geometry(reader, "distorted_");
  row.skip_reference = reader.integer("skip_reference", 0, kMost).value_or(0);
  row.skip_distorted = reader.integer("skip_distorted", 0, kMost).value_or(0);
  row.start_s = reader.time("start");
  row.duration_s = reader.time("duration");
  row.frames = reader.integer("frames", 1, kMost);
  row.subsample = reader.integer("subsample", 1, kLargestSubsample);
  row.scale = reader.text("scale");
  row.sync = reader.text("sync");
  row.features = split_list(reader.text("features").value_or(""));
  row.models = split_list(reader.text("models").value_or(""));
  row.label = reader.text(kLabel);
  for (const auto& [column, value] : fields) {
    if (column.starts_with(kTagPrefix) && !value.empty()) row.tags.emplace_back(column.substr(kTagPrefix.size()), value);
  }
  if (!reader.error().empty()) return Error{reader.error()};
  return row;
}

}  // namespace vmafbatch::io
