"""What the adapters share: JSON Lines in and out, and reading a question."""
import importlib.metadata
import json
import math
import sys


class Unsupported(Exception):
    """The library does not offer this; the text says what."""


def text_of(value):
    """A number as JSON takes it: NaN and infinities as texts."""
    value = float(value)
    return repr(value) if not math.isfinite(value) else value


def only_phase(question):
    phases = question["release"]["phases"]
    if len(phases) != 1:
        raise Unsupported("one phase alone")
    return phases[0]


def need(condition, what):
    if not condition:
        raise Unsupported(what)


def probability(phase):
    """The sampling probability: as it is given, or batch over data set; `Unsupported` where it is what is asked."""
    given, batch = phase.get("sampling_probability"), phase.get("batch_size")
    need(given is not None or batch is not None, "solving for the sampling rate")
    return float(given) if given is not None else batch / phase["dataset_size"]


def upper(value):
    return {"value": text_of(value), "claims": "upper"}


def estimate(value):
    return {"value": text_of(value), "claims": "estimate"}


def installed(package, accountant=""):
    """What is on trial: a package, its version, and which of its accountants."""
    return f"{package} {importlib.metadata.version(package)} {accountant}".rstrip()


def serve(answer, library=""):
    """Answers every line of standard input by `answer(question)`: upper(..), estimate(..) or {"interval": [..]}."""
    print(json.dumps({"id": None, "ready": True, "library": library}), flush=True)
    for line in sys.stdin:
        if not line.strip():
            continue
        question = json.loads(line)
        try:
            reply = answer(question)
        except Unsupported as reason:
            reply = {"unsupported": str(reason)}
        except Exception as error:  # whatever the library raises is its answer
            reply = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
        print(json.dumps({"id": question["id"], **reply}), flush=True)
