# SPDX-License-Identifier: Apache-2.0
"""Labelled recordings of a folder, the windows in them, and how they are varied."""

import csv
import gzip
import os

import numpy as np

from features import COUNT, LENGTH, NAMES, RATE, features, resample

CLASSES = ("stationary", "walking", "running", "cycling", "automotive", "other")
# Labels that leave it open: the model learns that it is one of these.
EITHER = {"train": (0, 4), "automotive_stopped": (0, 4), "transition": (0, 1, 5),
          "cycling_stopped": (0, 3), "drive": (0, 4, 5), "day": (0, 1, 5)}
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
    if row["source"] == "BROAD":
        return "BROAD"
    return row["source"].split("@")[0] + " " + file.split("_")[0] + (" " + row["position"] if "st_" in file[:3] else "")


def pottering(path, t):
    """What somebody does at home is other where no step is within 1.5 s."""
    with open(path.replace(".csv.gz", ".steps.csv")) as f:
        steps = np.array([float(v) for v in f.read().split()[1:]])
    i = np.searchsorted(steps, t).clip(1, len(steps) - 1)
    return np.where(np.minimum(abs(steps[i] - t), abs(steps[i - 1] - t)) < 1.5, "", "other")


def moving(t, a):
    """What is held in hands is other where it moves: more than 30 mg in 2 s."""
    n = int(1 / np.median(np.diff(t)))
    size = [a[max(0, k - n):k + n].std(0).max() for k in range(0, len(a), n // 4)]
    return np.where(np.repeat(size, n // 4)[:len(a)] > 0.03, "other", "")


def usable(row):
    """Parameters that are trained with GPL data might be theirs."""
    return "GPL" not in row["licence"]


def manifest(folder):
    with open(os.path.join(folder, "manifest.csv")) as f:
        return [r for r in sorted(csv.DictReader(f), key=lambda r: r["file"]) if usable(r)]


def recordings(folders, walks=(), handled=None):
    found = []

    def add(row, t, a, label, scored=True):
        found.append(dict(file=row["file"], subject=row["subject"], source=source(row["file"], row),
                          licence=row["licence"], t=t, a=a, label=label, scored=scored))
    for folder in folders:
        for row in manifest(folder):
            add(row, *read(os.path.join(folder, row["file"])))
    for folder, row in [(f, r) for f in walks for r in manifest(f)]:
        if float(row["duration_s"]) < 40:
            continue
        name = row["file"]
        path = os.path.join(folder, name)
        t, a, _ = read(path)
        pace = float(row["true_steps"]) / float(row["duration_s"])
        if pace > 1 and not line(a):
            # The whole recording is one walk where there are many steps; a few seconds at its ends may not be.
            ok = (t > t[0] + 8) & (t < t[-1] - 8)
            add(row, t[ok], a[ok], np.full(ok.sum(), "walking"), scored=False)
        elif pace < 0.2 or pace < 0.5 and not line(a):
            if os.path.exists(path.replace(".csv.gz", ".steps.csv")):
                label = pottering(path, t)
            else:
                label = np.full(len(t), "drive" if "drive" in name else "other" if pace == 0 else "day")
            ok = t > t[0] + 1
            add(row, t[ok], a[ok], label[ok])
    for name in sorted(os.listdir(handled)) if handled else ():
        if name.endswith(".csv.gz") and ".ref" not in name:
            t, a, _ = read(os.path.join(handled, name))
            add(dict(file=name, subject="broad", source="BROAD", position="hand", licence="CC BY 4.0"), t, a, moving(t, a))
    return found


def line(a):
    """Whether the sensor has one axis."""
    return a.std(0).min() == 0


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
    x = features(np.stack(out)) if out else np.zeros((0, len(NAMES)))
    return x, np.array(names), np.array(ends), np.array(fresh)


def varied(t, a, rng):
    """As another sensor would have recorded somebody a little stronger or weaker: gain of the movement (20 %), scale (5 %),
    gain of what is faster than 1 ... 4 Hz (30 %), rate (12.5 ... 100 Hz), noise (0.2 ... 10 mg), bias (20 mg), resolution
    (1 ... 16 mg), and at times the magnitude alone. Rotations change no feature."""
    mean = a.mean(0)
    a = (mean + (a - mean) * np.exp(rng.normal(0, 0.2))) * rng.uniform(0.95, 1.05)
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
    if rng.random() < 0.5:
        share = 1 - np.exp(-2 * np.pi * rng.uniform(1, 4) * np.median(np.diff(t)))
        slow, now = np.empty_like(a), a[0].copy()
        for k, value in enumerate(a):
            now += share * (value - now)
            slow[k] = now
        a = slow + (a - slow) * np.exp(rng.normal(0, 0.3))
    noise = np.exp(rng.uniform(np.log(0.0002), np.log(0.01)))
    a = a + rng.normal(0, noise, a.shape) + rng.normal(0, 0.02, 3)
    if rng.random() < 0.5:
        digit = np.exp(rng.uniform(np.log(0.001), np.log(0.016)))
        a = np.round(a / digit) * digit
    if rng.random() < 0.1:
        a = np.linalg.norm(a, axis=1)[:, None] * np.array([0, 0, -1.0])
    return t, a


def wandering(t, a, rng):
    """Three axes of a magnitude: a direction that wanders as a wrist does, and part of the movement along another."""
    d = rng.normal(size=3)
    d = np.repeat((d / np.linalg.norm(d))[None], len(t), 0)
    for _ in range(int((t[-1] - t[0]) / 4)):
        turn = 1 / (1 + np.exp(-((t - rng.uniform(t[0], t[-1])) / rng.uniform(0.1, 0.5)).clip(-50, 50)))
        d = d + turn[:, None] * rng.normal(size=3) * np.exp(rng.uniform(np.log(0.03), np.log(0.6)))
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    size = np.linalg.norm(a, axis=1)
    return d * size[:, None] + (size - np.median(size))[:, None] * rng.normal(size=3) * rng.uniform(0, 1.5)


def handling(count, rng):
    """Simulated handling: turns by some degrees or many, slow waves, and pushes."""
    t = np.arange(COUNT) / RATE
    w = np.empty((count, COUNT, 3))

    def log_uniform(low, high):
        return np.exp(rng.uniform(np.log(low), np.log(high)))
    for k in range(count):
        g = rng.normal(size=3)
        d = np.repeat((g / np.linalg.norm(g))[None], COUNT, 0)
        for _ in range(rng.integers(1, 6)):
            turn = 1 / (1 + np.exp(-(t - rng.uniform(-0.5, 5.6)) / rng.uniform(0.05, 0.4)))
            d = d + turn[:, None] * rng.normal(size=3) * log_uniform(0.03, 1)
        for _ in range(3):
            wave = np.sin(2 * np.pi * (rng.uniform(0.1, 1) * t + rng.random()))
            d = d + wave[:, None] * rng.normal(size=3) * log_uniform(0.003, 0.3)
        w[k] = d / np.linalg.norm(d, axis=1, keepdims=True)
        for _ in range(rng.integers(0, 7)):
            push = np.exp(-0.5 * ((t - rng.uniform(0, 5.1)) / rng.uniform(0.1, 0.6)) ** 2)
            push *= np.sin(2 * np.pi * rng.uniform(0.5, 4) * t + rng.uniform(0, 6))
            w[k] += push[:, None] * rng.normal(size=3) * log_uniform(0.01, 0.3)
        w[k] += rng.normal(size=(COUNT, 3)) * log_uniform(0.0003, 0.01)
    return features(w)


def resting(count, rng):
    """Simulated rest, which the recordings have of wrists alone: gravity, a sensor's noise, a body's sway, now and then a
    fidget."""
    g = rng.normal(size=(count, 3))
    w = np.repeat((g / np.linalg.norm(g, axis=1, keepdims=True))[:, None], COUNT, 1)
    w = w + rng.normal(size=w.shape) * np.exp(rng.uniform(np.log(0.0003), np.log(0.012), (count, 1, 1)))
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
            tv, av = varied(t, wandering(t, a, rng) if line(a) and rng.random() < 0.6 else a, rng)
            at = np.searchsorted(t, tv).clip(0, len(t) - 1)
            part = windows(tv, av, label[at], hop, rng.uniform(0, 1))
            x.append(part[0])
            names.append(part[1])
        r["x"], names = np.concatenate(x), np.concatenate(names)
        several = [EITHER.get(n) or ((CLASSES.index(n),) if n in CLASSES else ()) for n in names]
        r["x"] = r["x"][[k for k, y in enumerate(several) if y]]
        r["y"] = [y for y in several if y]
    for y, x in ((0, resting(300, rng)), (5, handling(300, rng))):
        found.append(dict(file="", subject="simulated", source="simulated", licence="", scored=False, x=x, y=[(y,)] * len(x)))
