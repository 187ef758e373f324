// A shared library that is no device module.
extern "C" __attribute__((visibility("default"))) int vmafbatch_test_no_module() { return 0; }
