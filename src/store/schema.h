// The schema's numbers; its text is src/store/schema.sql, which the build embeds as kSchemaSql ("store/schema_sql.h").
#pragma once

namespace vmafbatch::store {

// PRAGMA user_version of the databases that this program writes and reads.
inline constexpr int kSchemaVersion = 1;

// PRAGMA application_id: "vmfb" in ASCII. It tells our databases from those of other programs.
inline constexpr int kApplicationId = 0x766d6662;

// "vmfm": of what a merge has not completed. No other command takes it for a database, and a later merge knows what a killed one left.
inline constexpr int kUnfinishedMergeId = 0x766d666d;

}  // namespace vmafbatch::store
