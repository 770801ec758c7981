#!/usr/bin/env python3
"""Mines training requests from the history that lies before the evaluated items.

    mine.py --benchmark DIR --data dev.jsonl --mirror MIRROR --out hist.jsonl [--each 130]

DIR is the folder of the localization benchmark (its gold rule, message cleaning and path rules are used as they are).
Only ancestors of the parents of the given items are looked at, from the first item on, and no commit of an item, so
that whatever comes later than the data stays unseen. A row has the form of the benchmark's items.
"""
import argparse
import collections
import json
import random
import subprocess
import sys

ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
for name in ("--benchmark", "--data", "--mirror", "--out"):
    ap.add_argument(name, required=True)
ap.add_argument("--each", type=int, default=130, help="at most this many requests a repository")
args = ap.parse_args()
sys.path.insert(0, args.benchmark)
from clean_request import clean, n_words  # noqa: E402
from gold import gold_of, overlap_free  # noqa: E402
from repos import git_dir, in_harness, package_of, parser_of  # noqa: E402
from snapshot import Store  # noqa: E402


def git(store, *arguments):
    return subprocess.run(["git", "-C", store.git, *arguments], capture_output=True, check=True).stdout.decode("utf-8", "replace")


def commits_between(store, items):
    """Commits with their parent, message and changed files, newest first."""
    items = sorted(items, key=lambda item: item["time"])
    arguments = ["log", "--no-merges", "--no-renames", "--raw", "--no-abbrev", "--format=%x01%H%x02%P%x02%ct%x02%B%x03"]
    parents = [item["parent"] for item in items]
    text = git(store, *arguments, *parents, f"^{parents[0]}")
    for record in text.split("\x01")[1:]:
        head, _, raw = record.partition("\x03")
        commit, parent, time, message = head.split("\x02")
        if " " in parent or not parent:
            continue
        changed = [line.split("\t", 1) for line in raw.strip().split("\n") if "\t" in line]
        yield commit, parent, int(time), message, [(meta.split()[4], path) for meta, path in changed]


def row_of(store, commit, parent, time, message, changed):
    request = clean(message)
    if n_words(request) < 4 or len(changed) > 60:
        return None
    source = [(status, path) for status, path in changed if parser_of(store.repo, path)]
    old = [path for status, path in source if status in "MD"]
    new = [path for status, path in source if status == "A"]
    old = [path for path in old if any(path == p and status == "M" for status, p in source)]
    if not old or len(old) > 12 or not any(in_harness(store.repo, path) for path in old):
        return None
    gold = gold_of(store, parent, commit, old, new)
    if not gold or not gold["symbols"] or len(gold["symbols"]) > 40:
        return None
    symbols, files = gold["symbols"], gold["files"]
    for index, own in gold["own"]:
        symbols[index]["sh"] = overlap_free(store, request, symbols[index], own)
    packages = {package_of(store.repo, path) for path in files} - {None}
    kind = []
    if len(files) >= 3 or len(packages) >= 2:
        kind.append("CF")
    elif len(files) == 1 and len(symbols) == 1 and not new:
        kind.append("Q")
    else:
        kind.append("M")
    if any(symbol["sh"] for symbol in symbols):
        kind.append("SH")
    return dict(id=f"{store.repo.replace('/', '+')}-{commit[:10]}", repo=store.repo, commit=commit, parent=parent, time=time, kind=kind,
                request=request, gold_files=files, gold_symbols=symbols)


items = [json.loads(line) for line in open(args.data)]
by_repo = collections.defaultdict(list)
for item in items:
    by_repo[item["repo"]].append(item)
with open(args.out, "w") as out:
    for repo in sorted(by_repo):
        store = Store(repo, args.mirror)
        taken = {item["commit"] for item in by_repo[repo]}
        commits = [commit for commit in commits_between(store, by_repo[repo]) if commit[0] not in taken]
        random.Random(repo).shuffle(commits)
        count = 0
        for commit in commits:
            row = row_of(store, *commit)
            if row:
                row["lang"] = by_repo[repo][0]["lang"]
                out.write(json.dumps(row) + "\n")
                out.flush()
                count += 1
                if count == args.each:
                    break
        print(repo, len(commits), count, file=sys.stderr)
        store.close()
