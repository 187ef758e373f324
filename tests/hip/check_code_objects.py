#!/usr/bin/env python3
"""The code objects inside the built AMD module.

usage: check_code_objects.py --module FILE --architectures A,B
       check_code_objects.py --self-test

Every bundle of the module (one for each source with kernels) must hold one code object for each architecture: an ELF file for AMD's GPUs
of that very architecture. Exit code 0: so it is; 1: not; 77: there is no module, skipped.
"""
import argparse
import struct
import sys

# Layouts: clang's documentation, "Clang Offload Bundler"; LLVM's "User Guide for AMDGPU Backend", ELF header and e_flags.
MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
EM_AMDGPU = 224
MACHINES = {0x30: "gfx908", 0x3F: "gfx90a", 0x36: "gfx1030", 0x45: "gfx1036", 0x41: "gfx1100", 0x4C: "gfx942"}


def bundles(data):
    """A list of {architecture: code object} for each bundle."""
    found, start = [], data.find(MAGIC)
    while start >= 0:
        count, = struct.unpack_from("<Q", data, start + len(MAGIC))
        place, entries = start + len(MAGIC) + 8, {}
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", data, place)
            name = data[place + 24:place + 24 + length].decode("ascii")
            place += 24 + length
            if not name.startswith("host"):
                entries[name.split("--")[-1]] = data[start + offset:start + offset + size]
        found.append(entries)
        start = data.find(MAGIC, place)
    return found


def judge(data, architectures):
    problems, found = [], bundles(data)
    if not found:
        problems.append("there is no bundle of code objects")
    for number, entries in enumerate(found, 1):
        for architecture in sorted(set(architectures) - set(entries)):
            problems.append(f"bundle {number}: there is no code object for {architecture}")
        for name, code in sorted(entries.items()):
            machine = struct.unpack_from("<H", code, 18)[0] if code[:4] == b"\x7fELF" and len(code) > 64 else None
            if machine != EM_AMDGPU:
                problems.append(f"bundle {number}: what is there for {name} is no code for AMD's GPUs")
                continue
            built_for = MACHINES.get(struct.unpack_from("<I", code, 48)[0] & 0xFF)
            if built_for is not None and built_for != name.split(":")[0]:
                problems.append(f"bundle {number}: the code object for {name} is for {built_for}")
    return problems, len(found)


def planted_module(architectures, machine=EM_AMDGPU, flags=None):
    codes = []
    for architecture in architectures:
        code = bytearray(80)
        code[:4] = b"\x7fELF"
        struct.pack_into("<H", code, 18, machine)
        number = flags if flags is not None else next(n for n, name in MACHINES.items() if name == architecture)
        struct.pack_into("<I", code, 48, number)
        codes.append((f"hipv4-amdgcn-amd-amdhsa--{architecture}".encode(), bytes(code)))
    entries = [(b"host-x86_64-unknown-linux", b""), *codes]
    header = len(MAGIC) + 8 + sum(24 + len(name) for name, _ in entries)
    table, body = b"", b""
    for name, code in entries:
        table += struct.pack("<QQQ", header + len(body), len(code), len(name)) + name
        body += code
    return b"before" + MAGIC + struct.pack("<Q", len(entries)) + table + body


def self_test():
    both = ["gfx908", "gfx1030"]
    cases = [
        ("complete", planted_module(both), None),
        ("no bundle", b"\x7fELF", "no bundle"),
        ("an architecture is missing", planted_module(["gfx908"]), "no code object for gfx1030"),
        ("of another processor", planted_module(both, machine=62), "no code for AMD's GPUs"),
        ("of another architecture", planted_module(both, flags=0x3F), "is for gfx90a"),
    ]
    wrong = []
    for name, data, want in cases:
        problems, _ = judge(data, both)
        if (want is None) == bool(problems) or (want and not any(want in problem for problem in problems)):
            wrong.append(f"{name}: told {problems}")
    print("\n".join(wrong + [f"{len(cases)} planted, {len(wrong)} wrong"]))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="Looks for the code objects of each architecture in the AMD module.")
    parser.add_argument("--module", default="")
    parser.add_argument("--architectures", default="")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.module:
        print("SKIPPED: the AMD module is not built, so nothing was checked")
        return 77
    architectures = arguments.architectures.split(",")
    with open(arguments.module, "rb") as file:
        problems, count = judge(file.read(), architectures)
    print("\n".join(problems + [f"{count} bundles, each for {', '.join(architectures)}: {len(problems)} violations"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
