# SPDX-License-Identifier: Apache-2.0
"""Labelled recordings of a folder, the windows in them, and how they are varied."""

import csv
import gzip
import os

import numpy as np

from features import COUNT, LENGTH, RATE, features, resample

CLASSES = ("stationary", "walking", "running", "cycling", "automotive")
# Labels that leave it open: the model learns that it is one of these.
EITHER = {"train": (0, 4), "automotive_stopped": (0, 4)}
FREE = ("CC BY", "CC0", "MIT", "BSD", "Apache")
GAP = 0.5  # s: over a longer one nothing is remembered


def read(path):
    with (gzip.open(path, "rt") if path.endswith(".gz") else open(path)) as f:
        rows = list(csv.reader(f))
    head, body = rows[0], rows[1:]
    columns = [head.index("acceleration." + c) for c in "xyz"]
    t = np.array([float(r[0]) for r in body])
    a = np.array([[float(r[i] or "nan") for i in columns] for r in body])
    label = np.array([r[head.index("truth.label")] for r in body]) if "truth.label" in head else None
    ok = np.isfinite(a).all(1) & np.concatenate([[True], np.diff(t) > 0])
    return t[ok], a[ok], None if label is None else label[ok]


def source(file, row):
    """Who recorded with what: a repository's data sets of one kind of device."""
    return row["source"].split("@")[0] + " " + file.split("_")[0] + (" " + row["position"] if "st_" in file[:3] else "")


def recordings(folder, walks=None):
    found = []
    with open(os.path.join(folder, "manifest.csv")) as f:
        rows = sorted(csv.DictReader(f), key=lambda r: r["file"])
    for row in rows:
        if not any(word in row["licence"] for word in FREE) or "GPL" in row["licence"]:
            continue
        t, a, label = read(os.path.join(folder, row["file"]))
        found.append(dict(file=row["file"], subject=row["subject"], source=source(row["file"], row),
                          licence=row["licence"], t=t, a=a, label=label, scored=True))
    if walks:
        with open(os.path.join(walks, "manifest.csv")) as f:
            rows = sorted(csv.DictReader(f), key=lambda r: r["file"])
        for row in rows:
            # The whole recording is one walk where there are many steps; a few seconds at its ends may not be.
            steady = float(row["true_steps"]) > float(row["duration_s"]) and float(row["duration_s"]) > 60
            if "GPL" in row["licence"] or not any(w in row["licence"] for w in FREE) or not steady:
                continue
            t, a, _ = read(os.path.join(walks, row["file"]))
            if a.std(0).min() == 0:  # a sensor of one axis
                continue
            ok = (t > t[0] + 8) & (t < t[-1] - 8)
            t, a = t[ok], a[ok]
            found.append(dict(file=row["file"], subject=row["subject"], source=source(row["file"], row),
                              licence=row["licence"], t=t, a=a, label=np.full(len(t), "walking"), scored=False))
    return found


def windows(t, a, label, hop, late=0.0):
    """Features, labels ('' where several) and ends of the windows, one each `hop` values; `fresh` after a gap."""
    out, names, ends, fresh = [], [], [], []
    for part in np.split(np.arange(len(t)), np.flatnonzero(np.diff(t) > GAP) + 1):
        if len(part) < 2 or t[part[-1]] - t[part[0]] < LENGTH + late + 0.05:
            continue
        start, r = resample(t[part], a[part], t[part[0]] + late)
        for k in range(0, len(r) - COUNT + 1, hop):
            begin = start + k / RATE
            out.append(r[k:k + COUNT])
            ends.append(begin + LENGTH)
            fresh.append(k == 0)
            inside = np.unique(label[(t >= begin) & (t < begin + LENGTH)])
            names.append(inside[0] if len(inside) == 1 else "")
    x = features(np.stack(out)) if out else np.zeros((0, 31))
    return x, np.array(names), np.array(ends), np.array(fresh)


def varied(t, a, rng):
    """As another sensor would have recorded somebody a little stronger or weaker: gain of the movement (15 %), scale (5 %),
    rate (12.5 ... 100 Hz), noise (0.5 ... 5 mg) and bias (20 mg). Rotations change no feature."""
    mean = a.mean(0)
    a = (mean + (a - mean) * np.exp(rng.normal(0, 0.15))) * rng.uniform(0.95, 1.05)
    rate = 1 / np.median(np.diff(t))
    want = np.exp(rng.uniform(np.log(12.5), np.log(100)))
    if rate > 1.5 * want:
        k = int(round(rate / want))
        if rng.random() < 0.5:
            n = len(t) // k
            t, a = t[:n * k].reshape(n, k).mean(1), a[:n * k].reshape(n, k, 3).mean(1)
        else:
            first = rng.integers(k)
            t, a = t[first::k], a[first::k]
    noise = np.exp(rng.uniform(np.log(0.0005), np.log(0.005)))
    return t, a + rng.normal(0, noise, a.shape) + rng.normal(0, 0.02, 3)


def resting(count, rng):
    """Simulated rest, which the recordings have of wrists alone: gravity, a sensor's noise, a body's sway, now and then a
    fidget."""
    g = rng.normal(size=(count, 3))
    w = np.repeat((g / np.linalg.norm(g, axis=1, keepdims=True))[:, None], COUNT, 1)
    w = w + rng.normal(size=w.shape) * np.exp(rng.uniform(np.log(0.0003), np.log(0.006), (count, 1, 1)))
    t = np.arange(COUNT) / RATE
    for k in range(count):
        for _ in range(4):
            wave = np.sin(2 * np.pi * (rng.uniform(0.1, 0.6) * t + rng.random()))
            w[k] += wave[:, None] * rng.normal(size=3) * np.exp(rng.uniform(np.log(0.0003), np.log(0.02)))
        if rng.random() < 0.3:
            turn = 1 / (1 + np.exp(-(t - rng.uniform(0.5, 4.5)) / 0.08))
            w[k] += turn[:, None] * rng.normal(size=3) * rng.uniform(0.01, 0.3)
    return features(w)


def prepare(found, rng):
    """Adds to each recording what is trained with, and what it is scored with."""
    for r in found:
        t, a, label = r["t"], r["a"], r["label"]
        r["native"] = windows(t, a, label, 25)
        hop = 100 if t[-1] - t[0] > 300 else 50 if t[-1] - t[0] > 130 else 25
        x, names = [r["native"][0][::hop // 25]], [r["native"][1][::hop // 25]]
        for _ in range(4):
            tv, av = varied(t, a, rng)
            at = np.searchsorted(t, tv).clip(0, len(t) - 1)
            part = windows(tv, av, label[at], hop, rng.uniform(0, 1))
            x.append(part[0])
            names.append(part[1])
        r["x"], names = np.concatenate(x), np.concatenate(names)
        several = [EITHER.get(n) or ((CLASSES.index(n),) if n in CLASSES else ()) for n in names]
        r["x"] = r["x"][[k for k, y in enumerate(several) if y]]
        r["y"] = [y for y in several if y]
    x = resting(150, rng)
    found.append(dict(file="", subject="simulated", source="simulated", licence="", scored=False, x=x, y=[(0,)] * len(x)))
