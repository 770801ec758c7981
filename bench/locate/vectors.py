#!/usr/bin/env python3
"""Trains the table of term vectors from the history of public harness repositories.

    vectors.py --benchmark DIR --data dev.jsonl --mirror MIRROR --out DIR [--terms 16000] [--dims 128] [--only all|OWNER/NAME,...]

Documents are commits (words of the message with the most telling of the changed identifiers, definitions and file names)
and definitions (their most telling words). Only what lies before the evaluated items is read: ancestors of the last
item's parent of each repository. Written are `all.bin` (every repository) and one table for each repository that knows of it
only what lies before its first item; those are for measuring. A table holds stemmed words and numbers, no text of
any source: co-occurrence -> positive pointwise mutual information with smoothed contexts (Levy, Goldberg, Dagan 2015) -> truncated SVD
(Halko, Martinsson, Tropp 2011) -> unit length -> int8.
"""
import argparse
import collections
import json
import math
import os
import pickle
import re
import subprocess
import sys
import numpy as np
from scipy import sparse

ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
for name in ("--benchmark", "--data", "--mirror", "--out"):
    ap.add_argument(name, required=True)
ap.add_argument("--terms", type=int, default=16000)
ap.add_argument("--dims", type=int, default=128)
ap.add_argument("--only", default="")
args = ap.parse_args()
sys.path.insert(0, args.benchmark)
from gold import STOP  # noqa: E402
from repos import git_dir, parser_of  # noqa: E402
from snapshot import IDENT, Store, split_ident  # noqa: E402

BEST, COMMITS, LINES = 45, 4000, 600
TRAILER = re.compile(r"^\s*(?:[-*]\s*)?(?:co-?authored-by|signed-off-by|reviewed-by|change-id|generated|assisted-by|acked-by|tested-by|cherry).*$", re.I | re.M)
memo = {}


def terms_of(text):
    out = []
    for ident in IDENT.findall(text):
        t = memo.get(ident)
        if t is None:
            stems, comp = split_ident(ident)
            t = memo[ident] = stems + ([comp] if comp else [])
        out += t
    return out


def commit_documents(repo, head):
    """(id, message terms, counts of code terms) of the ancestors of a commit"""
    process = subprocess.Popen(
        ["git", "-C", git_dir(repo, args.mirror), "log", "--no-merges", "--no-renames", "--no-ext-diff", "-p", "-U0", "-w", "--no-prefix", "--format=%x01%H%n%B%x02",
         f"--max-count={COMMITS}", head, "--", "*.py", "*.ts", "*.tsx", "*.go", "*.rs", "*.js", "*.md", "*.j2", "*.hbs", "*.yaml", "*.toml", "*.proto"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "GIT_NO_LAZY_FETCH": "1"})
    current, message, code, path, lines, in_message = None, [], None, None, 0, False
    for raw in process.stdout:
        line = raw.decode("utf-8", "replace").rstrip("\n")
        if line.startswith("\x01"):
            if current and code:
                yield current, terms_of(TRAILER.sub(" ", "\n".join(message))), code
            current, message, code, path, lines, in_message = line[1:], [], collections.Counter(), None, 0, True
        elif in_message:
            in_message = not line.endswith("\x02")
            message.append(line.rstrip("\x02"))
        elif line.startswith(("+++ ", "--- ")):
            p = line[4:].rstrip("\t")
            if p != "/dev/null":
                path = p if parser_of(repo, p) else None
                if path:
                    code.update(terms_of(path.rsplit("/", 1)[-1]))
        elif path and lines < LINES and (line[:1] in "+-" or line.startswith("@@")) and len(line) < 400:
            lines += 1
            code.update(terms_of(line[1:] if line[:1] in "+-" else line.split("@@")[-1]))
    if current and code:
        yield current, terms_of(TRAILER.sub(" ", "\n".join(message))), code


def definition_documents(store, commit):
    names = {i: t for t, i in store.vocab.items()}
    for path, sha, parser in store.tree(commit):
        blob = store.blob(sha, parser)
        names.update((i, t) for t, i in list(store.vocab.items())[len(names):])
        base = terms_of(path.rsplit("/", 1)[-1].rsplit(".", 1)[0])
        for at, symbol in enumerate(blob.symbols):
            own = blob.tok[blob.owner == at]
            if symbol.test or len(own) < 8:
                continue
            code = collections.Counter(names[i] for i in own.tolist())
            code.update(terms_of(symbol.name))
            code.update(base)
            yield f"{path}#{symbol.name}", code


def gather():
    """All documents with the repository and whether they are older than its first item."""
    cached = os.path.join(args.out, "documents.pickle")
    if os.path.exists(cached):
        return pickle.load(open(cached, "rb"))
    by_repo, documents = collections.defaultdict(list), []
    for line in open(args.data):
        item = json.loads(line)
        by_repo[item["repo"]].append(item)
    for repo, items in sorted(by_repo.items()):
        items.sort(key=lambda item: item["time"])
        first, last = items[0]["parent"], items[-1]["parent"]
        old = set(subprocess.run(["git", "-C", git_dir(repo, args.mirror), "rev-list", first], capture_output=True, text=True, check=True).stdout.split())
        for commit, message, code in commit_documents(repo, last):
            documents.append((repo, commit in old, message, code))
        store = Store(repo, args.mirror)
        early = set()
        for key, code in definition_documents(store, first):
            early.add((key, sum(code.values())))
            documents.append((repo, True, [], code))
        for key, code in definition_documents(store, last):
            if (key, sum(code.values())) not in early:
                documents.append((repo, False, [], code))
        store.close()
        print(repo, len(documents), file=sys.stderr, flush=True)
    pickle.dump(documents, open(cached, "wb"))
    return documents


def useful(term):
    return term not in STOP and 1 < len(term) <= 40


def train(documents):
    df = collections.Counter()
    for _, _, message, code in documents:
        df.update({t for t in (*message, *code) if useful(t)})
    vocabulary = [t for t, n in df.most_common(args.terms) if n >= 6]
    ids = {t: i for i, t in enumerate(vocabulary)}
    n = len(documents)
    idf = {t: math.log(1 + n / df[t]) for t in vocabulary}
    rows, cols, weights = [], [], []
    for at, (_, _, message, code) in enumerate(documents):
        best = sorted((t for t in code if t in ids), key=lambda t: -idf[t] * (1 + math.log(code[t])))[:BEST]
        own = {ids[t] for t in best} | {ids[t] for t in message[:120] if t in ids}
        if len(own) < 2:
            continue
        rows += [at] * len(own)
        cols += own
        weights += [1 / math.sqrt(max(len(own), 4))] * len(own)
    d = sparse.csr_matrix((np.array(weights, dtype=np.float32), (rows, cols)), shape=(n, len(vocabulary)))
    c = (d.T @ d).tocoo()
    keep = c.row != c.col
    r, k, v = c.row[keep], c.col[keep], c.data[keep].astype(np.float64)
    total, word = v.sum(), np.bincount(r, v, len(vocabulary))
    context = word ** 0.75
    context /= context.sum()
    pmi = np.log(v / np.maximum(word[r] * context[k], 1e-12))
    good = pmi > 0
    m = sparse.csr_matrix((pmi[good].astype(np.float32), (r[good], k[good])), shape=(len(vocabulary),) * 2)
    print(f"{n} documents, {len(vocabulary)} terms, {m.nnz} pairs, total {total:.0f}", file=sys.stderr, flush=True)
    rng = np.random.default_rng(0)
    q = rng.standard_normal((len(vocabulary), args.dims + 16)).astype(np.float32)
    for _ in range(4):
        q, _ = np.linalg.qr(m @ (m.T @ q))
    u, s, _ = np.linalg.svd((m.T @ q).T, full_matrices=False)
    e = (q @ u)[:, :args.dims] * np.sqrt(s[:args.dims])
    e /= np.linalg.norm(e, axis=1, keepdims=True) + 1e-9
    return vocabulary, e


def write(path, vocabulary, e):
    """`HMV1`, counts of terms and dimensions and bytes of the words, the words by line, int8 rows (127 is the row's largest)"""
    words = "\n".join(vocabulary).encode()
    scale = np.maximum(np.abs(e).max(1, keepdims=True), 1e-9)
    q = np.round(e / scale * 127).astype(np.int8)
    with open(path, "wb") as f:
        f.write(b"HMV1" + np.array([len(vocabulary), e.shape[1], len(words)], dtype="<u4").tobytes() + words + q.tobytes())


os.makedirs(args.out, exist_ok=True)
documents = gather()
repos = sorted({d[0] for d in documents})
for held in args.only.split(",") if args.only else ["all", *repos]:
    vocabulary, e = train([d for d in documents if d[0] != held or d[1]])
    write(os.path.join(args.out, f"{held.replace('/', '+')}.bin"), vocabulary, e)
    print(held, file=sys.stderr, flush=True)
