// Where SQLite puts what a statement sorts or keeps between its steps.
#pragma once

namespace vmafbatch::report {

// From now on the temporary files of all databases of the process are in memory, which is SQLite's own and counts against its limit: no
// disk is filled. SQLite's own "temp_store = MEMORY" instead sorts all rows in one step, which nothing interrupts; rows that go into files
// are sorted a few thousand at a time. REQUIRES: called once, before a database is opened.
void keep_temporary_files_in_memory();

}  // namespace vmafbatch::report
