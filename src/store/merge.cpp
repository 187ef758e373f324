#include "store/merge.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "base/utf8.h"
#include "store/database.h"
#include "store/merge_compare.h"
#include "store/merge_input.h"
#include "store/merge_output.h"

namespace vmafbatch::store {
namespace {

// done before partial before failed.
int rank(const std::string& status) { return status == "done" ? 2 : status == "partial" ? 1 : 0; }

class Merge {
 public:
  Merge(std::vector<std::unique_ptr<MergeInput>>& inputs, MergeOutput& output) : inputs_(inputs), output_(output) {}

  Result<MergeSummary> run() {
    try {
      return merge();
    } catch (const SQLite::Exception& exception) {
      return told(exception);
    }
  }

 private:
  Result<MergeSummary> merge();
  std::optional<size_t> next_by_time();
  Status take_finished(size_t index);
  Status take_unfinished(size_t index);
  Status join(size_t index, const KeptScoring& kept);
  Status check_clip(size_t index) const;
  Error told(const SQLite::Exception& exception);
  std::string name(size_t index) const { return display_text(inputs_[index]->path()); }
  std::string subject(size_t index) const;

  std::vector<std::unique_ptr<MergeInput>>& inputs_;
  MergeOutput& output_;
  std::vector<bool> has_scoring_;  // of each input: it stands on one
  size_t current_ = 0;             // the input that is being read
  MergeSummary summary_;
};

Result<MergeSummary> Merge::merge() {
  for (current_ = 0; current_ < inputs_.size(); ++current_) {
    MergeInput& input = *inputs_[current_];
    output_.take_runs(input);
    output_.take_clips(input);
    has_scoring_.push_back(input.next());
  }
  while (const auto index = next_by_time()) {
    if (Status taken = take_finished(*index); !taken.ok()) return taken.error();
    has_scoring_[*index] = inputs_[*index]->next();
  }
  for (current_ = 0; current_ < inputs_.size(); ++current_) {
    inputs_[current_]->start_unfinished();
    while (inputs_[current_]->next()) {
      if (Status taken = take_unfinished(current_); !taken.ok()) return taken.error();
    }
  }
  current_ = 0;
  summary_.clips = output_.count("SELECT count(*) FROM clip");
  summary_.finished = output_.count("SELECT count(*) FROM scoring WHERE finished IS NOT NULL");
  summary_.unfinished = output_.count("SELECT count(*) FROM scoring WHERE finished IS NULL");
  return summary_;
}

// The input whose next scoring ended first. Within an input the order stays, also where its clock jumped.
std::optional<size_t> Merge::next_by_time() {
  std::optional<size_t> first;
  for (size_t index = 0; index < inputs_.size(); ++index) {
    if (!has_scoring_[index]) continue;
    if (!first || inputs_[index]->scoring().ended_at < inputs_[*first]->scoring().ended_at) first = index;
  }
  return first;
}

std::string Merge::subject(size_t index) const {
  const MergeScoring& scoring = inputs_[index]->scoring();
  return fmt::format("clip \"{}\", {}", display_text(scoring.clip),
                     scoring.label.empty() ? "no label" : fmt::format("label \"{}\"", display_text(scoring.label)));
}

Status Merge::check_clip(size_t index) const {
  const MergeInput& input = *inputs_[index];
  if (!input.scoring().clip.empty() && input.runs().contains(input.scoring().run)) return {};
  return Error{
      fmt::format("{}: scoring {} has no clip or no run; `vmafbatch verify` says what else is wrong", name(index), input.scoring().id)};
}

Status Merge::take_finished(size_t index) {
  current_ = index;
  if (Status status = check_clip(index); !status.ok()) return status;
  MergeInput& input = *inputs_[index];
  if (const auto same = output_.find_same(input); same && same->input != index) return join(index, *same);
  const bool has_values = rank(input.scoring().status) > 0;
  if (const auto other = has_values ? output_.find_contradiction(input, index) : std::nullopt) {
    return Error{
        fmt::format("{}: {} and {} have it with different options or models; give the scorings of one of them another label "
                    "(--relabel {}=LABEL)",
                    subject(index), name(other->input), name(index), name(index))};
  }
  output_.copy(input, index, true);
  return {};
}

// The output has the same scoring from another input.
Status Merge::join(size_t index, const KeptScoring& kept) {
  MergeInput& input = *inputs_[index];
  const int before = rank(kept.status);
  const int now = rank(input.scoring().status);
  const MergeSide left{output_.database(), kept.id, name(kept.input)};
  const MergeSide right{input.database(), input.scoring().id, name(index)};
  if (const auto difference = first_difference(left, right, before == now)) {
    return Error{
        fmt::format("{}: {}, though both scored the same files with the same options; leave one of them out", subject(index), *difference)};
  }
  ++summary_.same;
  if (now > before) {
    output_.erase(kept.id);
    output_.copy(input, index, true);
  } else if (now == before) {
    output_.make_newest(kept.id);
  }
  return {};
}

Status Merge::take_unfinished(size_t index) {
  if (Status status = check_clip(index); !status.ok()) return status;
  MergeInput& input = *inputs_[index];
  if (output_.find_same(input)) return {};
  if (const auto other = output_.find_unfinished(input)) {
    if (count_values(output_.database(), other->id) >= count_values(input.database(), input.scoring().id)) return {};
    output_.erase(other->id);
  }
  output_.copy(input, index, false);
  return {};
}

// The exception does not say which database it is about. Only the output is written, and what is wrong inside a file is wrong in an input.
bool is_about_output(const SQLite::Exception& exception) {
  switch (exception.getErrorCode()) {
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN: return true;
    case SQLITE_IOERR:
      return exception.getExtendedErrorCode() != SQLITE_IOERR_READ && exception.getExtendedErrorCode() != SQLITE_IOERR_SHORT_READ;
    default: return false;
  }
}

Error Merge::told(const SQLite::Exception& exception) {
  if (is_about_output(exception)) return output_.write_error(exception);
  if (exception.getErrorCode() != SQLITE_CONSTRAINT) return untrusted_error(inputs_[current_]->path(), exception);
  return Error{fmt::format("{}: holds rows that cannot be right ({}); `vmafbatch verify` says which", name(current_), exception.what())};
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

using Labels = std::vector<std::optional<std::string>>;  // by input

Result<Labels> labels_of(const std::vector<std::string>& inputs, const MergeOptions& options) {
  Labels labels(inputs.size());
  for (const auto& [path, label] : options.labels) {
    bool is_input = false;
    for (size_t index = 0; index < inputs.size(); ++index) {
      if (!is_same_file(inputs[index], path)) continue;
      is_input = true;
      if (std::optional<std::string>& given = labels[index]; !given) {
        given = label;
      } else {
        return Error{fmt::format("{}: is given the label \"{}\" and the label \"{}\"; give it one", display_text(path),
                                 display_text(*given), display_text(label))};
      }
    }
    if (!is_input) return Error{fmt::format("{}: is given a label and is not among the databases to merge", display_text(path))};
  }
  return labels;
}

}  // namespace

Result<MergeSummary> merge_databases(const std::vector<std::string>& inputs, const std::string& output, const MergeOptions& options) {
  const Result<Labels> labels = labels_of(inputs, options);
  if (!labels.ok()) return labels.error();
  std::unique_ptr<MergeOutput> merged;
  std::vector<std::unique_ptr<MergeInput>> opened;  // go first: their copies hold statements of the output
  for (size_t index = 0; index < inputs.size(); ++index) {
    auto input = MergeInput::open(inputs[index], (*labels)[index]);
    if (!input.ok()) return input.error();
    opened.push_back(std::move(*input));
  }
  auto created = MergeOutput::create(output);
  if (!created.ok()) return created.error();
  merged = std::move(*created);
  auto summary = Merge(opened, *merged).run();
  opened.clear();
  if (!summary.ok()) return summary.error();
  if (Status published = merged->publish(); !published.ok()) return published.error();
  return summary;
}

}  // namespace vmafbatch::store
