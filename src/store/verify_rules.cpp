#include "store/verify_rules.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "store/database.h"
#include "store/raw_statement.h"
#include "store/records.h"

namespace vmafbatch::store {
namespace {

// Each gives rows of (scoring or NULL, sentence). {time}: a time of day as clock.h writes it; {imported}: the options of an imported
// scoring.
constexpr const char* kRules[] = {
    // run
    "SELECT NULL, 'run ' || id || ' has a begin or an end that is no time' FROM run r "
    "WHERE NOT started_at {time} OR NOT coalesce(ended_at, started_at) {time}",

    // scoring
    "SELECT id, 'its status is unknown (' || status || ')' FROM scoring WHERE status NOT IN ('running', 'done', 'partial', 'failed')",
    "SELECT id, 'its status is ' || status || ', but it ' || iif(finished IS NULL, 'did not end', 'ended') FROM scoring "
    "WHERE (finished IS NULL) <> (status = 'running')",
    "SELECT id, 'it has the number ' || finished || ' in the order in which scorings ended' FROM scoring WHERE finished < 1",
    "SELECT id, 'it ended, and its frames, seconds or the time of its end are not stored' FROM scoring WHERE finished IS NOT NULL AND "
    "(frames IS NULL OR identical_frames IS NULL OR decoded_reference IS NULL OR decoded_distorted IS NULL OR seconds IS NULL "
    "OR decode_seconds IS NULL OR ended_at IS NULL)",
    "SELECT id, 'its begin or its end is no time' FROM scoring WHERE NOT started_at {time} OR NOT coalesce(ended_at, started_at) {time}",
    "SELECT id, 'one of its numbers cannot be (sizes, frames, seconds, subsample, frame rate)' FROM scoring WHERE "
    "min(reference_size, distorted_size, width, height, coalesce(frames, 0), coalesce(identical_frames, 0), coalesce(decoded_reference, "
    "0), "
    "coalesce(decoded_distorted, 0), coalesce(seconds, 0), coalesce(decode_seconds, 0), subsample - 1) < 0 OR fps <= 0 "
    "OR max(coalesce(frames, 0), coalesce(identical_frames, 0), coalesce(decoded_reference, 0), coalesce(decoded_distorted, 0)) >= 1 << 53",
    "SELECT id, identical_frames || ' identical frames are more than it has' FROM scoring WHERE identical_frames > "
    "(frames + subsample - 1) / subsample",
    "SELECT id, 'it is done, and the size or format of its pictures is not stored' FROM scoring WHERE status = 'done' "
    "AND NOT options {imported} AND (width = 0 OR height = 0 OR pixel_format = '')",
    "SELECT id, 'the hash of a file is no hash' FROM scoring WHERE length(reference_hash) <> 37 OR length(distorted_hash) <> 37 "
    "OR NOT reference_hash GLOB 'xxh3:*' OR NOT distorted_hash GLOB 'xxh3:*'",

    // scoring_model
    "SELECT m.scoring, 'the model ' || m.name || ' is not among what computed it' FROM scoring_model m "
    "WHERE EXISTS (SELECT 1 FROM scoring_extractor e WHERE e.scoring = m.scoring) AND NOT EXISTS "
    "(SELECT 1 FROM scoring_extractor e WHERE e.scoring = m.scoring AND e.name = CAST(m.name AS TEXT) AND e.options LIKE 'model %')",
    "SELECT m.scoring, 'the hash of the model ' || m.name || ' is not stored' FROM scoring_model m WHERE m.hash = ''",

    // scoring_extractor
    "SELECT scoring, 'what computed it is not numbered 0, 1, 2 ...' FROM scoring_extractor GROUP BY scoring "
    "HAVING min(extractor) <> 0 OR max(extractor) <> count(*) - 1",
    "SELECT id, 'it is ' || status || ', and nothing says what was to compute it' FROM scoring s WHERE status IN ('done', 'partial') "
    "AND NOT EXISTS (SELECT 1 FROM scoring_extractor e WHERE e.scoring = s.id)",
    "SELECT e.scoring, 'it has no column of ' || e.name || ', and nothing says why' FROM scoring_extractor e WHERE NOT EXISTS "
    "(SELECT 1 FROM scoring_feature f WHERE f.scoring = e.scoring AND f.source IN (e.name, e.name || '=' || e.options)) AND NOT EXISTS "
    "(SELECT 1 FROM failure x WHERE x.scoring = e.scoring AND x.extractor = e.extractor)",
    "SELECT e.scoring, 'the file of the model ' || e.name || ' is not stored' FROM scoring_extractor e WHERE e.options LIKE 'model %' "
    "AND NOT EXISTS (SELECT 1 FROM scoring_model m WHERE m.scoring = e.scoring AND CAST(m.name AS TEXT) = e.name)",

    // scoring_feature and its values
    "SELECT f.scoring, 'the scope of ' || n.name || ' is unknown (' || f.scope || ')' FROM scoring_feature f JOIN feature n ON n.id = "
    "f.feature "
    "WHERE f.scope NOT IN ('frame', 'series', 'aggregate')",
    "SELECT f.scoring, 'what gives ' || n.name || ' (' || f.source || ') is not among what computed it' FROM scoring_feature f "
    "JOIN feature n ON n.id = f.feature WHERE NOT EXISTS (SELECT 1 FROM scoring_extractor e WHERE e.scoring = f.scoring "
    "AND f.source IN (e.name, e.name || '=' || e.options))",
    "SELECT scoring, count(*) || ' columns have the place ' || position FROM scoring_feature GROUP BY scoring, position HAVING count(*) > "
    "1",
    "SELECT f.scoring, n.name || ' is one value for the whole clip, and has values of frames' FROM scoring_feature f "
    "JOIN feature n ON n.id = f.feature WHERE f.scope = 'aggregate' AND (EXISTS (SELECT 1 FROM frame_score v WHERE v.scoring_feature = "
    "f.id) "
    "OR EXISTS (SELECT 1 FROM pooled_score p WHERE p.scoring_feature = f.id))",
    "SELECT f.scoring, n.name || ' has values of frames, and one for the whole clip' FROM aggregate_score a "
    "JOIN scoring_feature f ON f.id = a.scoring_feature JOIN feature n ON n.id = f.feature WHERE f.scope <> 'aggregate'",

    // measurement, frame_time
    "SELECT id, 'it ended, and what only an unfinished one needs is still there' FROM scoring s WHERE finished IS NOT NULL AND "
    "(EXISTS (SELECT 1 FROM measurement m WHERE m.scoring = s.id) OR EXISTS (SELECT 1 FROM frame_time t WHERE t.scoring = s.id))",
    "SELECT m.scoring, count(*) || ' measurements are of no extractor, or are cut' FROM scoring s CROSS JOIN measurement m "
    "ON m.scoring = s.id WHERE s.finished IS NULL AND (length(m.words) % 8 <> 0 OR m.frame < 0 OR m.extractor < -1 OR m.extractor >= "
    "(SELECT count(*) FROM scoring_extractor e WHERE e.scoring = s.id)) GROUP BY m.scoring",
    "SELECT t.scoring, 'presentation times of ' || count(*) || ' frames are of no pair of pictures' FROM frame_time t WHERE NOT EXISTS "
    "(SELECT 1 FROM measurement m WHERE m.scoring = t.scoring AND m.extractor = -1 AND m.frame = t.frame) GROUP BY t.scoring",

    // feature_backend
    "SELECT b.scoring, 'a backend is of extractor ' || b.extractor || ', which it does not have' FROM feature_backend b WHERE NOT EXISTS "
    "(SELECT 1 FROM scoring_extractor e WHERE e.scoring = b.scoring AND e.extractor = b.extractor AND e.options NOT LIKE 'model %') "
    "GROUP BY b.scoring, b.extractor",
    "SELECT b.scoring, 'the backend of ' || e.name || ' is unknown (' || b.backend || ')' FROM feature_backend b "
    "JOIN scoring s ON s.id = b.scoring JOIN scoring_extractor e ON e.scoring = b.scoring AND e.extractor = b.extractor "
    "WHERE iif(s.options {imported}, b.backend <> 'imported', b.backend NOT IN ('cpu', 'hip', 'hip-host')) OR b.implementation = '' "
    "GROUP BY b.scoring, b.extractor, b.backend",

    // failure, warning
    "SELECT x.scoring, 'a failure is of extractor ' || x.extractor || ', which it does not have' FROM failure x "
    "WHERE x.extractor IS NOT NULL AND NOT EXISTS "
    "(SELECT 1 FROM scoring_extractor e WHERE e.scoring = x.scoring AND e.extractor = x.extractor)",
    "SELECT scoring, 'a failure is at frame ' || frame FROM failure WHERE frame < 0",
    "SELECT scoring, 'a failure has no reason' FROM failure WHERE reason = ''",
    "SELECT scoring, 'a warning has no text' FROM warning WHERE text = ''",
};

std::string with_patterns(std::string_view rule) {
  std::string sql(rule);
  const auto replace = [&](std::string_view mark, const std::string& by) {
    for (size_t at = sql.find(mark); at != std::string::npos; at = sql.find(mark)) sql.replace(at, mark.size(), by);
  };
  replace("{time}", "GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z'");
  replace("{imported}", fmt::format("LIKE '{} %'", kImported));
  return sql;
}

struct SchemaColumn {
  std::string table, name, type;
  bool can_be_null;
};

// The columns whose types are checked here. Those without a declared type hold names and texts, but for the scores, which ScoringVerifier
// looks at.
std::vector<SchemaColumn> columns_of_schema(SQLite::Database& schema) {
  std::vector<SchemaColumn> columns;
  SQLite::Statement find(
      schema,
      "SELECT t.name, c.name, c.type, c.\"notnull\" = 0 AND c.pk = 0 FROM sqlite_master t JOIN pragma_table_info(t.name) c "
      "WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'frame_score' "
      "AND (t.name NOT IN ('aggregate_score', 'pooled_score') OR c.type <> '')");
  while (find.executeStep()) {
    columns.push_back(
        {find.getColumn(0).getString(), find.getColumn(1).getString(), find.getColumn(2).getString(), find.getColumn(3).getInt() != 0});
  }
  return columns;
}

std::string types_allowed(const SchemaColumn& column) {
  std::string types = column.type == "" ? "'text', 'blob'" : fmt::format("lower('{}')", column.type);
  if (column.can_be_null) types += ", 'null'";
  return types;
}

// One walk a table: count(*) FILTER of each column.
void check_types(SQLite::Database& database, SQLite::Database& schema, const TellProblem& tell) {
  const std::vector<SchemaColumn> columns = columns_of_schema(schema);
  for (size_t first = 0; first < columns.size();) {
    size_t end = first;
    std::string counts;
    for (; end < columns.size() && columns[end].table == columns[first].table; ++end) {
      counts += fmt::format("{}count(*) FILTER (WHERE typeof(\"{}\") NOT IN ({}))", end == first ? "" : ", ", columns[end].name,
                            types_allowed(columns[end]));
    }
    RawStatement check(database, fmt::format("SELECT {} FROM {}", counts, columns[first].table));
    check.step();
    for (size_t index = first; index < end; ++index) {
      const std::int64_t wrong = check.integer(static_cast<int>(index - first));
      if (wrong > 0) {
        tell(std::nullopt,
             fmt::format("{} rows of {} have a {} of another type than the schema says", wrong, columns[index].table, columns[index].name));
      }
    }
    first = end;
  }
}

}  // namespace

void check_structure(SQLite::Database& database, const TellProblem& tell) {
  SQLite::Database schema(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  create_schema(schema);
  SQLite::Statement names(schema, "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'index') AND sql IS NOT NULL");
  RawStatement find(database, "SELECT 1 FROM sqlite_master WHERE type = ? AND name = ?");
  while (names.executeStep()) {
    const std::string type = names.getColumn(0).getString();
    const std::string name = names.getColumn(1).getString();
    find.reset();
    find.bind(1, type);
    find.bind(2, name);
    if (!find.step()) tell(std::nullopt, fmt::format("its {} {} is not there", type, name));
  }
  check_types(database, schema, tell);
}

void check_rules(SQLite::Database& database, const TellProblem& tell) {
  for (const char* rule : kRules) {
    RawStatement check(database, with_patterns(rule));
    while (check.step()) {
      tell(check.is_null(0) ? std::nullopt : std::optional(check.integer(0)), line_text(check.bytes(1)));
    }
  }
}

}  // namespace vmafbatch::store
