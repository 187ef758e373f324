// Switches for tests of the whole program; without their environment variables they do nothing.
#pragma once

namespace vmafbatch::graph::test_hooks {

// Sleeps VMAFBATCH_TEST_MEASURE_DELAY_MS milliseconds: an extractor that is slower than the decoder.
void delay_measurement();

}  // namespace vmafbatch::graph::test_hooks
