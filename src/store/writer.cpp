#include "store/writer.h"

#include "store/clock.h"
#include "store/writer_impl.h"

namespace vmafbatch::store {

Writer::Writer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Writer::~Writer() { [[maybe_unused]] const Status status = close(); }

const std::vector<std::string>& Writer::notes() const { return impl_->notes; }

bool Writer::has_failed() const { return impl_->failed.has_value(); }

// -- Runs and transactions ----------------------------------------------------------------------------------------------------------

Status Writer::begin_run(const RunRecord& run) {
  return impl_->guard([&]() -> Status {
    impl_->begin_run(run);
    return {};
  });
}

Status Writer::end_run() {
  return impl_->guard([&]() -> Status {
    impl_->end_run();
    return {};
  });
}

Status Writer::commit() {
  return impl_->guard([&]() -> Status {
    impl_->commit();
    return {};
  });
}

Status Writer::close() {
  if (impl_->closed) return {};
  impl_->closing = true;
  Status committed = commit();
  try {
    impl_->close();
  } catch (const SQLite::Exception& exception) {
    impl_->failed = impl_->failed ? impl_->failed : impl_->error_of(exception);
    impl_->release();
    return *impl_->failed;
  }
  return committed;
}

void Writer::Impl::ensure_transaction() {
  if (!transaction_) transaction_.emplace(*database_, SQLite::TransactionBehavior::IMMEDIATE);
}

SQLite::Statement& Writer::Impl::statement(const char* sql) {
  auto [place, added] = statements_.try_emplace(sql, *database_, sql);
  if (!added) {
    place->second.reset();
    place->second.clearBindings();
  }
  return place->second;
}

void Writer::Impl::begin_run(const RunRecord& run) {
  ensure_transaction();
  SQLite::Statement& insert =
      statement("INSERT INTO run (started_at, command_line, program_version, c_library, processor, host) VALUES (?, ?, ?, ?, ?, ?)");
  insert.bind(1, utc_now());
  bind_bytes(insert, 2, run.command_line);
  insert.bind(3, run.program_version);
  insert.bind(4, run.c_library);
  insert.bind(5, run.processor);
  bind_bytes(insert, 6, run.host);
  insert.exec();
  const std::int64_t id = database_->getLastInsertRowid();
  commit_transaction();
  run_ = id;  // from here on a commit stores something of the run
}

void Writer::Impl::end_run() {
  ensure_transaction();
  SQLite::Statement& update = statement("UPDATE run SET ended_at = ? WHERE id = ?");
  update.bind(1, utc_now());
  update.bind(2, run_);
  update.exec();
  commit();
}

void Writer::Impl::flush_all() {
  for (auto& [id, scoring] : open_) {
    for (OpenColumn& column : scoring.columns) flush(column);
    flush_measurements(id, scoring);
  }
}

void Writer::Impl::commit() {
  flush_all();
  commit_transaction();
}

// -- Scorings -----------------------------------------------------------------------------------------------------------------------

Result<bool> Writer::has_clip(const std::string& name) {
  return impl_->guard([&]() -> Result<bool> { return impl_->has_clip(name); });
}

Result<std::optional<EndedScoring>> Writer::find_ended(const ScoringRecord& record) {
  return impl_->guard([&] { return impl_->find_ended(record); });
}

Status Writer::keep(const EndedScoring& ended, const Tags& tags) {
  return impl_->guard([&] { return impl_->keep(ended, tags); });
}

Result<std::optional<StoredPrefix>> Writer::find_unfinished(const ScoringRecord& record) {
  return impl_->guard([&] { return impl_->find_unfinished(record); });
}

Result<ResumedScoring> Writer::resume_scoring(const StoredPrefix& prefix, const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                              std::span<const ExtractorSpec> extractors) {
  return impl_->guard([&] { return impl_->resume_scoring(prefix, record, columns, extractors); });
}

Result<BeginOutcome> Writer::begin_scoring(const ScoringRecord& record, std::span<const ColumnSpec> columns,
                                           std::span<const ExtractorSpec> extractors, const BeginOptions& options) {
  return impl_->guard([&]() -> Result<BeginOutcome> { return impl_->begin_scoring(record, columns, extractors, options); });
}

Result<ScoringId> Writer::add_failed_clip(const ScoringRecord& record, const std::string& reason) {
  return impl_->guard([&]() -> Result<ScoringId> { return impl_->add_failed_clip(record, reason); });
}

Status Writer::add_value(ScoringId scoring, int column, std::int64_t frame, double value) {
  return impl_->guard([&] { return impl_->add_value(scoring, column, frame, value); });
}

Status Writer::add_aggregate(ScoringId scoring, int column, double value) {
  return impl_->guard([&] { return impl_->add_aggregate(scoring, column, value); });
}

Status Writer::add_measurement(ScoringId scoring, int extractor, std::int64_t frame, std::span<const std::uint64_t> words) {
  return impl_->guard([&] { return impl_->add_measurement(scoring, extractor, frame, words); });
}

Status Writer::add_pair(ScoringId scoring, std::int64_t frame, PairRecord pair) {
  return impl_->guard([&] { return impl_->add_pair(scoring, frame, std::move(pair)); });
}

Status Writer::add_failure(ScoringId scoring, std::optional<int> extractor, std::optional<std::int64_t> frame, const std::string& reason) {
  return impl_->guard([&] { return impl_->add_failure(scoring, extractor, frame, reason); });
}

Status Writer::add_warning(ScoringId scoring, const std::string& text) {
  return impl_->guard([&] { return impl_->add_warning(scoring, text); });
}

Status Writer::add_backend(ScoringId scoring, int extractor, const BackendRecord& backend) {
  return impl_->guard([&] { return impl_->add_backend(scoring, extractor, backend); });
}

Result<std::vector<std::vector<std::uint64_t>>> Writer::pairs(ScoringId scoring) {
  return impl_->guard([&] { return impl_->pairs(scoring); });
}

Result<std::vector<std::vector<std::uint64_t>>> Writer::measurements(ScoringId scoring, int extractor) {
  return impl_->guard([&] { return impl_->measurements(scoring, extractor); });
}

Result<std::vector<FrameValue>> Writer::column_values(ScoringId scoring, int column) {
  return impl_->guard([&] { return impl_->column_values(scoring, column); });
}

Status Writer::finish_scoring(ScoringId scoring, const ScoringEnd& end) {
  return impl_->guard([&] { return impl_->finish_scoring(scoring, end); });
}

}  // namespace vmafbatch::store
