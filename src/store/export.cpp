#include "store/export.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <ostream>
#include <set>

#include "base/kept_files.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "base/whole_file.h"
#include "store/database.h"
#include "store/export_source.h"
#include "store/newest_scoring.h"
#include "store/text.h"

namespace vmafbatch::store {
namespace {

// "%.<digits>f" in the C locale.
std::string format_fixed(double value, int digits) {
  if (!std::isfinite(value)) return format_double(value);
  // The largest double has 309 digits before the point.
  std::string text(static_cast<size_t>(320 + digits), '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, digits).ptr;
  text.resize(static_cast<size_t>(end - text.data()));
  return text;
}

// Writes one scoring in one layout. Each layout is a class of its own, byte for byte as libvmaf writes it.
class Layout {
 public:
  Layout(ExportSource& source, Precision precision, std::ostream& out) : source_(source), precision_(precision), out_(out) {}
  virtual ~Layout() = default;
  virtual void write() = 0;

 protected:
  std::string number(double value) const { return format_score(value, precision_); }
  std::string fps() const { return format_fixed(source_.scoring().frames_per_second, 2); }

  ExportSource& source_;
  const Precision precision_;
  std::ostream& out_;
};

// -- JSON ---------------------------------------------------------------------------------------------------------------------------

class JsonLayout : public Layout {
 public:
  using Layout::Layout;

  void write() override {
    for (const ExportColumn& column : source_.columns()) names_.push_back(json_string(column.name));
    out_ << "{\n  \"version\": " << json_string(source_.scoring().version)
         << ",\n  \"fps\": " << (std::isfinite(source_.scoring().frames_per_second) ? fps() : "null") << ",\n  \"frames\": [";
    write_frames();
    write_pooled();
    write_aggregates();
    write_backends();
    out_ << "\n}\n";
  }

 private:
  std::string json(double value) const { return std::isfinite(value) ? number(value) : "null"; }

  void write_frames() {
    const char* separator = "\n";
    while (const auto row = source_.next_row()) {
      out_ << separator << "    {\n      \"frameNum\": " << row->frame << ",\n      \"metrics\": {\n";
      separator = ",\n";
      for (size_t index = 0; index < row->values.size(); ++index) write_metric(row->values[index], index + 1 == row->values.size());
      out_ << "      }\n    }";
    }
    out_ << "\n  ],\n";
  }

  // libvmaf writes no line end after a null, and readers compare whole files.
  void write_metric(const std::pair<size_t, double>& value, bool last) {
    const bool finite = std::isfinite(value.second);
    out_ << "        " << names_[value.first] << ": " << json(value.second) << (last ? "" : ",") << (finite ? "\n" : "");
  }

  void write_pooled() {
    out_ << "  \"pooled_metrics\": {";
    const auto& columns = source_.columns();
    for (size_t index = 0; index < columns.size(); ++index) {
      out_ << (index == 0 ? "\n" : ",\n") << "    " << names_[index] << ": {";
      if (const auto pooled = source_.pooled(columns[index])) {
        out_ << fmt::format("\n      \"min\": {},\n      \"max\": {},\n      \"mean\": {},\n      \"harmonic_mean\": {}", json(pooled->min),
                            json(pooled->max), json(pooled->mean), json(pooled->harmonic_mean));
      }
      out_ << "\n    }";
    }
    out_ << "\n  },\n";
  }

  void write_aggregates() {
    out_ << "  \"aggregate_metrics\": {";
    const char* separator = "\n";
    for (const auto& [name, value] : source_.aggregates()) {
      out_ << separator << "    " << json_string(name) << ": " << json(value);
      separator = ",\n";
    }
    out_ << "\n  }";
  }

  void write_backends() {
    out_ << ",\n  \"feature_backends\": [";
    std::string used = "cpu";
    const char* separator = "";
    for (const auto& [implementation, backend] : source_.backends()) {
      out_ << separator << fmt::format("{{\"extractor\": {}, \"backend\": {}}}", json_string(implementation), json_string(backend));
      separator = ", ";
      if (used == "cpu") used = backend;
    }
    out_ << "],\n  \"backend_used\": " << json_string(used);
  }

  std::vector<std::string> names_;  // of the columns, as JSON strings
};

// -- XML ----------------------------------------------------------------------------------------------------------------------------

// Attribute names, each once: names that become equal as XML names get _2, _3 ...
class XmlNames {
 public:
  std::string operator()(const std::string& name) {
    const std::string base = xml_name(name);
    std::string unique = base;
    for (int number = 2; !used_.insert(unique).second; ++number) unique = fmt::format("{}_{}", base, number);
    return unique;
  }

 private:
  std::set<std::string> used_;
};

class XmlLayout : public Layout {
 public:
  using Layout::Layout;

  void write() override {
    const ExportScoring& scoring = source_.scoring();
    out_ << fmt::format("<VMAF version=\"{}\">\n  <params qualityWidth=\"{}\" qualityHeight=\"{}\" />\n  <fyi fps=\"{}\" />\n  <frames>\n",
                        xml_escape(scoring.version), scoring.width, scoring.height, fps());
    write_frames();
    out_ << "  </frames>\n  <pooled_metrics>\n";
    for (const ExportColumn& column : source_.columns()) write_pooled(column);
    out_ << "  </pooled_metrics>\n  <aggregate_metrics ";
    XmlNames aggregate_names;
    for (const auto& [name, value] : source_.aggregates()) out_ << fmt::format("{}=\"{}\" ", aggregate_names(name), number(value));
    out_ << "/>\n</VMAF>\n";
  }

 private:
  void write_frames() {
    XmlNames unique;
    unique("frameNum");
    std::vector<std::string> names;
    for (const ExportColumn& column : source_.columns()) names.push_back(unique(column.name));
    while (const auto row = source_.next_row()) {
      out_ << fmt::format("    <frame frameNum=\"{}\" ", row->frame);
      for (const auto& [column, value] : row->values) out_ << fmt::format("{}=\"{}\" ", names[column], number(value));
      out_ << "/>\n";
    }
  }

  void write_pooled(const ExportColumn& column) {
    out_ << fmt::format("    <metric name=\"{}\" ", xml_escape(column.name));
    if (const auto pooled = source_.pooled(column)) {
      out_ << fmt::format("min=\"{}\" max=\"{}\" mean=\"{}\" harmonic_mean=\"{}\" ", number(pooled->min), number(pooled->max),
                          number(pooled->mean), number(pooled->harmonic_mean));
    }
    out_ << "/>\n";
  }
};

// -- CSV and subtitle ---------------------------------------------------------------------------------------------------------------

class CsvLayout : public Layout {
 public:
  using Layout::Layout;

  void write() override {
    out_ << "Frame,";
    for (const ExportColumn& column : source_.columns()) out_ << csv_field(column.name) << ',';
    out_ << '\n';
    while (const auto row = source_.next_row()) {
      out_ << row->frame << ',';
      size_t column = 0;
      for (const auto& [index, value] : row->values) {
        // libvmaf leaves a missing value out, which moves the others to the left; an empty field keeps them in place.
        for (; column < index; ++column) out_ << ',';
        out_ << number(value) << ',';
        ++column;
      }
      for (; column < source_.columns().size(); ++column) out_ << ',';
      out_ << '\n';
    }
  }
};

class SubLayout : public Layout {
 public:
  using Layout::Layout;

  void write() override {
    while (const auto row = source_.next_row()) {
      out_ << fmt::format("{{{}}}{{{}}}frame: {}|", row->frame, row->frame + 1, row->frame);
      for (const auto& [column, value] : row->values) out_ << one_line(source_.columns()[column].name) << ": " << number(value) << '|';
      out_ << '\n';
    }
  }

 private:
  // A line end or a bar in a name would be one of the format's own.
  static std::string one_line(const std::string& name) {
    std::string line = display_text(name);
    for (char& c : line) {
      if (c == '\n' || c == '\r' || c == '|') c = ' ';
    }
    return line;
  }
};

std::unique_ptr<Layout> make_layout(ExportSource& source, const ExportOptions& options, std::ostream& out) {
  switch (options.format) {
    case ReportFormat::kJson: return std::make_unique<JsonLayout>(source, options.precision, out);
    case ReportFormat::kXml: return std::make_unique<XmlLayout>(source, options.precision, out);
    case ReportFormat::kCsv: return std::make_unique<CsvLayout>(source, options.precision, out);
    case ReportFormat::kSub: break;
  }
  return std::make_unique<SubLayout>(source, options.precision, out);
}

// -- Which scoring ------------------------------------------------------------------------------------------------------------------

Result<ExportScoring> find_scoring(SQLite::Database& database, const std::string& clip, const std::optional<std::string>& label) {
  const auto newest = newest_ended(database, clip, label);
  if (!newest.ok()) return newest.error();
  SQLite::Statement find(database,
                         "SELECT id, program_version, width, height, frames, seconds, subsample, status FROM scoring WHERE id = ?");
  find.bind(1, *newest);
  find.executeStep();
  if (column_bytes(find, 7) == "failed") {
    return Error{
        fmt::format("the clip \"{}\" failed, so there is nothing to export; `vmafbatch query` with SELECT * FROM failures says why",
                    display_text(clip))};
  }
  ExportScoring scoring;
  scoring.id = find.getColumn(0).getInt64();
  scoring.version = column_bytes(find, 1);
  scoring.width = find.getColumn(2).getInt();
  scoring.height = find.getColumn(3).getInt();
  const std::int64_t frames = column_frames(find, 4).value_or(0);
  const double seconds = find.getColumn(5).getDouble();
  const std::int64_t subsample = std::max<std::int64_t>(1, find.getColumn(6).getInt64());
  scoring.frames_per_second = seconds > 0 ? static_cast<double>(frames) / seconds : std::numeric_limits<double>::infinity();
  scoring.reported_frames = frames / subsample + (frames % subsample == 0 ? 0 : 1);
  return scoring;
}

Error cannot_write(const std::string& path) {
  return Error{fmt::format("{}: cannot be written ({}); check its folder and the room there", display_text(path), std::strerror(errno))};
}

}  // namespace

std::optional<Precision> parse_precision(std::string_view text) {
  if (text == "max" || text == "full") return Precision{};
  if (text == "legacy") return Precision{.legacy = true};
  const auto digits = parse_integer(text);
  if (!digits || *digits < 1 || *digits > 17) return std::nullopt;
  return Precision{.digits = static_cast<int>(*digits)};
}

std::string format_score(double value, Precision precision) {
  return precision.legacy ? format_fixed(value, 6) : format_general(value, precision.digits);
}

Status export_clip(const std::string& database, const std::string& clip, const ExportOptions& options, std::ostream& out) {
  auto opened = open_read_only(database);
  if (!opened.ok()) return opened.error();
  try {
    // One state of the database for all statements, also while somebody writes.
    SQLite::Transaction snapshot(**opened);
    auto scoring = find_scoring(**opened, clip, options.label);
    if (!scoring.ok()) return Error{display_text(database) + ": " + scoring.error().message};
    ExportSource source(**opened, std::move(*scoring));
    make_layout(source, options, out)->write();
  } catch (const SQLite::Exception& exception) {
    return database_error(database, exception);
  }
  out.flush();
  if (!out) return Error{"the output cannot be written; check its place and the room there"};
  return {};
}

Status export_clip_to_file(const std::string& database, const std::string& clip, const ExportOptions& options, const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type != std::filesystem::file_type::regular && type != std::filesystem::file_type::not_found) {
    std::ofstream device(path, std::ios::binary);  // /dev/stdout and pipes cannot be renamed over
    return device ? export_clip(database, clip, options, device) : Status(cannot_write(path));
  }
  if (is_database_file(path)) return Error{fmt::format("{}: this is a database; name another file for the report", display_text(path))};
  auto file = WholeFile::create(resolved_path(path));
  if (!file.ok()) return file.error();
  std::ostream& stream = (*file)->stream();
  const Status made = export_clip(database, clip, options, stream);
  return made.ok() || !stream ? (*file)->commit() : made;  // which says why it cannot be written
}

}  // namespace vmafbatch::store
