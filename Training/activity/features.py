# SPDX-License-Identifier: Apache-2.0
"""What ActivityRecognizer computes of five seconds of acceleration, in numpy: the same numbers as
Sources/Core/Recognition/Activity/ActivityFeatures.swift, which the golden windows of the tests hold to this file."""

import numpy as np

RATE = 25.0
COUNT = 128
LENGTH = COUNT / RATE
BINS = 31  # the spectrum's bins 1 ... 31, 0.2 ... 6.05 Hz: what a sensor of 12.5 Hz still sees
# First and last bin of each band.
BANDS = ((1, 2), (3, 4), (5, 6), (7, 9), (10, 12), (13, 16), (17, 22), (23, 31))
FLOOR = 2.5e-5  # g^2, (5 mg)^2: weaker than this is the sensor, not the bearer
TURN = 1e-4  # 1 - cos of 0.8 degrees, likewise
LAGS = range(5, 33)  # 0.2 ... 1.28 s: a step of a runner ... a stride
STRIDES = np.arange(12, 65, 2)  # 0.48 ... 2.56 s, even ones, so that half of them is one
PARTS = 8  # of 16 samples, 0.64 s each

NAMES = (
    ["vertical %.1f-%.1f Hz" % (a * RATE / COUNT, b * RATE / COUNT) for a, b in BANDS]
    + ["horizontal %.1f-%.1f Hz" % (a * RATE / COUNT, b * RATE / COUNT) for a, b in BANDS]
    + ["vertical", "horizontal", "peak frequency", "peak share", "harmonic share",
       "autocorrelation", "its lag", "horizontal peak share", "horizontal peak frequency",
       "strongest part", "weakest part", "skewness", "kurtosis", "inclination", "step of inclination",
       "stride", "vertical at a stride", "vertical at half a stride", "horizontal at a stride",
       "horizontal at half a stride"])


def resample(times, values, start=None):
    """Means over each 40 ms of the line through the samples; (start of the first, rows)."""
    start = times[0] if start is None else start
    step = np.diff(times)
    area = np.concatenate([np.zeros((1, 3)), np.cumsum(0.5 * (values[1:] + values[:-1]) * step[:, None], 0)])
    n = int(np.floor((times[-1] - start) * RATE + 1e-9))
    at = start + np.arange(n + 1) / RATE
    i = np.clip(np.searchsorted(times, at, side="right") - 1, 0, len(times) - 2)
    d = (at - times[i])[:, None]
    slope = (values[i + 1] - values[i]) / step[i][:, None]
    whole = area[i] + d * values[i] + 0.5 * d * d * slope
    return start, np.diff(whole, axis=0) * RATE


_n = np.arange(COUNT)
_hann = 0.5 - 0.5 * np.cos(2 * np.pi * _n / COUNT)
_dft = _hann * np.exp(-2j * np.pi * np.outer(np.arange(1, BINS + 1), _n) / COUNT)
# One-sided powers that add up to the variance.
_scale = 2 / (COUNT * np.sum(_hann ** 2))


def strides(vertical, horizontal):
    """How alike the movement is to itself a stride later, and half a stride later: each leg of a walker pushes up."""
    waves = [np.cos(2 * np.pi * np.outer(lags, np.arange(1, BINS + 1)) / COUNT)[:, 2:] for lags in (STRIDES, STRIDES // 2)]
    sums = [[np.einsum("lk,...k->...l", c, s[..., 2:]) for c in waves] for s in (vertical, horizontal)]
    whole = [s[..., 2:].sum(-1) + FLOOR for s in (vertical, horizontal)]
    r = (sums[0][0] + sums[1][0]) / (whole[0] + whole[1])[..., None]
    best = np.argmax(r - np.minimum.accumulate(r, -1), -1)
    out = [np.log(STRIDES[best] / RATE)]
    for s, w in zip(sums, whole):
        out += [np.take_along_axis(v, best[..., None], -1)[..., 0] / w for v in s]
    return out


def features(w):
    """Of windows (..., 128, 3), in g: (..., len(NAMES))."""
    mean = w.mean(-2, keepdims=True)
    size = np.linalg.norm(mean, axis=-1, keepdims=True)
    down = mean / np.maximum(size, 1e-3)
    moved = w - mean
    v = np.sum(moved * down, -1)
    spectra = np.abs(np.einsum("kn,...nc->...kc", _dft, moved)) ** 2 * _scale
    vertical = np.abs(np.einsum("kn,...n->...k", _dft, v)) ** 2 * _scale
    horizontal = np.maximum(spectra.sum(-1) - vertical, 0) / 2
    out = []
    for s in (vertical, horizontal):
        for a, b in BANDS:
            out.append(np.log(s[..., a - 1:b].sum(-1) + FLOOR))
    for s in (vertical, horizontal):
        out.append(np.log(s[..., 2:].sum(-1) + FLOOR))

    def peak(s):
        inside = s[..., 3:24]  # 0.8 ... 4.7 Hz
        k = np.argmax(inside, -1) + 3
        around = sum(np.take_along_axis(s, k[..., None] + d, -1)[..., 0] for d in (-1, 0, 1))
        whole = s[..., 2:].sum(-1) + FLOOR
        twice = np.minimum(2 * k + 1, BINS - 2)
        second = sum(np.take_along_axis(s, twice[..., None] + d, -1)[..., 0] for d in (-1, 0, 1))
        return np.log((k + 1) * RATE / COUNT), around / whole, second / whole
    pf, ps, ph = peak(vertical)
    qf, qs, _ = peak(horizontal)
    f = np.arange(1, BINS + 1)
    lags = np.array(list(LAGS))
    cosines = np.cos(2 * np.pi * np.outer(lags, f) / COUNT)
    both = vertical + 2 * horizontal
    total = both[..., 2:].sum(-1) + FLOOR
    r = np.einsum("lk,...k->...l", cosines[:, 2:], both[..., 2:]) / total[..., None]
    # The first lags are high for anything smooth: count the rise from the lowest one before.
    low = np.minimum.accumulate(r, -1)
    rise = r - low
    best = np.argmax(rise, -1)
    out += [pf, ps, ph, np.max(rise, -1), lags[best] / RATE, qs, qf]
    parts = moved.reshape(moved.shape[:-2] + (PARTS, COUNT // PARTS, 3))
    centres = parts.mean(-2, keepdims=True)
    power = np.sum((parts - centres) ** 2, (-1, -2)) / (COUNT // PARTS)
    out += [np.log(power.max(-1) + FLOOR), np.log(power.min(-1) + FLOOR)]
    variance = np.mean(v ** 2, -1) + FLOOR
    out += [np.mean(v ** 3, -1) / variance ** 1.5, np.log(np.mean(v ** 4, -1) / variance ** 2 + 0.1)]
    g = parts.mean(-2) + mean
    g = g / np.maximum(np.linalg.norm(g, axis=-1, keepdims=True), 1e-3)
    apart = 1 - np.sum(g * down, -1)
    out.append(np.log(apart.max(-1) + TURN))
    step = 1 - np.sum(g[..., 1:, :] * g[..., :-1, :], -1)
    out.append(np.log(step.max(-1) + TURN))
    out += strides(vertical, 2 * horizontal)
    return np.stack(out, -1)
