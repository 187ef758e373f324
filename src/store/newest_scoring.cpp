#include "store/newest_scoring.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "store/database.h"

namespace vmafbatch::store {

std::string newest_ended_sql(std::string_view condition) {
  return fmt::format("(SELECT n.id FROM scoring n WHERE {} AND n.finished IS NOT NULL ORDER BY n.finished DESC LIMIT 1)", condition);
}

std::string newest_open_sql(std::string_view condition) {
  return fmt::format("(SELECT max(n.id) FROM scoring n WHERE {} AND n.finished IS NULL)", condition);
}

Result<std::int64_t> newest_ended(SQLite::Database& database, const std::string& clip, const std::optional<std::string>& label) {
  SQLite::Statement find(
      database, "SELECT " + newest_ended_sql("n.clip = (SELECT c.id FROM clip c WHERE c.name = ?1) AND (?2 IS NULL OR n.label = ?2)"));
  bind_bytes(find, 1, clip);
  if (label) bind_bytes(find, 2, *label);
  if (find.executeStep() && !find.isColumnNull(0)) return find.getColumn(0).getInt64();
  return Error{fmt::format("there is no finished scoring of a clip \"{}\"{}; `vmafbatch query` lists the clips", display_text(clip),
                           label ? fmt::format(" under the label \"{}\"", display_text(*label)) : "")};
}

}  // namespace vmafbatch::store
