#include "store/merge_input.h"

#include <fmt/format.h>

#include "store/database.h"

namespace vmafbatch::store {
namespace {

constexpr int kFirstFrameColumn = 6;
constexpr int kFrameColumns = 4;

std::string scorings_sql(bool finished) {
  return fmt::format(
      "SELECT s.id, s.run, c.name, s.label, s.status, coalesce(s.ended_at, ''), s.frames, s.identical_frames, s.decoded_reference, "
      "s.decoded_distorted FROM scoring s LEFT JOIN clip c ON c.id = s.clip "
      "WHERE s.finished IS {} ORDER BY s.finished, s.id",
      finished ? "NOT NULL" : "NULL");
}

}  // namespace

MergeInput::MergeInput(std::unique_ptr<UntrustedDatabase> source, std::optional<std::string> label)
    : source_(std::move(source)), label_(std::move(label)), identities_(source_->database()) {
  scorings_.emplace(database(), scorings_sql(true));
}

Result<std::unique_ptr<MergeInput>> MergeInput::open(const std::string& path, const std::optional<std::string>& label) {
  auto source = UntrustedDatabase::open(path);
  if (!source.ok()) return source.error();
  try {
    (*source)->database().exec("BEGIN");
    return std::make_unique<MergeInput>(std::move(*source), label);
  } catch (const SQLite::Exception& exception) {
    return untrusted_error(path, exception);
  }
}

void MergeInput::start_unfinished() { scorings_.emplace(database(), scorings_sql(false)); }

bool MergeInput::next() {
  row_read();
  if (!scorings_->step()) return false;
  scoring_.id = scorings_->integer(0);
  scoring_.run = scorings_->integer(1);
  scoring_.clip = scorings_->bytes(2);
  scoring_.label = label_ ? *label_ : scorings_->bytes(3);
  scoring_.status = scorings_->bytes(4);
  scoring_.ended_at = scorings_->bytes(5);
  // Damage is not copied.
  for (int column = 0; column < kFrameColumns; ++column) column_frames(*scorings_, kFirstFrameColumn + column);
  identity_ = identities_.read(scoring_.id);
  return true;
}

std::int64_t count_values(SQLite::Database& database, std::int64_t scoring) {
  SQLite::Statement find(database,
                         "SELECT count(*) FROM scoring_feature sf JOIN frame_score v ON v.scoring_feature = sf.id WHERE sf.scoring = ?");
  find.bind(1, scoring);
  find.executeStep();
  return find.getColumn(0).getInt64();
}

}  // namespace vmafbatch::store
