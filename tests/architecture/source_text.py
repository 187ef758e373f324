"""Reading C++ sources for the architecture checks: which files there are, and their text without comments and literals."""
import os
import re

CODE_SUFFIXES = (".h", ".cpp", ".cu", ".hip")

# In this order: a raw string or a comment may hold everything else; a number may hold the quote of 1'000'000.
_TOKEN = re.compile(r"""
    (?P<raw>R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)")
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<number>\b\d[\w'.]*)
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>'(?:\\.|[^'\\\n])+')
""", re.VERBOSE | re.DOTALL)


def without_comments_and_literals(text):
    """The text with comments and literals blanked; every character keeps its line and column."""
    def blank(match):
        if match.lastgroup == "number":
            return match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))
    return _TOKEN.sub(blank, text)


def files_under(root, folders, suffixes):
    """Paths relative to root, sorted, of the files in these folders whose name ends in one of the suffixes."""
    found = []
    for folder in folders:
        for where, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(where, name), root) for name in names if name.endswith(suffixes)]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1
