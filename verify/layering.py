#!/usr/bin/env python3
"""Checks that every #include "..." follows the layers, and that MPFR and Arb stay in verify; and that
a source of the library includes its own header first, so that the header compiles by itself where
nothing is precompiled (the check build).

usage: layering.py ROOT | layering.py --self-test
"""
import pathlib
import re
import sys

# A folder of src/assay (or a top folder) -> what it may include besides itself.
LAYERS = {
    "numeric": set(),
    "files": {"numeric"},
    "privacy": {"numeric"},
    "parallel": {"numeric"},
    "rdp": {"numeric", "privacy"},
    "pld": {"numeric", "privacy"},
    "datasets": {"numeric"},
    "batch_sampling": {"numeric", "privacy"},
    "ldp": {"numeric", "files"},
    "help": set(),  # texts of programs; with CLI11, so no part of the library includes it
}
LAYERS["epochs"] = {"numeric", "privacy", "pld"}
LAYERS["account"] = {"numeric", "privacy", "rdp", "pld", "epochs"}
LAYERS["monte_carlo"] = {"numeric", "files", "parallel", "privacy", "batch_sampling", "epochs"}
LAYERS["dpsgd"] = {"numeric", "files", "parallel", "privacy", "account", "batch_sampling", "datasets"}
LAYERS["formulas"] = {"numeric", "privacy", "rdp", "pld", "epochs", "account", "monte_carlo", "ldp"}
LIBRARY = set(LAYERS)
for user in ("cli", "experiments", "verify", "bench"):
    LAYERS[user] = set(LIBRARY)
LAYERS["python"] = LIBRARY - {"dpsgd", "datasets", "monte_carlo", "formulas", "help"} | {"bindings"}
LAYERS["fuzz"] = LAYERS["bench"] | {"fuzz", "verify", "cli"}  # readers of every part
LAYERS["bench"] |= {"verify"}  # the oracles are timed as well

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
ORACLE_HEADERS = re.compile(r"^(mpfr|gmp|gmpxx|mpf2mpfr|arb|acb|arf|mag|flint)\w*(/.*)?\.h$"
                            r"|^boost/multiprecision/(mpfr|gmp)\.hpp$")


def layer_of(path):
    """The layer of a path relative to the root or to the include root; None if it has none."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[:2] == ("src", "assay"):
        parts = parts[1:]
    if parts[0] == "assay":
        return parts[1] if len(parts) > 2 else None
    return parts[0] if parts[0] in LAYERS else None


def own_header_not_first(path, lines):
    """Complaints about one source of the library beside which a header of its name stands."""
    header = path.removeprefix("src/").removesuffix(".cpp") + ".hpp"
    first = next(filter(None, map(INCLUDE.match, lines)), None)
    return [] if first and first.group(2) == header else [f"{path}:1: does not include {header} first"]


def violations(path, lines):
    """Complaints about one file, `path` relative to the root."""
    own = layer_of(path)
    if own is None:
        return []
    if own not in LAYERS:
        return [f"{path}:1: folder {own} is in no layer: name it in verify/layering.py"]
    found = []  # a unit test may compare with every part of the library
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        target = match.group(2)
        if ORACLE_HEADERS.match(target) and own != "verify":
            found.append(f"{path}:{number}: {own} includes {target}: oracles belong to verify alone")
        layer = layer_of(target)
        if layer is None:
            continue
        allowed = LIBRARY if path.endswith("_test.cpp") else LAYERS[own]
        if layer != own and layer not in allowed and layer not in LAYERS[own]:
            found.append(f"{path}:{number}: {own} may not include {layer} ({target})")
    return found


def self_test():
    """Known-wrong includes have to be refused, known-right ones accepted."""
    wrong = [("src/assay/numeric/a.hpp", '#include "assay/rdp/b.hpp"'),
             ("src/assay/rdp/a.cpp", '#include "assay/pld/b.hpp"'),
             ("src/assay/files/a.cpp", '  #  include "assay/privacy/b.hpp"'),
             ("src/assay/dpsgd/a.cpp", '#include "assay/rdp/b.hpp"'),
             ("verify/a.cpp", '#include "assay/cli/b.hpp"'),
             ("src/assay/cli/a.cpp", '#include "experiments/figure.hpp"'),
             ("src/assay/rdp/a_test.cpp", "#include <mpfr.h>"),
             ("src/assay/rdp/a.cpp", "#include <acb_calc.h>"),
             ("python/bindings/a.cpp", '#include "assay/cli/b.hpp"'),
             ("src/assay/newcomer/a.cpp", "")]
    right = [("src/assay/rdp/a.hpp", '#include "assay/privacy/b.hpp"'),
             ("src/assay/dpsgd/a.cpp", '#include "assay/account/b.hpp"'),
             ("src/assay/rdp/a.cpp", "#include <fmt/format.h>"),
             ("experiments/birrell2024/a.cpp", '#include "experiments/table.hpp"'),
             ("experiments/birrell2024/a.cpp", '#include "experiments/figure.hpp"'),
             ("python/bindings/a.cpp", '#include "assay/account/b.hpp"'),
             ("python/bindings/a.cpp", '#include "bindings/core.hpp"'),
             ("verify/oracles/a.cpp", "#include <mpfr.h>")]
    failed = [case for case in wrong if not violations(case[0], [case[1]])]
    failed += [case for case in right if violations(case[0], [case[1]])]
    own = ["// A comment.", '#include "assay/rdp/a.hpp"', "#include <cmath>"]
    failed += [("src/assay/rdp/a.cpp", line) for line, found in
               (("own header first", own_header_not_first("src/assay/rdp/a.cpp", own)),
                ("own header last", not own_header_not_first("src/assay/rdp/a.cpp", own[::-1])),
                ("no header", not own_header_not_first("src/assay/rdp/a.cpp", [])))
               if found]
    for path, line in failed:
        print(f"layering self-test: {path}: {line}")
    return 1 if failed else 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    files = sorted(path for top in ("src", "experiments", "verify", "bench", "python")
                   for path in (root / top).rglob("*") if path.suffix in (".hpp", ".cpp"))
    found = [line for path in files
             for line in violations(path.relative_to(root).as_posix(),
                                    path.read_text(encoding="utf-8").splitlines())]
    found += [line for path in files if path.suffix == ".cpp" and (root / "src") in path.parents
              and path.with_suffix(".hpp").exists()
              for line in own_header_not_first(path.relative_to(root).as_posix(),
                                               path.read_text(encoding="utf-8").splitlines())]
    print("\n".join(found) if found else f"layering: {len(files)} files keep to their layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
