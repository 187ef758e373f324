#include "io/catalogue.h"

#include <csv.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/named_file.h"
#include "base/number_text.h"
#include "io/catalogue_row.h"

namespace vmafbatch::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Collects rows; every error names the file and the line.
class RowCollector {
 public:
  explicit RowCollector(const std::string& path) : path_(path), folder_(std::filesystem::path(path).parent_path()) {}

  void add(const CatalogueFields& fields, std::int64_t line) {
    if (failed()) return;
    for (const auto& [column, value] : fields) {
      // The system would end a path there, and open another file.
      if (value.find('\0') != std::string::npos) return fail(line, column + " holds a zero byte; take it out");
    }
    Result<CatalogueRow> row = make_catalogue_row(fields, folder_);
    if (!row) return fail(line, row.error().message);
    row->line = line;
    const auto [earlier, is_new] = lines_by_name_.emplace(row->name, line);
    if (!is_new) {
      return fail(line, "the name '" + quoted_text(row->name) + "' is taken by line " + std::to_string(earlier->second) +
                            "; give one of them another name");
    }
    rows_.push_back(std::move(*row));
  }

  void fail(std::int64_t line, const std::string& why) {
    if (error_.empty()) error_ = path_ + ": line " + std::to_string(line) + ": " + why;
  }
  bool failed() const { return !error_.empty(); }

  Result<std::vector<CatalogueRow>> take() {
    if (failed()) return Error{error_};
    if (rows_.empty()) return Error{path_ + ": holds no pair"};
    return std::move(rows_);
  }

 private:
  const std::string& path_;
  std::filesystem::path folder_;
  std::vector<CatalogueRow> rows_;
  std::unordered_map<std::string, std::int64_t> lines_by_name_;
  std::string error_;
};

Status check_header(const std::vector<std::string>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) {
    if (Status ok = check_column(columns[i]); !ok) return ok;
    if (std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(i), columns[i]) !=
        columns.begin() + static_cast<std::ptrdiff_t>(i)) {
      return Error{"column '" + quoted_text(columns[i]) + "' is there twice"};
    }
  }
  for (const char* required : {"reference", "distorted"}) {
    if (std::find(columns.begin(), columns.end(), required) == columns.end())
      return Error{std::string("the column '") + required + "' is missing"};
  }
  return {};
}

// libcsv's callbacks: fields, then the end of a line.
class CsvReader {
 public:
  explicit CsvReader(RowCollector& rows) : rows_(rows) {}

  void read(std::string_view text) {
    csv_parser parser;
    // Strict: a stray quote is an error. Every line end is reported, so that lines can be counted.
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) return rows_.fail(1, "out of memory");
    const auto field = [](void* data, size_t size, void* self) {
      static_cast<CsvReader*>(self)->on_field({static_cast<const char*>(data), size});
    };
    const auto end = [](int character, void* self) { static_cast<CsvReader*>(self)->on_line_end(character); };
    const bool whole =
        csv_parse(&parser, text.data(), text.size(), field, end, this) == text.size() && csv_fini(&parser, field, end, this) == 0;
    if (!whole) rows_.fail(line_, "a quoted field is not closed, or a quote stands inside an unquoted one; write \"a \"\"b\"\" c\"");
    csv_free(&parser);
    if (header_.empty()) rows_.fail(1, "there is no header line");
  }

 private:
  void on_field(std::string_view text) {
    lines_inside_ += std::count(text.begin(), text.end(), '\n');
    fields_.emplace_back(text);
  }

  // CRLF comes as two ends, the second without fields.
  void on_line_end(int character) {
    const bool blank = fields_.empty() || (fields_.size() == 1 && fields_[0].empty());
    if (!blank) on_row();
    fields_.clear();
    line_ += lines_inside_ + (character == '\n' ? 1 : 0);
    lines_inside_ = 0;
  }

  void on_row() {
    if (rows_.failed()) return;
    if (header_.empty()) {
      header_ = fields_;
      if (const Status ok = check_header(header_); !ok) rows_.fail(line_, ok.error().message);
      return;
    }
    if (fields_.size() != header_.size()) {
      return rows_.fail(line_, "has " + std::to_string(fields_.size()) + " fields, the header has " + std::to_string(header_.size()));
    }
    CatalogueFields named;
    for (size_t i = 0; i < fields_.size(); ++i) named.emplace_back(header_[i], std::move(fields_[i]));
    rows_.add(named, line_);
  }

  RowCollector& rows_;
  std::vector<std::string> header_;
  std::vector<std::string> fields_;
  std::int64_t line_ = 1;
  std::int64_t lines_inside_ = 0;  // line breaks in the quoted fields of this row
};

// A JSON value as the text that a CSV field would hold; lists are joined by ';'.
std::optional<std::string> json_text(const nlohmann::json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  if (!value.is_array()) return std::nullopt;
  std::string joined;
  for (const auto& item : value) {
    const auto text = item.is_array() ? std::nullopt : json_text(item);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : ";") + *text;
  }
  return joined;
}

void read_json_line(std::string_view text, std::int64_t line, RowCollector& rows) {
  const auto object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return rows.fail(line, "is no JSON object in UTF-8; one object a line is wanted");
  CatalogueFields fields;
  for (const auto& [column, value] : object.items()) {
    if (const Status ok = check_column(column); !ok) return rows.fail(line, ok.error().message);
    const auto field = json_text(value);
    if (!field) return rows.fail(line, "the value of '" + column + "' is no text, number or list of them");
    fields.emplace_back(column, *field);
  }
  rows.add(fields, line);
}

void read_json_lines(std::string_view text, RowCollector& rows) {
  std::int64_t line = 1;
  for (size_t begin = 0; begin < text.size() && !rows.failed(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view content = text.substr(begin, end - begin);
    if (content.find_first_not_of(" \t\r") != std::string_view::npos) read_json_line(content, line, rows);
    begin = end + 1;
  }
}

}  // namespace

Result<std::vector<CatalogueRow>> read_catalogue(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return Error{path + ": is a folder, not a catalogue; --reference-dir and --distorted-dir score two folders"};
  }
  if (Status status = refuse_special(path); !status.ok()) return status.error();
  std::ifstream file(path, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) return Error{path + ": cannot be read: " + std::strerror(errno)};
  if (const size_t zero = content.find('\0'); zero != std::string::npos) {
    return Error{path + ": is no text in UTF-8 (byte " + std::to_string(zero) + " is zero); a catalogue is CSV or JSON lines"};
  }
  std::string_view text = content;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  RowCollector rows(path);
  if (path.ends_with(".jsonl") || path.ends_with(".ndjson") || text.starts_with('{')) {
    read_json_lines(text, rows);
  } else {
    CsvReader(rows).read(text);
  }
  return rows.take();
}

std::optional<double> parse_time(std::string_view text) {
  if (text.find(':') == std::string_view::npos) return parse_seconds(text);
  double seconds = 0;
  int parts = 0;
  while (true) {
    const size_t colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    const bool last = colon == std::string_view::npos;
    // Digits, and a fraction in the last part alone: no sign, exponent, inf or nan.
    if (part.empty() || part.find_first_not_of(last ? "0123456789." : "0123456789") != std::string_view::npos) return std::nullopt;
    const auto number = parse_double(part);
    if (!number || (parts > 0 && *number >= 60)) return std::nullopt;
    seconds = seconds * 60 + *number;
    if (last) return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
    if (++parts > 2) return std::nullopt;
    text.remove_prefix(colon + 1);
  }
}

std::string group_key(const CatalogueRow& row) {
  std::string key;
  // The length in front makes the key of one list of parts differ from that of every other.
  const auto add = [&key](const std::string& part) { key += std::to_string(part.size()) + ":" + part; };
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
  const auto exact = [](const std::optional<double>& value) { return value ? format_double(*value) : std::string("-"); };
  add(row.reference);
  if (const auto& raw = row.reference_raw) {
    add(std::to_string(raw->width) + "x" + std::to_string(raw->height) + "@" + std::to_string(raw->fps_numerator) + "/" +
        std::to_string(raw->fps_denominator) + " " + number(raw->bit_depth));
    add(raw->pixel_format);
  }
  add(std::to_string(row.skip_reference));
  for (const auto& time : {row.start_s, row.duration_s}) add(exact(time));
  for (const auto& count : {row.frames, row.subsample}) add(number(count));
  for (const auto& text : {row.scale, row.sync}) add(text.value_or("-"));
  return key;
}

}  // namespace vmafbatch::io
