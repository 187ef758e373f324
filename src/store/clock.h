// The time of day, as the database has it.
#pragma once

#include <string>

namespace vmafbatch::store {

// The time of day in UTC, "2026-01-31T12:34:56Z".
std::string utc_now();

}  // namespace vmafbatch::store
