#!/usr/bin/env python3
"""code_of_page.py PAGE: the C++ of a page as one source file, for the compiler.

A block with an #include is a whole program and stands as it is. The others are statements, where a
later one may use the names of an earlier one: together they are the body of one function.
"""
import pathlib
import re
import sys

page = pathlib.Path(sys.argv[1])
text = page.read_text(encoding="utf-8")
programs, statements = [], []
for block in re.finditer(r"^```cpp\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    line = text.count("\n", 0, block.start(1)) + 1
    code = f'#line {line} "{page.name}"\n{block[1]}'
    (programs if "#include" in code else statements).append(code)
if not programs or not statements:
    sys.exit(f"{page}: no program, or no statements, between ```cpp and ```")
print("".join(programs) + "void statements() {\n" + "".join(statements) + "}")
