#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the model of ActivityRecognizer, judges it on people and on sources it has not seen, and writes it as Swift.

    make train DATA=folders [WALKS=folders] [HANDLED=folder]

Each folder of DATA has a manifest.csv (file, source, subject, position, licence) and recordings with a column truth.label;
of WALKS one with true_steps and duration_s, whose recordings are walks, or no walks where there are few steps; HANDLED is
the BROAD data set, whose sensors were moved by hand. Recordings under GPL and AGPL are left out. The same data give the
same model: the seed is fixed.
"""

import argparse
import datetime
import os
import sys
from collections import Counter

import numpy as np

from features import NAMES
from recordings import CLASSES, prepare, read, recordings, windows
from smoother import Smoother

SEED = 8
HIDDEN = 16
# Other movement is no class of its own in the world: it must not outweigh what is.
OTHER = 0.3
N = len(CLASSES)
LIMIT = 3.0  # a feature counts for no more than so many standard deviations
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
GOLDEN = ("walk-hand", "run-wrist", "drive", "cycle-phone", "rest-wrist")


def weights(part):
    """All classes alike; within one, a source by the root of its windows."""
    keys = [(r["source"], y) for r in part for y in r["y"]]
    size = Counter(keys)
    raw = np.array([size[k] ** -0.5 for k in keys])
    whole = Counter()
    for (_, y), w in zip(keys, raw):
        whole[y] += w
    return np.array([w / whole[y] * (OTHER if y == (5,) else 1 if len(y) == 1 else 0.3) for (_, y), w in zip(keys, raw)])


def train(part, steps=2500, batch=256, rate=3e-3, noise=0.3, decay=3e-2):
    """A perceptron of one hidden layer, by Adam, with noise on its inputs: (mean, deviation, weights and biases of both
    layers)."""
    rng = np.random.default_rng(SEED)
    part = [r for r in part if len(r["x"])]
    x = np.concatenate([r["x"] for r in part])
    y = np.zeros((len(x), N))
    for row, several in zip(y, [several for r in part for several in r["y"]]):
        row[list(several)] = 1
    w = weights(part)
    w = w / w.sum()
    mean = w @ x
    deviation = np.sqrt(w @ (x - mean) ** 2) + 1e-3
    z = ((x - mean) / deviation).clip(-LIMIT, LIMIT)
    picks = np.searchsorted(np.cumsum(w), rng.random((steps, batch))).clip(0, len(x) - 1)
    inputs = x.shape[1]
    p = [rng.normal(0, inputs ** -0.5, (inputs, HIDDEN)), np.zeros(HIDDEN),
         rng.normal(0, HIDDEN ** -0.5, (HIDDEN, N)), np.zeros(N)]
    first, second = [np.zeros_like(v) for v in p], [np.zeros_like(v) for v in p]
    for s in range(1, steps + 1):
        i = picks[s - 1]
        zi = z[i] + rng.normal(0, noise, (batch, inputs))
        h = np.tanh(zi @ p[0] + p[1])
        q = h @ p[2] + p[3]
        q = np.exp(q - q.max(1, keepdims=True))
        q /= q.sum(1, keepdims=True)
        # Where several classes may be right, as likely as the model holds them.
        truth = q * y[i]
        truth /= truth.sum(1, keepdims=True) + 1e-12
        g = (q - truth) / batch
        gh = (g @ p[2].T) * (1 - h * h)
        speed = rate * 0.5 * (1 + np.cos(np.pi * s / steps))
        for j, gradient in enumerate((zi.T @ gh, gh.sum(0), h.T @ g, g.sum(0))):
            first[j] = 0.9 * first[j] + 0.1 * gradient
            second[j] = 0.999 * second[j] + 0.001 * gradient ** 2
            change = first[j] / (1 - 0.9 ** s) / (np.sqrt(second[j] / (1 - 0.999 ** s)) + 1e-8)
            p[j] = p[j] - speed * (change + (decay * p[j] if p[j].ndim == 2 else 0))
    return mean, deviation, *p


def logits(model, x):
    mean, deviation, w1, b1, w2, b2 = model
    return np.tanh(((x - mean) / deviation).clip(-LIMIT, LIMIT) @ w1 + b1) @ w2 + b2


def judge(evidence, found):
    """Windows, and the whole chain every 5 s from the tenth on: two confusion matrices, (belief, right), latencies."""
    single, chain, sure, late = np.zeros((N, N)), np.zeros((N, N)), [], []
    others = {}
    for r in found:
        if r["file"] not in evidence:
            continue
        x, names, ends, fresh = r["native"]
        o = evidence[r["file"]]
        for name, guess in zip(names, o.argmax(1) if len(o) else ()):
            if name in CLASSES:
                single[CLASSES.index(name), guess] += 1
        smoother = Smoother()
        said = [smoother.add(v, w, f) for v, w, f in zip(o, x, fresh)]
        t, label = r["t"], r["label"]
        for start in np.arange(t[0] + 10, t[-1] - 5, 5.0):
            inside = np.unique(label[(t >= start) & (t < start + 5)])
            if len(inside) != 1 or inside[0] not in CLASSES:
                continue
            k = np.searchsorted(ends, start + 5 + 1e-6, side="right") - 1
            current, car, belief = said[k] if k >= 0 else (None, False, 0)
            guess = 5 if current is None else 4 if car else current
            chain[CLASSES.index(inside[0]), guess] += 1
            if inside[0] == "other":
                others.setdefault(r["source"], np.zeros(N, int))[guess] += 1
                continue
            sure.append((belief, guess == CLASSES.index(inside[0])))
        # From where a label begins to the first right answer.
        edges = np.concatenate([[0], np.flatnonzero(label[1:] != label[:-1]) + 1, [len(t)]])
        for a, b in zip(edges[:-1], edges[1:]):
            if label[a] in CLASSES[:5] and t[b - 1] - t[a] >= 20:
                right = [e for e, s in zip(ends, said) if t[a] < e <= t[b - 1]
                         and s[0] is not None and CLASSES[4 if s[1] else s[0]] == label[a]]
                late.append((a > 0, right[0] - t[a] if right else np.inf))
    return single, chain, sure, late, others


def f1(m):
    return np.array([2 * m[i, i] / max(m[i].sum() + m[:5, i].sum(), 1) for i in range(5)])


def table(m, title):
    print(title)
    print("  %-12s" % "truth" + "".join("%12s" % c for c in CLASSES[:5] + ("none",)) + "%8s" % "F1")
    for i, c in enumerate(CLASSES):
        print("  %-12s" % c + "".join("%12d" % v for v in m[i]) + ("%8.3f" % f1(m)[i] if i < 5 else ""))
    print("  macro-F1 %.3f of the five   accuracy %.3f   windows %d\n" % (
        f1(m).mean(), np.trace(m[:5]) / m[:5].sum(), m[:5].sum()))


def validate(found, by):
    evidence = {}
    for held in sorted({r[by] for r in found if r["scored"]}):
        model = train([r for r in found if r[by] != held])
        for r in found:
            if r[by] == held and r["scored"]:
                evidence[r["file"]] = logits(model, r["native"][0])
    single, chain, sure, late, others = judge(evidence, found)
    table(single, "leave one %s out, single windows" % by)
    table(chain, "leave one %s out, the whole chain" % by)
    for name, counts in sorted(others.items()):
        print("  other, %s: %s" % (name, counts))
    sure = np.array(sure)
    for low, high in ((0, 0.9), (0.9, 0.98), (0.98, 1.01)):
        k = (sure[:, 0] >= low) & (sure[:, 0] < high)
        print("  belief %.2f ... %.2f: %4d windows, %.3f right" % (low, min(high, 1), k.sum(), sure[k, 1].mean()))
    for change, what in ((False, "first answer"), (True, "after a change")):
        times = np.array([t for c, t in late if c == change])
        if len(times):
            print("  %s: right after %.1f s (p50), %.1f s (p90), of %d, never %d" % (
                what, np.percentile(times, 50, method="lower"), np.percentile(times, 90, method="lower"), len(times),
                np.isinf(times).sum()))
    print()
    return f1(chain).mean()


def write(model, found, scores):
    mean, deviation, w1, b1, w2, b2 = model
    data = sorted({"%s (%s)" % (r["source"], r["licence"].split(" (")[0]) for r in found if r["file"]})
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// Written by `make train` (Training/activity) on %s, seed %d." % (datetime.date.today(), SEED),
             "// Macro-F1 of the whole chain: %.3f leaving one subject out, %.3f leaving one source out." % scores,
             "// Trained on:"]
    lines += ["// - " + d for d in data]
    lines += ["// and on simulated rest and handling.", "", "extension ActivityModel {"]

    def numbers(name, values, order=None):
        lines.extend(["  /// " + order] if order else [])
        lines.append("  static let %s: InlineArray<%d, Float> = [" % (name, len(values)))
        for k in range(0, len(values), 6):
            lines.append("    " + ", ".join("%.5g" % v for v in values[k:k + 6]) + ",")
        lines.append("  ]")
    numbers("means", mean)
    numbers("deviations", deviation)
    numbers("hiddenWeights", w1.T.ravel(), "One hidden unit after the other.")
    numbers("hiddenBiases", b1)
    numbers("weights", w2.T.ravel(), "One class after the other.")
    numbers("biases", b2)
    lines.append("}")
    with open(os.path.join(ROOT, "Sources/Core/Recognition/Activity/ActivityModel+Trained.swift"), "w") as f:
        f.write("\n".join(lines) + "\n")
    # What the tests hold the Swift to: of the rounded parameters, as Swift has them.
    short = [np.array([float(np.float32("%.5g" % v)) for v in p.ravel()]).reshape(p.shape) for p in model]
    folder = os.path.join(ROOT, "Tests/RecognitionTests/Recordings")
    with open(os.path.join(folder, "activity-golden.csv"), "w") as f:
        f.write("end,recording," + ",".join("feature%d" % k for k in range(len(NAMES))) + "," + ",".join(CLASSES) + "\n")
        for index, name in enumerate(GOLDEN):
            t, a, _ = read(os.path.join(folder, name + ".csv"))
            x, _, ends, _ = windows(t, a, np.full(len(t), ""), 25)
            for k in (0, 7):
                values = list(x[k]) + list(logits(short, x[k]))
                f.write("%.9g,%d," % (ends[k], index) + ",".join("%.9g" % v for v in values) + "\n")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", nargs="+")
    options.add_argument("--walks", nargs="*", default=[])
    options.add_argument("--handled")
    options = options.parse_args()
    found = recordings(options.data, options.walks, options.handled)
    if not found:
        sys.exit("train: no recordings that may be used in " + ", ".join(options.data))
    prepare(found, np.random.default_rng(SEED))
    print("%d recordings, %d windows\n" % (len(found) - 2, sum(len(r["x"]) for r in found)), flush=True)
    model = train(found)
    scores = (validate(found, "subject"), validate(found, "source"))
    shipped = {r["file"]: logits(model, r["native"][0]) for r in found if r["scored"]}
    table(judge(shipped, found)[1], "the parameters themselves, on what they were trained with")
    write(model, found, scores)


if __name__ == "__main__":
    main()
