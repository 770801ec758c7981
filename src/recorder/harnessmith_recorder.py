"""
Records which functions of a harness run, between which model calls.

Only entries are counted, per window: before the first model call, during the n-th, after it. No argument, value or text is
looked at. Lines are appended to a file of this process; see docs/links.md for the format. Works from Python 3.6 on, without
packages: `sys.monitoring` where it exists (3.12), else `sys.setprofile`.
"""

import atexit
import json
import os
import sys
import threading
import time

# Functions of libraries that ask a model, by the end of their file and their name.
SDK_CALLS = {
    "litellm/main.py": ("completion", "acompletion"),
    "litellm/responses/main.py": ("responses", "aresponses"),
    "openai/resources/chat/completions.py": ("create", "parse"),
    "openai/resources/chat/completions/completions.py": ("create", "parse"),
    "openai/resources/responses/responses.py": ("create", "parse"),
    "anthropic/resources/messages.py": ("create", "stream"),
    "anthropic/resources/messages/messages.py": ("create", "stream"),
    "google/genai/models.py": ("generate_content", "generate_content_stream"),
    "google/generativeai/generative_models.py": ("generate_content", "generate_content_async"),
}
# Entries wait so long at most, so that a process that is killed leaves what it did.
FLUSH_SECONDS = 1.0
GENERATORS = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators


class Stream:
    """The windows of one thread."""

    def __init__(self, name):
        self.name = name
        self.phase = "before"
        self.call = 0
        self.depth = 0
        self.since = time.time()
        self.counts = {}


class Recorder:
    def __init__(self, settings):
        self.out = settings["out"]
        self.roots = tuple(os.path.join(os.path.realpath(root), "") for root in settings["roots"])
        self.skipped = tuple(os.path.join(root, name) for root in self.roots for name in (".harnessmith", ".git", ".venv", "venv"))
        self.models = {}
        for place in settings["models"]:
            self.models.setdefault(os.path.realpath(place["file"]), []).append(place)
        self.local = threading.local()
        self.lock = threading.RLock()
        self.reset()

    def reset(self):
        """Also after a fork: the child has its own file and has counted nothing."""
        self.known = {}
        self.streams = []
        self.file = None
        self.functions = 0
        self.local.stream = None

    def stream(self):
        found = getattr(self.local, "stream", None)
        if found is None:
            found = Stream("%d-%d" % (os.getpid(), threading.get_ident()))
            self.local.stream = found
            self.streams.append(found)
        return found

    def entry(self, code):
        """Number of a function of the harness and whether it asks a model; (None, False) for other code."""
        file = code.co_filename
        if not os.path.isabs(file):
            return (None, False) if file.startswith("<") else self.entry_in(os.path.abspath(file), code)
        return self.entry_in(file, code)

    def entry_in(self, file, code):
        name = code.co_name
        for end, names in SDK_CALLS.items():
            if name in names and file.replace("\\", "/").endswith("/" + end):
                return (None, True)
        real = os.path.realpath(file)
        if not real.startswith(self.roots) or real.startswith(self.skipped) or "site-packages" in real[len(self.root_of(real)):]:
            return (None, False)
        if name == "<module>":
            return (None, False)
        self.functions += 1
        number = self.functions
        asks = any(
            place["name"] == name and place["start"] - 10 <= code.co_firstlineno <= place["end"]
            for place in self.models.get(real, ())
        )
        self.write(
            {"kind": "function", "id": number, "file": real, "name": getattr(code, "co_qualname", name), "line": code.co_firstlineno}
        )
        return (number, asks)

    def root_of(self, real):
        return next(root for root in self.roots if real.startswith(root))

    def entered(self, code):
        """Returns (number, asks) after counting the entry."""
        found = self.known.get(code)
        if found is None:
            found = self.known[code] = self.entry(code)
        number, asks = found
        if number is None and not asks:
            return found
        stream = self.stream()
        if asks:
            if stream.depth == 0:
                self.close(stream, "model", stream.call + 1)
            stream.depth += 1
        if number is not None:
            stream.counts[number] = stream.counts.get(number, 0) + 1
            if time.time() - stream.since > FLUSH_SECONDS:
                self.close(stream, stream.phase, stream.call)
        return found

    def left(self):
        stream = self.stream()
        if stream.depth == 0:
            return
        stream.depth -= 1
        if stream.depth == 0:
            self.close(stream, "after", stream.call)

    def close(self, stream, phase, call):
        """Writes the open window of a stream and opens the next."""
        now = time.time()
        self.write(
            {
                "kind": "window",
                "stream": stream.name,
                "phase": stream.phase,
                "call": stream.call,
                "from": round(stream.since, 4),
                "to": round(now, 4),
                "functions": sorted(stream.counts.items()),
            }
        )
        stream.phase, stream.call, stream.since, stream.counts = phase, call, now, {}

    def write(self, record):
        with self.lock:
            if self.file is None:
                name = "python-%d-%d.jsonl" % (os.getpid(), int(time.time() * 1e6))
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
                self.file = os.open(os.path.join(self.out, name), flags, 0o600)
                self.write({"kind": "process", "language": "python", "pid": os.getpid(), "parent": os.getppid(), "started": time.time()})
            os.write(self.file, (json.dumps(record, separators=(",", ":")) + "\n").encode("utf-8", "replace"))

    def finish(self):
        for stream in list(self.streams):
            if stream.counts:
                self.close(stream, stream.phase, stream.call)


def start(settings_file):
    with open(settings_file, "rb") as file:
        settings = json.loads(file.read().decode("utf-8"))
    recorder = Recorder(settings)
    if hasattr(sys, "monitoring"):
        watch_monitoring(recorder)
    else:
        watch_profile(recorder)
    atexit.register(recorder.finish)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=recorder.finish, after_in_child=recorder.reset)


def watch_monitoring(recorder):
    """Code outside the harness is switched off after its first entry, so it costs nothing."""
    monitoring = sys.monitoring
    events = monitoring.events
    tool = next((number for number in (4, 3, 5, 2) if monitoring.get_tool(number) is None), None)
    if tool is None:
        raise RuntimeError("all tools of sys.monitoring are taken")
    monitoring.use_tool_id(tool, "harnessmith")
    asking = set()

    def on_start(code, _offset):
        number, asks = recorder.entered(code)
        if asks:
            if code not in asking:
                asking.add(code)
                monitoring.set_local_events(tool, code, events.PY_RETURN)
            return None
        return monitoring.DISABLE if number is None else None

    def on_return(code, _offset, _value):
        if code in asking:
            recorder.left()

    def on_unwind(code, _offset, _error):
        if code in asking:
            recorder.left()

    monitoring.register_callback(tool, events.PY_START, on_start)
    monitoring.register_callback(tool, events.PY_RETURN, on_return)
    monitoring.register_callback(tool, events.PY_UNWIND, on_unwind)
    monitoring.set_events(tool, events.PY_START | events.PY_UNWIND)


def watch_profile(recorder):
    """A call is also reported when a generator goes on, and a return when it waits."""
    import opcode

    waits = {opcode.opmap[name] for name in ("YIELD_VALUE", "YIELD_FROM", "SEND") if name in opcode.opmap}
    resume = opcode.opmap.get("RESUME")
    open_frames = {}

    def is_waiting(at, instructions):
        if 0 <= at < len(instructions) and instructions[at] in waits:
            return True
        # Before 3.11 a frame that waits stands in front of the instruction it will repeat.
        return resume is None and at + 2 < len(instructions) and instructions[at + 2] == opcode.opmap["YIELD_FROM"]

    def goes_on(frame, code):
        at = frame.f_lasti
        if resume is None:
            return at >= 0
        return 0 <= at < len(code.co_code) - 1 and code.co_code[at] == resume and code.co_code[at + 1] & 3 != 0

    def on_event(frame, event, _argument):
        if event != "call" and event != "return":
            return
        code = frame.f_code
        found = recorder.known.get(code)
        if found is not None and found[0] is None and not found[1]:
            return
        if event == "call":
            if code.co_flags & GENERATORS and goes_on(frame, code):
                return
            _, asks = recorder.entered(code)
            if asks:
                open_frames[id(frame)] = frame
        elif found is not None and found[1] and id(frame) in open_frames:
            if code.co_flags & GENERATORS and is_waiting(frame.f_lasti, code.co_code):
                return
            del open_frames[id(frame)]
            recorder.left()

    threading.setprofile(on_event)
    sys.setprofile(on_event)
