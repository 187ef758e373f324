// Two equal databases, of which a test changes one.
#pragma once

#include "store/diff.h"
#include "store/scratch.h"

namespace vmafbatch::store {

class DiffTest : public ::testing::Test {
 protected:
  void SetUp() override {
    make_database(old_);
    make_database(new_);
  }

  // The outcome under options_; text_ holds the report.
  DiffOutcome outcome(DiffFormat format = DiffFormat::kText) {
    std::ostringstream out;
    const auto summary = print_diff(old_, new_, format, out, options_);
    EXPECT_TRUE(summary.ok()) << summary.error().message;
    text_ = out.str();
    summary_ = summary.ok() ? *summary : DiffSummary();
    return summary_.outcome;
  }
  bool equal() { return outcome() == DiffOutcome::kEqual; }

  // The sentence of a comparison that could not be made.
  std::string error() {
    std::ostringstream out;
    const auto summary = print_diff(old_, new_, DiffFormat::kText, out, options_);
    EXPECT_FALSE(summary.ok());
    return summary.ok() ? "" : summary.error().message;
  }

  // The report after `sql` changed the new side; it must say "different".
  std::string report_after(const std::string& sql) {
    run_sql(new_, sql);
    EXPECT_EQ(outcome(), DiffOutcome::kDifferent) << sql;
    return text_;
  }

  bool says(const std::string& line) const { return text_.find(line) != std::string::npos; }

  const TemporaryFolder folder_;
  const std::string old_ = folder_.path("old.db");
  const std::string new_ = folder_.path("new.db");
  DiffOptions options_;
  DiffSummary summary_;
  std::string text_;
};

inline constexpr const char* kColumnOfB =
    "(SELECT sf.id FROM scoring_feature sf JOIN scoring s ON s.id = sf.scoring JOIN clip c ON c.id = s.clip JOIN feature f ON f.id = "
    "sf.feature WHERE c.name = 'b' AND f.name = 'psnr_y')";

// One frame of psnr_y of clip b becomes `value`, an SQL expression.
inline std::string set_frame(int frame, const std::string& value) {
  return "UPDATE frame_score SET value = " + value + " WHERE frame = " + std::to_string(frame) + " AND scoring_feature = " + kColumnOfB +
         ";";
}

}  // namespace vmafbatch::store
