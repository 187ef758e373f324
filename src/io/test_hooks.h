// Switches for tests of the whole program; without their environment variable they do nothing.
//
// VMAFBATCH_TEST_READ_FAULT="PART:BYTE:KIND:NUMBER", several joined by ';', read once. Files whose path contains PART have a fault where a
// read begins at BYTE (reads that come from before end there), where they are opened if BYTE is the word "open", or where their size and
// time are looked at if it is "look". KIND is
//   EIO, ESTALE, ETIMEDOUT, EAGAIN, EMFILE, ENFILE   the call fails with this error the first NUMBER times
//   stall                                            the call does not return for NUMBER seconds, as on a network mount that hangs; every
//   time
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace vmafbatch::io::test_hooks {

// True where a fault is set for this file.
bool has_fault(const std::string& path);

// The error number of a call to open the file; 0: none. May sleep.
int fault_at_open(const std::string& path);

// The same for a look at its size and time.
int fault_at_look(const std::string& path);

// The same for a read of `size` bytes at `offset`; makes `size` smaller where the read must end before a fault.
int fault_at_read(const std::string& path, std::uint64_t offset, std::size_t& size);

}  // namespace vmafbatch::io::test_hooks
