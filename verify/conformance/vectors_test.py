#!/usr/bin/env python3
"""Checks the test vectors: their schema, their ids, that both routes of every bracket meet, what they cover.

usage: vectors_test.py [FOLDER] | vectors_test.py --self-test | vectors_test.py --ask PROGRAM COUNT

--ask asks so many of them anew, of all files, and wants brackets that meet those in the files.
"""
import collections
import decimal
import hashlib
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "verify/conformance/adapters"))
import protocol  # noqa: E402

KNOWN = {"$schema", "$defs", "title", "type", "required", "additionalProperties", "properties", "items", "minItems",
         "enum", "const", "pattern", "minimum", "maximum", "$ref"}
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "null": type(None)}


def faults(value, schema, root, place="$"):
    """What of a JSON value the schema does not admit; the keywords of KNOWN are read, others refused."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"keywords of JSON Schema that this check does not know: {sorted(unknown)}")
    if "$ref" in schema:
        target = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        yield from faults(value, target, root, place)
    if "const" in schema and value != schema["const"]:
        yield f"{place} is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place} = {value!r} is none of {schema['enum']}"
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if isinstance(value, bool) or not any(isinstance(value, TYPES[one]) for one in types):
            yield f"{place} is no {' or '.join(types)}"
            return
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{place} = {value!r} does not match {schema['pattern']}"
    if isinstance(value, (int, float)):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            yield f"{place} = {value} is out of range"
    if isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield f"{place} is too short"
        for number, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{place}[{number}]")
    if isinstance(value, dict):
        yield from (f"{place} lacks {name}" for name in schema.get("required", []) if name not in value)
        other = schema.get("additionalProperties", True)
        for name, item in value.items():
            if name in schema.get("properties", {}):
                yield from faults(item, schema["properties"][name], root, f"{place}.{name}")
            elif other is False:
                yield f"{place} has {name}, which is unknown"
            elif isinstance(other, dict):
                yield from faults(item, other, root, f"{place}.{name}")


def number(text):
    return decimal.Decimal("Infinity") if text == "inf" else decimal.Decimal(text)


def wrong_with(test):
    """What is wrong with one test beyond the schema."""
    text = json.dumps(test["question"], sort_keys=True, separators=(",", ":"))
    if hashlib.sha256(text.encode()).hexdigest()[:12] != test["id"]:
        yield "its id is not that of its question"
    low, high = number(test["lower"]), number(test["upper"])
    if low > high:
        yield "its lower end is above the upper"
    if low == 0 and high.is_infinite():
        yield "its bracket says nothing"
    room = decimal.Decimal("1e-27")
    route = test["confirmed"]
    if low > number(route["upper"]) * (1 + room) or number(route["lower"]) > high * (1 + room):
        yield f"its second route does not meet it: {route}"


def check(folder):
    schema = json.loads((folder / "vectors.schema.json").read_text(encoding="utf-8"))
    complaints, ids = [], collections.Counter()
    asked, flags = collections.Counter(), collections.Counter()
    for path in sorted(folder.glob("*.json")):
        if path.name == "vectors.schema.json":
            continue
        file = json.loads(path.read_text(encoding="utf-8"))
        complaints += [f"{path.name}: {fault}" for fault in list(faults(file, schema, schema))[:5]]
        tests = [test for group in file["testGroups"] for test in group["tests"]]
        if len(tests) != file["numberOfTests"]:
            complaints.append(f"{path.name}: numberOfTests is {file['numberOfTests']}, {len(tests)} are there")
        used = {flag for test in tests for flag in test["flags"]}
        if used != set(file["notes"]):
            complaints.append(f"{path.name}: flags and notes differ: {sorted(used ^ set(file['notes']))}")
        for group in file["testGroups"]:
            for test in group["tests"]:
                complaints += [f"{path.name}: {test['id']}: {what}" for what in wrong_with(test)]
                if test["question"]["release"]["adjacency"] != group["adjacency"]:
                    complaints.append(f"{path.name}: {test['id']}: is in the group of another adjacency")
                ids[test["id"]] += 1
                asked[test["question"]["ask"]] += 1
                flags.update(test["flags"])
    complaints += [f"{count} vectors have the id {one}" for one, count in ids.items() if count > 1]
    if sum(asked.values()) < 2000:
        complaints.append(f"{sum(asked.values())} vectors: fewer than 2000")
    if 3 * flags["Ordinary"] < sum(asked.values()):
        complaints.append(f"{flags['Ordinary']} ordinary settings of {sum(asked.values())}: fewer than a third")
    return complaints, asked


def meets(test, reply):
    """Whether one truth can be in the bracket of a test and in that of an answer."""
    room = decimal.Decimal("1e-15")
    low, high = (number(str(reply[side])) for side in ("lower", "upper"))
    return (number(test["lower"]) <= high * (1 + room)) and (low <= number(test["upper"]) * (1 + room))


def asked_anew(program, count):
    """Complaints about a sample. Left out are many steps of fixed size under replace-one, which may take a minute."""
    tests = [test for path in (ROOT / "results/reference/vectors").glob("*.json") if path.name != "vectors.schema.json"
             for group in json.loads(path.read_text(encoding="utf-8"))["testGroups"] for test in group["tests"]
             if (group["sampling"], group["adjacency"]) != ("fixed-size-without-replacement", "replace-one")]
    tests = sorted(tests, key=lambda test: test["id"])[::max(1, len(tests) // count)]
    text = "".join(json.dumps({**test["question"], "id": test["id"]}) + "\n" for test in tests)
    lines = subprocess.run([program, "ask"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    complaints = [] if len(lines) == len(tests) else [f"{len(lines)} answers to {len(tests)} questions"]
    for test, reply in zip(tests, map(json.loads, lines)):
        if reply.get("id") != test["id"] or "error" in reply or not meets(test, reply):
            complaints.append(f"{test['id']} ({test['comment']}): [{test['lower']}, {test['upper']}], anew {reply}")
    return complaints, len(tests)


def self_test():
    """Every kind of fault is found."""
    schema = json.loads((ROOT / "results/reference/vectors/vectors.schema.json").read_text(encoding="utf-8"))
    question = {"release": {"adjacency": "zero-out", "phases": [{"sampling": "none", "noise_multiplier": 1,
                                                                "steps": 1}]}, "ask": "epsilon", "delta": 1e-5}
    text = json.dumps(question, sort_keys=True, separators=(",", ":"))
    test = {"id": hashlib.sha256(text.encode()).hexdigest()[:12], "comment": "", "flags": [], "question": question,
            "lower": "1.0", "upper": "1.5", "gap": "0.3", "how": "", "theorem": None,
            "confirmed": {"by": "", "lower": "1.2", "upper": "inf"}}
    definition = schema["$defs"]["test"]
    assert not list(faults(test, definition, schema)) and not list(wrong_with(test))
    for name, value in (("id", "xyz"), ("lower", "-1"), ("lower", "NaN"), ("lower", 1.0), ("flags", "Ordinary"),
                        ("question", {"ask": "epsilon"}), ("extra", 1), ("confirmed", None),
                        ("question", {**question, "ask": "sigma"}), ("question", {**question, "delta": 2})):
        assert list(faults({**test, name: value}, definition, schema)), (name, value)
    for name, value in (("id", "0" * 12), ("lower", "1.6"), ("confirmed", {"lower": "1.6", "upper": "2"}),
                        ("confirmed", {"lower": "0", "upper": "0.9"})):
        assert list(wrong_with({**test, name: value})), (name, value)
    assert list(faults({k: v for k, v in test.items() if k != "how"}, definition, schema))
    assert meets(test, {"lower": 1.4, "upper": "inf"}) and meets(test, {"lower": 0.0, "upper": 1.0})
    assert not meets(test, {"lower": 1.5001, "upper": 2.0}) and not meets(test, {"lower": 0.0, "upper": 0.9999})
    assert protocol.probability({"sampling_probability": 0.25}) == 0.25
    assert protocol.probability({"batch_size": 3, "dataset_size": 12}) == 0.25
    for phase in ({"sampling_probability": None}, {"batch_size": None, "dataset_size": 12}):
        try:  # what a question solves for is no failure of the library that is asked
            raise AssertionError(protocol.probability(phase))
        except protocol.Unsupported:
            pass
    print("every fault was found")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    if sys.argv[1:2] == ["--ask"] and len(sys.argv) == 4:
        complaints, count = asked_anew(sys.argv[2], int(sys.argv[3]))
        print("\n".join([*complaints, f"{count} vectors asked anew, {len(complaints)} complaints"]))
        return 1 if complaints else 0
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "results/reference/vectors"
    complaints, asked = check(folder)
    for complaint in complaints[:50]:
        print(complaint)
    print(f"{sum(asked.values())} vectors, {len(complaints)} complaints: "
          + ", ".join(f"{count} {name}" for name, count in asked.most_common()))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
