#include "store/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "store/log_file.h"

namespace vmafbatch::store {
namespace {

// Internal names and aliases that libvmaf 3.2.0 has, by what is in front of and behind the feature's own name.
struct AliasFamily {
  std::string_view before, after;
  std::string_view alias_before;
  std::string_view features;  // each with blanks around it
};
constexpr std::array<AliasFamily, 5> kAliases = {{
    {"VMAF_integer_feature_", "_score", "integer_", " adm2 aim adm3 motion motion2 motion3 vif_scale0 vif_scale1 vif_scale2 vif_scale3 "},
    {"VMAF_feature_", "_score", "",
     " adm2 aim adm3 adm_scale0 adm_scale1 adm_scale2 adm_scale3 motion motion2 motion3 vif_scale0 vif_scale1 vif_scale2 vif_scale3 "},
    {"Cambi_feature_", "_score", "", " cambi "},
    {"Speed_chroma_feature_", "_score", "", " speed_chroma_u speed_chroma_v speed_chroma_uv "},
    {"Speed_temporal_feature_", "_score", "", " speed_temporal "},
}};

// The columns' names become keys. Error: a rename that fits nothing, or two columns with one key.
Status name_columns(ScoreLog& log, const ImportOptions& options) {
  std::set<std::string> used;
  std::set<std::string> keys;
  const auto rename = [&](std::string& name) -> Status {
    const auto place = options.renames.find(name);
    if (place != options.renames.end()) used.insert(name);
    const std::string key = place != options.renames.end() ? place->second : key_of_log_name(name);
    if (!keys.insert(key).second)
      return Error{fmt::format("two features get the key \"{}\"; rename one (--rename OLD=NEW)", display_text(key))};
    name = key;
    return {};
  };
  for (LogColumn& column : log.columns) {
    if (Status status = rename(column.name); !status.ok()) return status;
  }
  for (LogAggregate& aggregate : log.aggregates) {
    if (Status status = rename(aggregate.name); !status.ok()) return status;
  }
  for (const auto& [name, key] : options.renames) {
    if (!used.contains(name)) return Error{fmt::format("there is no feature \"{}\" to rename", display_text(name))};
  }
  return {};
}

ScoringRecord record_of(const ScoreLog& log, const std::string& hash, const std::string& clip, const ImportOptions& options) {
  ScoringRecord record;
  record.clip = clip;
  record.label = options.label;
  record.options = fmt::format("{} format={} log={}", kImported, log.format, hash);
  for (const auto& [name, key] : options.renames) record.options += fmt::format(" rename={}={}", name, key);
  record.width = log.width;
  record.height = log.height;
  record.program_version = log.version.empty() ? "unknown" : log.version;
  return record;
}

std::vector<ColumnSpec> columns_of_log(const ScoreLog& log) {
  std::vector<ColumnSpec> columns;
  for (const LogColumn& column : log.columns) columns.push_back({column.name, ColumnScope::kFrame, kImported, 0});
  for (const LogAggregate& aggregate : log.aggregates) columns.push_back({aggregate.name, ColumnScope::kAggregate, kImported, 0});
  for (std::size_t index = 0; index < columns.size(); ++index) columns[index].position = static_cast<int>(index);
  return columns;
}

Status warn(const LogColumn& column, ScoringId id, Writer& writer) {
  const std::string name = display_text(column.name);
  if (column.nulls > 0) {
    if (Status s = writer.add_warning(id, fmt::format("{}: {} values are null in the log and stored as inf", name, column.nulls)); !s.ok())
      return s;
  }
  return column.nans == 0 ? Status()
                          : writer.add_warning(id, fmt::format("{}: {} values are nan in the log and left out", name, column.nans));
}

Status store_aggregate(const LogAggregate& aggregate, ScoringId id, int index, Writer& writer) {
  const std::string name = display_text(aggregate.name);
  if (!aggregate.value) return writer.add_warning(id, name + ": the value of the whole clip is nan in the log and left out");
  if (Status status = writer.add_aggregate(id, index, *aggregate.value); !status.ok() || !aggregate.was_null) return status;
  return writer.add_warning(id, name + ": the value of the whole clip is null in the log and stored as inf");
}

Status store_columns(const ScoreLog& log, ScoringId id, Writer& writer) {
  int index = 0;
  for (const LogColumn& column : log.columns) {
    for (const auto& [frame, value] : column.values) {
      if (Status status = writer.add_value(id, index, frame, value); !status.ok()) return status;
    }
    if (Status status = warn(column, id, writer); !status.ok()) return status;
    ++index;
  }
  for (const LogAggregate& aggregate : log.aggregates) {
    if (Status status = store_aggregate(aggregate, id, index, writer); !status.ok()) return status;
    ++index;
  }
  return {};
}

Status store_values(const PreparedLog& prepared, ScoringId id, Writer& writer) {
  const ScoreLog& log = prepared.log;
  if (Status status = store_columns(log, id, writer); !status.ok()) return status;
  if (log.frames > 0) {
    const BackendRecord backend{
        prepared.record.program_version, kImported, "", "read from " + display_text(prepared.path), 0, log.frames - 1};
    if (Status status = writer.add_backend(id, 0, backend); !status.ok()) return status;
  }
  ScoringEnd end;
  end.frames = log.frames;
  end.subsample = static_cast<int>(log.subsample);
  return writer.finish_scoring(id, end);
}

}  // namespace

std::string key_of_log_name(std::string_view name) {
  for (const AliasFamily& family : kAliases) {
    if (!name.starts_with(family.before) || !name.ends_with(family.after)) continue;
    if (name.size() < family.before.size() + family.after.size()) continue;
    const std::string_view feature = name.substr(family.before.size(), name.size() - family.before.size() - family.after.size());
    if (family.features.find(fmt::format(" {} ", feature)) != std::string_view::npos)
      return fmt::format("{}{}", family.alias_before, feature);
  }
  return std::string(name);
}

Result<PreparedLog> prepare_log(const std::string& path, const ImportOptions& options) {
  auto file = read_log(path);
  if (!file.ok()) return file.error();
  if (Status status = name_columns(file->log, options); !status.ok()) return Error{display_text(path) + ": " + status.error().message};
  const std::string clip = options.clip.value_or(std::filesystem::path(path).stem().string());
  ScoringRecord record = record_of(file->log, file->hash, clip, options);
  return PreparedLog{path, std::move(file->log), std::move(record)};
}

Result<bool> store_prepared_log(const PreparedLog& prepared, Writer& writer) {
  const auto told = [&](const Error& error) { return Error{display_text(prepared.path) + ": " + error.message}; };
  const std::vector<ExtractorSpec> extractors = {{kImported, ""}};
  const auto begun = writer.begin_scoring(prepared.record, columns_of_log(prepared.log), extractors);
  if (!begun.ok()) return told(begun.error());
  if (begun->kind == BeginOutcome::Kind::kKept) return false;
  if (Status status = store_values(prepared, begun->id, writer); !status.ok()) return told(status.error());
  return true;
}

}  // namespace vmafbatch::store
