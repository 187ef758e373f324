#include "store/merge.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "store/merge_fixture.h"

namespace vmafbatch::store {
namespace {

TEST_F(Merge, TwoHalvesAreTheWhole) {
  make_clips("1.db", {"a", "b"});
  make_clips("2.db", {"c", "d", "e"});
  make_clips("whole.db", {"a", "b", "c", "d", "e"});
  const auto summary = merge({"1.db", "2.db"});
  ASSERT_OK(summary);
  EXPECT_EQ(summary->clips, 5);
  EXPECT_EQ(summary->finished, 5);
  EXPECT_EQ(summary->same, 0);
  EXPECT_EQ(diff("whole.db", "all.db"), DiffOutcome::kEqual);
  for (const char* query : {"SELECT * FROM frame_features ORDER BY 1, 2, 3", "SELECT * FROM clip_scores ORDER BY 1, 2",
                            "SELECT * FROM clip_aggregates ORDER BY 1, 2", "SELECT * FROM backends ORDER BY 1, 2"}) {
    EXPECT_EQ(all(query), csv_of(path("whole.db"), query)) << query;
  }
  EXPECT_EQ(all("PRAGMA integrity_check"), "ok\n");
  EXPECT_EQ(all("SELECT count(*) FROM pragma_foreign_key_check"), "0\n");
  EXPECT_FALSE(is_there("all.db.part"));
  EXPECT_FALSE(is_there("all.db.lock"));
}

TEST_F(Merge, ValuesAndNamesKeepTheirBits) {
  make("1.db", [](Writer& writer) {
    const auto begun = writer.begin_scoring(some_record("caf\xE9"), some_columns(), some_extractors());
    ASSERT_OK(begun);
    const double values[] = {-0.0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), 0.1,
                             std::numeric_limits<double>::denorm_min()};
    for (int frame = 0; frame < 5; ++frame) ASSERT_OK(writer.add_value(begun->id, 0, frame, values[frame]));
    ASSERT_OK(writer.finish_scoring(begun->id, {}));
  });
  ASSERT_OK(merge({"1.db"}));
  EXPECT_EQ(diff("1.db", "all.db"), DiffOutcome::kEqual);
  EXPECT_EQ(all("SELECT typeof(name), hex(name) FROM clip"), "blob,636166E9\n");
}

TEST_F(Merge, WhatHangsOnAScoringComesAlong) {
  make("1.db", [](Writer& writer) {
    ScoringRecord record = some_record("a");
    record.models = {{"vmaf", "m.json", "hash"}};
    record.tags = {{"codec", "x264"}};
    const auto begun = writer.begin_scoring(record, some_columns(), some_extractors());
    ASSERT_OK(begun);
    ASSERT_OK(writer.add_failure(begun->id, 1, 3, "no reason"));
    ASSERT_OK(writer.add_warning(begun->id, "a warning"));
    ScoringEnd end;
    end.status = ScoringStatus::kPartial;
    ASSERT_OK(writer.finish_scoring(begun->id, end));
  });
  make_clips("0.db", {"x"});
  ASSERT_OK(merge({"0.db", "1.db"}));
  EXPECT_EQ(all("SELECT * FROM failures"), "a,motion,3,no reason\n");
  EXPECT_EQ(all("SELECT * FROM warnings"), "a,a warning\n");
  EXPECT_EQ(all("SELECT * FROM tags"), "a,codec,x264\n");
  EXPECT_EQ(
      all("SELECT c.name, m.name, m.path, m.hash FROM scoring_model m JOIN scoring s ON s.id = m.scoring JOIN clip c ON c.id = s.clip"),
      "a,vmaf,m.json,hash\n");
  EXPECT_EQ(all("SELECT status FROM newest_scoring ORDER BY clip"), "done\npartial\n");
}

TEST_F(Merge, TheSameScoringIsKeptOnce) {
  make_clips("1.db", {"a", "b"});
  make_clips("2.db", {"b", "c"});
  sql("2.db", "UPDATE run SET host = 'another host'");
  const auto summary = merge({"1.db", "2.db", "1.db"});
  ASSERT_OK(summary);
  EXPECT_EQ(summary->finished, 3);
  EXPECT_EQ(summary->same, 3);
  EXPECT_EQ(all("SELECT count(*) FROM frame_score"), "60\n");
  EXPECT_EQ(all("SELECT count(*) FROM run"), "2\n") << "a run that two databases share is one";
}

TEST_F(Merge, TheOrderInWhichFeaturesWereNamedHasNoMeaning) {
  for (const auto& [name, options] :
       {std::pair("1.db", "features=psnr;motion scale=bicubic"), std::pair("2.db", "features=motion;psnr scale=bicubic")}) {
    make(name, [&](Writer& writer) { add_clip(writer, some_record("a", options)); });
  }
  const auto summary = merge({"1.db", "2.db"});
  ASSERT_OK(summary);
  EXPECT_EQ(summary->finished, 1);
  EXPECT_EQ(summary->same, 1);
  EXPECT_EQ(all("SELECT options FROM scoring"), "features=motion;psnr scale=bicubic\n");
}

TEST_F(Merge, AnotherFileOfTheSameSizeAndTimeIsAnotherScoring) {
  ScoringRecord other = some_record("a");
  other.distorted.path += "2";
  make_clips("1.db", {"a"});
  make("2.db", [&](Writer& writer) { add_clip(writer, other); });
  sql("2.db", "UPDATE frame_score SET value = 1.5");
  const auto summary = merge({"1.db", "2.db"});
  ASSERT_OK(summary);
  EXPECT_EQ(summary->finished, 2) << "as in one database";
}

TEST_F(Merge, ADifferentValueIsNamed) {
  make_clips("1.db", {"a", "b"});
  make_clips("2.db", {"b"});
  sql("2.db", "UPDATE frame_score SET value = 31.5 WHERE frame = 3 AND scoring_feature = 1");
  EXPECT_EQ(merge_error({"1.db", "2.db"}), "clip \"b\", no label: feature psnr_y at frame 3 is 30.8 in " + path("1.db") + " and 31.5 in " +
                                               path("2.db") +
                                               ", though both scored the same files with the same options; leave one of them out");
  EXPECT_FALSE(is_there("all.db"));
  EXPECT_FALSE(is_there("all.db.part"));
}

TEST_F(Merge, AMissingValueIsNamed) {
  make_clips("1.db", {"a"});
  make_clips("2.db", {"a"});
  sql("2.db", "DELETE FROM frame_score WHERE frame = 9 AND scoring_feature = 2");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("feature integer_motion2 at frame 9 is only in " + path("1.db")), std::string::npos);
  EXPECT_NE(merge_error({"2.db", "1.db"}).find("feature integer_motion2 at frame 9 is only in " + path("1.db")), std::string::npos);
}

TEST_F(Merge, ADifferentAggregateIsNamed) {
  make_clips("1.db", {"a"});
  make_clips("2.db", {"a"});
  sql("2.db", "UPDATE aggregate_score SET value = 1.5");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("feature apsnr_y of the whole clip is 33.25 in "), std::string::npos);
}

TEST_F(Merge, WhatBelongsToAResultMustBeEqual) {
  const std::string in_1 = path("1.db");
  const std::string in_2 = path("2.db");
  const std::pair<const char*, std::string> changes[] = {
      {"UPDATE pooled_score SET mean = mean + 1 WHERE scoring_feature = 2",
       "the pooled value \"mean\" of feature integer_motion2 is not the same in " + in_1 + " and in " + in_2},
      {"UPDATE pooled_score SET stddev = NULL WHERE scoring_feature = 1",
       "the pooled value \"stddev\" of feature psnr_y is not the same in "},
      {"DELETE FROM pooled_score WHERE scoring_feature = 1", "of feature psnr_y is not the same in "},
      {"UPDATE aggregate_score SET value = value + 1", "feature apsnr_y of the whole clip is 33.25 in "},
      {"UPDATE scoring SET frames = 11", "there are 10 frames in " + in_1 + " and 11 in " + in_2},
      {"UPDATE scoring SET identical_frames = 3", "there are 0 identical frames in " + in_1 + " and 3 in " + in_2},
      {"UPDATE scoring SET distorted_hash = 'xxh3:1'", "the distorted file has one content in " + in_1 + " and another in " + in_2}};
  for (const auto& [change, told] : changes) {
    for (const char* name : {"1.db", "2.db"}) {
      std::filesystem::remove(path(name));
      make_clips(name, {"a"});
      sql(name, "UPDATE scoring SET distorted_hash = 'xxh3:0'");
    }
    sql("2.db", change);
    const std::string error = merge_error({"1.db", "2.db"});
    EXPECT_NE(error.find(told), std::string::npos) << change << ": " << error;
    EXPECT_NE(merge_error({"2.db", "1.db"}), "merged") << change;
  }
}

TEST_F(Merge, WhatDoesNotBelongToAResultMayDiffer) {
  for (const char* change :
       {"UPDATE scoring SET seconds = 99, decode_seconds = 98, started_at = '2020-01-01T00:00:00Z', ended_at = '2020-01-01T00:00:00Z'",
        "UPDATE scoring SET processor = 'x', decoder = 'y', c_library = 'z', decoded_reference = 77",
        "UPDATE feature_backend SET backend = 'hip', device = 'gfx90a'", "INSERT INTO warning (scoring, text) VALUES (1, 'slow')",
        "UPDATE scoring SET distorted_hash = 'xxh3:1'"}) {
    SCOPED_TRACE(change);
    for (const char* name : {"1.db", "2.db", "all.db"}) std::filesystem::remove(path(name));
    make_clips("1.db", {"a"});
    make_clips("2.db", {"a"});
    sql("1.db", "UPDATE scoring SET distorted_hash = NULL");
    sql("2.db", change);
    ASSERT_OK(merge({"1.db", "2.db"}));
    EXPECT_EQ(all("SELECT count(*) FROM scoring"), "1\n");
  }
}

void add_cut_clip(Writer& writer, const std::string& clip, int frames, ScoringStatus status) {
  const auto begun = writer.begin_scoring(some_record(clip), some_columns(), some_extractors());
  ASSERT_OK(begun);
  for (int frame = 0; frame < frames; ++frame) ASSERT_OK(writer.add_value(begun->id, 0, frame, some_value(0, frame)));
  ASSERT_OK(writer.add_failure(begun->id, std::nullopt, frames, "cut"));
  ScoringEnd end;
  end.status = status;
  end.frames = frames;
  ASSERT_OK(writer.finish_scoring(begun->id, end));
}

TEST_F(Merge, TheMoreCompleteOneStays) {
  make("partial.db", [](Writer& writer) { add_cut_clip(writer, "a", 4, ScoringStatus::kPartial); });
  make("failed.db", [](Writer& writer) { ASSERT_OK(writer.add_failed_clip(some_record("a"), "none")); });
  make_clips("done.db", {"a"});
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"partial.db", "failed.db", "done.db"}, std::vector<std::string>{"failed.db", "done.db", "partial.db"},
        std::vector<std::string>{"done.db", "partial.db", "failed.db"}}) {
    const auto summary = merge(order);
    ASSERT_OK(summary);
    EXPECT_EQ(summary->finished, 1);
    EXPECT_EQ(summary->same, 2);
    EXPECT_EQ(diff("done.db", "all.db"), DiffOutcome::kEqual);
    EXPECT_EQ(all("SELECT count(*) FROM failure"), "0\n");
    std::filesystem::remove(path("all.db"));
  }
}

TEST_F(Merge, OtherFailuresAreNamed) {
  make("1.db", [](Writer& writer) { add_cut_clip(writer, "a", 4, ScoringStatus::kPartial); });
  make("2.db", [](Writer& writer) { add_cut_clip(writer, "a", 4, ScoringStatus::kPartial); });
  sql("2.db", "UPDATE failure SET reason = '/other/mount/a.mp4: cut'");
  EXPECT_EQ(merge_error({"1.db", "2.db"}), "merged") << "the place has another name there";
  std::filesystem::remove(path("all.db"));
  sql("2.db", "UPDATE failure SET frame = 3");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("the clip failed at frame 4 only in " + path("1.db")), std::string::npos);
  sql("2.db", "UPDATE failure SET frame = 4; INSERT INTO failure (scoring, extractor, reason) VALUES (1, 0, 'x')");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("psnr failed only in " + path("2.db")), std::string::npos);
  sql("1.db", "UPDATE scoring SET status = 'failed'");
  sql("2.db", "UPDATE scoring SET status = 'failed'");
  EXPECT_EQ(merge_error({"1.db", "2.db"}), "merged") << "two attempts, and nothing is left of either";
}

TEST_F(Merge, APartialOneMayNotContradict) {
  make("1.db", [](Writer& writer) { add_cut_clip(writer, "a", 4, ScoringStatus::kPartial); });
  make_clips("2.db", {"a"});
  sql("1.db", "UPDATE frame_score SET value = 31.5 WHERE frame = 3");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("feature psnr_y at frame 3 is 31.5"), std::string::npos);
}

ScoringRecord of_version(const std::string& version) {
  ScoringRecord record = some_record("a");
  record.program_version = version;
  return record;
}

TEST_F(Merge, TheNewestIsTheOneThatEndedLast) {
  make("1.db", [](Writer& writer) { add_clip(writer, of_version("2"), 20); });
  make("2.db", [](Writer& writer) { add_clip(writer, of_version("1"), 10); });
  sql("1.db", "UPDATE scoring SET ended_at = '2026-02-02T00:00:00Z'");
  sql("2.db", "UPDATE scoring SET ended_at = '2026-01-01T00:00:00Z'");
  for (const bool swapped : {false, true}) {
    ASSERT_OK(swapped ? merge({"2.db", "1.db"}) : merge({"1.db", "2.db"}));
    EXPECT_EQ(all("SELECT frames FROM newest_scoring"), "20\n");
    EXPECT_EQ(all("SELECT count(*) FROM all_clip_scores"), "4\n") << "the older one is kept too";
    std::filesystem::remove(path("all.db"));
  }
}

TEST_F(Merge, ADatabasesOwnOrderStaysWhereItsClockJumped) {
  make("1.db", [](Writer& writer) {
    add_clip(writer, of_version("1"), 10);
    add_clip(writer, of_version("2"), 20);
  });
  sql("1.db", "UPDATE scoring SET ended_at = CASE id WHEN 1 THEN '2026-02-02T00:00:00Z' ELSE '2026-01-01T00:00:00Z' END");
  make_clips("2.db", {"b"});
  ASSERT_OK(merge({"2.db", "1.db"}));
  EXPECT_EQ(all("SELECT s.frames FROM newest_scoring s JOIN clip c ON c.id = s.clip WHERE c.name = 'a'"), "20\n");
}

void add_unfinished(Writer& writer, const std::string& clip, int frames) {
  const auto begun = writer.begin_scoring(some_record(clip), some_columns(), some_extractors());
  ASSERT_OK(begun);
  for (int frame = 0; frame < frames; ++frame) {
    ASSERT_OK(writer.add_value(begun->id, 0, frame, 1.0));
    const std::uint64_t word = 7;
    ASSERT_OK(writer.add_measurement(begun->id, 1, frame, {&word, 1}));
    ASSERT_OK(writer.add_pair(begun->id, frame, {40 * frame, 40 * frame, {}}));
  }
}

TEST_F(Merge, UnfinishedScoringsComeAlong) {
  make("1.db", [](Writer& writer) { add_unfinished(writer, "a", 3); });
  make("2.db", [](Writer& writer) {
    add_unfinished(writer, "a", 5);
    add_unfinished(writer, "b", 2);
  });
  make_clips("3.db", {"b"});
  const auto summary = merge({"1.db", "2.db", "3.db"});
  ASSERT_OK(summary);
  EXPECT_EQ(summary->unfinished, 1);
  EXPECT_EQ(all("SELECT clip, count(*) FROM all_frame_features WHERE status = 'running' GROUP BY 1"), "a,5\n") << "the longer one of two";
  EXPECT_EQ(all("SELECT extractor, count(*) FROM measurement GROUP BY 1 ORDER BY 1"), "-1,5\n1,5\n");
  EXPECT_EQ(all("SELECT count(*) FROM frame_time"), "5\n");
  EXPECT_EQ(all("SELECT count(*) FROM scoring s JOIN clip c ON c.id = s.clip WHERE c.name = 'b' AND finished IS NULL"), "0\n")
      << "the same scoring is finished";
}

TEST_F(Merge, OtherOptionsNeedAnotherLabel) {
  make("1.db", [](Writer& writer) { add_clip(writer, some_record("a", "psnr")); });
  make("2.db", [](Writer& writer) { add_clip(writer, some_record("a", "vif")); });
  EXPECT_EQ(merge_error({"1.db", "2.db"}),
            "clip \"a\", no label: " + path("1.db") + " and " + path("2.db") +
                " have it with different options or models; give the scorings of one of them another label (--relabel " + path("2.db") +
                "=LABEL)");
  ASSERT_OK(merge({"1.db", "2.db"}, {.labels = {{path("2.db"), "second"}}}));
  EXPECT_EQ(all("SELECT DISTINCT label FROM all_clip_scores ORDER BY 1"), "\"\"\nsecond\n");
}

TEST_F(Merge, ALabelForAnotherDatabaseIsAnError) {
  make_clips("1.db", {"a"});
  const auto merged = merge({"1.db"}, {.labels = {{"2.db", "second"}}});
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().message, "2.db: is given a label and is not among the databases to merge");
}

TEST_F(Merge, ALabelMayNameItsDatabaseInAnotherSpelling) {
  make_clips("1.db", {"a"});
  std::filesystem::create_symlink("1.db", path("link.db"));
  for (const char* spelling : {"1.db", "./1.db", "link.db"}) {
    SCOPED_TRACE(spelling);
    ASSERT_OK(merge({"1.db"}, {.labels = {{path(spelling), "second"}}}));
    EXPECT_EQ(all("SELECT DISTINCT label FROM all_clip_scores"), "second\n");
    std::filesystem::remove(path("all.db"));
  }
}

TEST_F(Merge, ASecondLabelForADatabaseIsAnError) {
  make_clips("1.db", {"a"});
  for (const char* spelling : {"1.db", "./1.db"}) {
    for (const char* label : {"y", "x"}) {
      const auto merged = merge({"1.db"}, {.labels = {{path("1.db"), "x"}, {path(spelling), label}}});
      ASSERT_FALSE(merged.ok());
      EXPECT_EQ(merged.error().message, path(spelling) + ": is given the label \"x\" and the label \"" + label + "\"; give it one");
    }
  }
  EXPECT_FALSE(is_there("all.db"));
}

TEST_F(Merge, TheLaterTagStays) {
  const auto tagged = [](const std::string& value) {
    return [value](Writer& writer) {
      ScoringRecord record = some_record("a");
      record.tags = {{"codec", value}};
      add_clip(writer, record);
    };
  };
  make("1.db", tagged("one"));
  make("2.db", tagged("two"));
  ASSERT_OK(merge({"1.db", "2.db"}));
  EXPECT_EQ(all("SELECT value FROM tags"), "two\n");
}

TEST_F(Merge, TheResultCanBeScoredInto) {
  make_clips("1.db", {"a"});
  make_clips("2.db", {"b"});
  ASSERT_OK(merge({"1.db", "2.db"}));
  make_clips("all.db", {"c"});
  make_clips("whole.db", {"a", "b", "c"});
  EXPECT_EQ(diff("whole.db", "all.db"), DiffOutcome::kEqual);
  EXPECT_EQ(all("SELECT group_concat(finished) FROM scoring"), "\"1,2,3\"\n");
}

// -- Faults -------------------------------------------------------------------------------------------------------------------------

TEST_F(Merge, AnOutputThatIsThereIsNotTouched) {
  make_clips("1.db", {"a"});
  write_file(path("all.db"), "something");
  EXPECT_EQ(merge_error({"1.db"}), path("all.db") + ": is there already; name a new file for the merged database");
  EXPECT_EQ(read_file(path("all.db")), "something");
  std::filesystem::remove(path("all.db"));
  std::filesystem::create_symlink("nowhere", path("all.db"));
  EXPECT_EQ(merge_error({"1.db"}), path("all.db") + ": is there already; name a new file for the merged database");
}

TEST_F(Merge, InputsAreOnlyRead) {
  make_clips("1.db", {"a"});
  make_clips("2.db", {"a", "b"});
  const std::string before = read_file(path("1.db")) + read_file(path("2.db"));
  ASSERT_OK(merge({"1.db", "2.db"}));
  EXPECT_EQ(read_file(path("1.db")) + read_file(path("2.db")), before);
}

TEST_F(Merge, WhatIsNoDatabaseIsNamed) {
  make_clips("1.db", {"a"});
  write_file(path("text.db"), "this is a text and no database at all");
  EXPECT_EQ(merge_error({"1.db", "text.db"}), path("text.db") + ": this file is no vmafbatch database; name another one");
  EXPECT_EQ(merge_error({"1.db", "none.db"}), path("none.db") + ": there is no such file; check the name of the database");
  sql("foreign.db", "CREATE TABLE t (x)");
  EXPECT_EQ(merge_error({"foreign.db", "1.db"}), path("foreign.db") + ": this is a database of another program; name another one");
  EXPECT_FALSE(is_there("all.db"));
}

TEST_F(Merge, AMissingTableIsNamed) {
  make_clips("1.db", {"a"});
  sql("1.db", "DROP TABLE aggregate_score");
  EXPECT_NE(merge_error({"1.db"}).find("1.db: the database has no table \"aggregate_score\""), std::string::npos);
  sql("1.db", "CREATE VIEW aggregate_score AS SELECT 1 AS scoring_feature, 1.0 AS value");
  EXPECT_NE(merge_error({"1.db"}).find("1.db: the database has no table \"aggregate_score\""), std::string::npos);
}

TEST_F(Merge, RowsThatCannotBeRightAreNoRowsOfTheResult) {
  make_clips("1.db", {"a"});
  make_clips("2.db", {"b"});
  sql("2.db", "PRAGMA ignore_check_constraints = ON; UPDATE frame_score SET value = 'text' WHERE frame = 5");
  EXPECT_NE(merge_error({"1.db", "2.db"}).find("2.db: holds rows that cannot be right (CHECK constraint failed"), std::string::npos);
  EXPECT_FALSE(is_there("all.db"));
  EXPECT_FALSE(is_there("all.db.part"));
}

TEST_F(Merge, AScoringWithoutClipIsNamed) {
  make_clips("1.db", {"a", "b"});
  sql("1.db", "DELETE FROM clip WHERE name = 'b'");
  EXPECT_NE(merge_error({"1.db"}).find("1.db: scoring 2 has no clip or no run"), std::string::npos);
}

TEST_F(Merge, ADamagedInputIsNamed) {
  make("1.db", [](Writer& writer) { add_clip(writer, some_record("a"), 5000); });
  make_clips("2.db", {"b"});
  std::string bytes = read_file(path("1.db"));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), bytes.end(), 'x');
  write_file(path("1.db"), bytes);
  const std::string error = merge_error({"2.db", "1.db"});
  EXPECT_NE(error.find(path("1.db") + ": the database is damaged"), std::string::npos) << error;
  EXPECT_FALSE(is_there("all.db"));
}

}  // namespace
}  // namespace vmafbatch::store
