"""Starts the recorder in a Python process that `harnessmith record` made, then the sitecustomize that would have run."""

import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _start():
    settings = os.environ.get("HARNESSMITH_RECORDING")
    if not settings:
        return
    try:
        import harnessmith_recorder

        harnessmith_recorder.start(settings)
    except Exception as error:  # a recording that fails must not stop the program that is recorded
        sys.stderr.write("harnessmith: this process is not recorded: %s\n" % error)


def _chain():
    """The environment may have a sitecustomize of its own; it is found once this folder is out of the way."""
    kept = [path for path in sys.path if os.path.abspath(path or ".") != _here]
    sys.path[:] = kept
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


_start()
_chain()
