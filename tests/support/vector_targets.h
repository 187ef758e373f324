// Runs a check on every kind of vector that this processor has and Highway built code for.
#pragma once

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cstdint>

namespace vmafbatch::testing {

// Calls check() once per target, with the dispatch fixed to it; the usual choice is back afterwards.
template <class Check>
void on_every_vector_target(const Check& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::GetChosenTarget().Update(target);
    check();
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace vmafbatch::testing
