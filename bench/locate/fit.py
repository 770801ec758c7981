#!/usr/bin/env python3
"""Fits the weights of the ranking and measures them by leaving one repository out.

    fit.py --features dev.features.jsonl hist.features.jsonl [--drop SIGNAL,...] [--write weights.json] [--rows out.json]

Listwise softmax: minimize mean(-sum over right answers (1/|right|) log softmax(score)) + L2 on features divided by their
standard deviation, by L-BFGS; weights are not negative except those named below. Files first; definitions then see
how far their file is behind the best one. Figures are of the first features file, by folds over repositories.
"""
import argparse
import json
import numpy as np
from scipy.optimize import minimize

FREE = {"rank", "rankInFile", "length", "isClass", "file.length", "isText"}
ROW_FROM_FILE = ["file.words", "file.churn", "file.messages", "file.coverage", "file.length", "file.cosine", "file.textCosine"]
# Signals of rows that are of their file and not in the list above, tried with --add.

ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
ap.add_argument("--features", nargs="+", required=True)
ap.add_argument("--drop", default="")
ap.add_argument("--add", default="")
ap.add_argument("--write")
ap.add_argument("--rows")
ap.add_argument("--l2", type=float, default=0.01)
args = ap.parse_args()
drop = set(filter(None, args.drop.split(",")))


def load(path):
    rows = []
    for line in open(path):
        d = json.loads(line)
        if not d["files"] or not d["rows"]:
            d["empty"] = True
        fn, rn = d["fileSignals"], d["rowSignals"]
        keep = [i for i, n in enumerate(rn) if not n.startswith("file.") or n in ROW_FROM_FILE or n in args.add.split(",")]
        fk = [i for i, n in enumerate(fn) if n not in drop]
        rk = [i for i in keep if rn[i] not in drop]
        rows.append(dict(
            id=d["id"], repo=d["repo"], kind=d["kind"], lang=d["lang"], gf=d["goldFiles"], gs=d["goldSymbols"],
            fn=[fn[i] for i in fk], rn=[rn[i] for i in rk],
            F=np.array([[f["values"][i] for i in fk] for f in d["files"]]).reshape(-1, len(fk)),
            fr=np.array([f["right"] for f in d["files"]]), fid=[f["file"] for f in d["files"]],
            R=np.array([[r["values"][i] for i in rk] for r in d["rows"]]).reshape(-1, len(rk)),
            rr=np.array([r["right"] for r in d["rows"]], dtype=int), rf=[r["file"] for r in d["rows"]]))
    return rows


def fit(xs, ys, names):
    """xs: candidates x features, a request each; ys: 1 where right"""
    use = [(x, y) for x, y in zip(xs, ys) if len(y) and y.sum() > 0]
    big = np.concatenate([x for x, _ in use])
    sd = big.std(0) + 1e-9
    starts = np.cumsum([0] + [len(y) for _, y in use])
    seg = np.repeat(np.arange(len(use)), np.diff(starts))
    Z = big / sd
    target = np.concatenate([y / y.sum() for _, y in use])
    n, k = len(use), big.shape[1]

    def loss(w):
        s = Z @ w
        m = np.maximum.reduceat(s, starts[:-1])
        e = np.exp(s - m[seg])
        t = np.add.reduceat(e, starts[:-1])
        logp = s - m[seg] - np.log(t)[seg]
        g = Z.T @ (e / t[seg] - target) / n
        return -(target @ logp) / n + args.l2 / k * (w @ w), g + 2 * args.l2 / k * w

    bounds = [(None, None) if name in FREE else (0, None) for name in names]
    r = minimize(loss, np.full(k, 0.1), jac=True, method="L-BFGS-B", bounds=bounds, options=dict(maxiter=150))
    return r.x / sd


def behind(d, score):
    best = score.max() if len(score) else 0
    worst = (score.min() - best - 1) if len(score) else -1
    known = dict(zip(d["fid"], score - best))
    z = np.array([known.get(f, worst) for f in d["rf"]])
    return np.column_stack([d["R"], z, np.exp(z)])


def train(data):
    wf = fit([d["F"] for d in data], [d["fr"].astype(float) for d in data], data[0]["fn"])
    names = data[0]["rn"] + ["behind", "near"]
    wr = fit([behind(d, d["F"] @ wf) for d in data], [(d["rr"] >= 0).astype(float) for d in data], names)
    return wf, wr


def measure(d, wf, wr):
    s = d["F"] @ wf
    order = np.argsort(-s, kind="stable")
    r = behind(d, s) @ wr
    ro = np.argsort(-r, kind="stable")
    found = lambda k: len({int(i) for i in d["rr"][ro[:k]] if i >= 0}) / max(1, d["gs"])
    return dict(f1=d["fr"][order[:1]].sum() / d["gf"], f5=d["fr"][order[:5]].sum() / d["gf"], s5=found(5), s10=found(10), s20=found(20))


sets = [load(p) for p in args.features]
everything = [d for s in sets for d in s if "F" in d]
repos = sorted({d["repo"] for d in everything})
results = {}
for repo in repos:
    wf, wr = train([d for d in everything if d["repo"] != repo])
    for d in everything:
        if d["repo"] == repo:
            results[d["id"]] = measure(d, wf, wr)
rng = np.random.default_rng(0)


def line(name, rows):
    out = f"{name:16} n={len(rows):5}"
    for m in ("f1", "f5", "s5", "s10", "s20"):
        v = np.array([results[d["id"]][m] for d in rows])
        b = v[rng.integers(0, len(v), (2000, len(v)))].mean(1)
        out += f"  {m} {v.mean():.3f} [{np.percentile(b, 2.5):.3f},{np.percentile(b, 97.5):.3f}]" if m in ("f5", "s10") else f"  {m} {v.mean():.3f}"
    print(out)


for path, data in zip(args.features, sets):
    print(path)
    line("all", data)
    for kind in ("SH", "CF", "M", "Q"):
        line(kind, [d for d in data if kind in d["kind"]])
    if path == args.features[0]:
        for lang in sorted({d["lang"] for d in data}):
            line(lang, [d for d in data if d["lang"] == lang])
wf, wr = train(everything)
first = everything[0]
result = dict(file=dict(zip(first["fn"], np.round(wf, 3).tolist())), row=dict(zip(first["rn"] + ["behind", "near"], np.round(wr, 3).tolist())))
print(json.dumps(result))
if args.write:
    json.dump(result, open(args.write, "w"), indent=2)
if args.rows:
    json.dump(results, open(args.rows, "w"))
