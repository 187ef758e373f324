#!/usr/bin/env python3
"""Writes src/model/exponential_table.cpp: 2^(i/128) for i = 0..127, and the relative rest of its rounding, each to the nearest double.

usage: make_exponential_table.py > src/model/exponential_table.cpp
"""
import math
import struct
from fractions import Fraction

SIZE = 128
BITS = 400  # of the fixed-point root; 106 would do for the last bit of the rest


def root(i):
    """2^(i/128) with BITS bits after the point: seven exact integer square roots of a number with many more bits."""
    value = Fraction(2) ** i
    for _ in range(7):
        scaled = (value.numerator << (2 * BITS)) // value.denominator
        value = Fraction(math.isqrt(scaled), 1 << BITS)
    return value


def bits(value):
    return struct.unpack("<Q", struct.pack("<d", float(value)))[0]  # float(Fraction) rounds to the nearest double


def table(name, values):
    print(f"const std::uint64_t {name}[kExponentialTableSize] = {{")
    for start in range(0, SIZE, 4):
        print("    " + " ".join(f"0x{bits(v):016x}," for v in values[start:start + 4]))
    print("};")


roots = [root(i) for i in range(SIZE)]
rests = [(r - Fraction(float(r))) / Fraction(float(r)) for r in roots]
print("// Written by scripts/make_exponential_table.py; do not edit.")
print('#include "model/exponential.h"\n')
print("namespace vmafbatch::model {\n")
table("kPowerBits", roots)
print()
table("kPowerRestBits", rests)
print("\n}  // namespace vmafbatch::model")
