# SPDX-License-Identifier: Apache-2.0
"""Recordings with truth, and how far an estimate is from it.

A folder has a folder for each source: a laboratory, a person, a kind of motion. Below it are recordings as `otolith
replay` reads them, in folders of their own where a source has several sets. The truth is in columns that replay passes
over, where it is known, in rows with samples or without:

truth.attitude.w .x .y .z   device to X north, Y west, Z up
truth.mocap.w .x .y .z      of a body that is fixed to the device, to a frame that is nearly vertical: how both are
                            turned is taken from the estimate itself, by the best fit, for each recording
truth.gravity.x .y .z       the direction of gravity, device axes
"""

import csv
import dataclasses
import pathlib

START = 3
SPACING = 0.04
CHI_SQUARE_95 = 5.991  # of two degrees of freedom
LOST = 45
SENSORS = [f"{sensor}.{axis}" for sensor in ("rotationRate", "acceleration", "magneticField") for axis in "xyz"]


@dataclasses.dataclass
class Recording:
    path: pathlib.Path
    kind: str  # attitude, mocap or gravity
    times: object  # of the truth, s
    truth: object


def recordings(folder):
    """The recordings of a folder of sources, by set: its path below the folder, the source first."""
    sets = {}
    for path in sorted(folder.glob("*/**/*.csv")):
        sets.setdefault(str(path.parent.relative_to(folder)), []).append(path)
    return sets


def columns(path, wanted):
    """The columns of these names that are there, as arrays; an empty cell is not a number."""
    import numpy as np

    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        places = {name: names.index(name) for name in wanted if name in names}
        table = [[float(row[place] or "nan") for place in places.values()] for row in rows]
    return dict(zip(places, np.array(table).T))


def read_truth(path):
    import numpy as np

    kinds = {"attitude": "wxyz", "mocap": "wxyz", "gravity": "xyz"}
    names = {kind: [f"truth.{kind}.{axis}" for axis in axes] for kind, axes in kinds.items()}
    table = columns(path, ["timestamp", "acceleration.x", *(name for of_kind in names.values() for name in of_kind)])
    kind = next((kind for kind in kinds if table.keys() >= set(names[kind])), None)
    if kind is None:
        raise ValueError(f"{path}: no columns of truth")
    times, truth = table["timestamp"], np.stack([table[name] for name in names[kind]], axis=1)
    sampled = times[np.isfinite(table["acceleration.x"])]
    used = np.isfinite(truth).all(axis=1) & (times >= sampled[0] + START) & (times <= sampled[-1])
    times, truth = times[used], truth[used]
    if not len(times):
        raise ValueError(f"{path}: no truth from second {START} on")
    # The first of each span, since rates of hundreds a second say the same again and again.
    _, first = np.unique(np.floor((times - times[0]) / SPACING), return_index=True)
    return Recording(path, kind, times[first], truth[first] / np.linalg.norm(truth[first], axis=1)[:, None])


def product(a, b):
    """The product of quaternions, row by row."""
    import numpy as np

    w, x, y, z = a.T
    s, i, j, k = b.T
    return np.stack([
        w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s,
    ], axis=1)


def rotated(q, v):
    """Vectors turned by quaternions, row by row."""
    import numpy as np

    across = np.cross(q[:, 1:], v)
    return v + 2 * (q[:, :1] * across + np.cross(q[:, 1:], across))


CONJUGATE = [1, -1, -1, -1]


def best_rotation(a, b):
    """The rotation matrix that brings the rows of a closest to those of b, as a @ matrix (Kabsch 1976)."""
    import numpy as np

    left, _, right = np.linalg.svd(a.T @ b)
    return left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right


def mounted(down, body):
    """What gravity is in device axes by the attitude of a body fixed to the device, as `down` has it at best."""
    import numpy as np

    mounting = np.eye(3)
    for _ in range(15):
        vertical = rotated(body, down @ mounting).mean(axis=0)
        vertical /= np.linalg.norm(vertical)
        seen = rotated(body * CONJUGATE, np.broadcast_to(vertical, down.shape))
        mounting = best_rotation(down, seen)
    return seen @ mounting.T


def figures(recording, estimate):
    """How far an estimate is off: rows of w, x, y, z, covariance xx, xy, yy, and sigma of the heading.

    Angles in degrees: `inclination`, and where north is known `total`, `drift` (the heading less its mean) as roots of
    the mean square; `lost`, 1 where 95 % of the inclinations exceed LOST. `within`: the share of the time in which
    the truth was inside the 95 % region of the tilt; `nees`: the mean of the normalised squared error of the tilt, over
    its two degrees of freedom: 1 where the covariance is right; `north`: the share inside two sigmas of the heading.
    """
    import numpy as np

    rms = lambda values: float(np.sqrt(np.mean(np.square(values))))
    q = estimate[:, :4]
    down = rotated(q * CONJUGATE, np.broadcast_to([0.0, 0, -1], (len(q), 3)))
    if recording.kind == "attitude":
        truth = rotated(recording.truth * CONJUGATE, np.broadcast_to([0.0, 0, -1], down.shape))
    elif recording.kind == "mocap":
        truth = mounted(down, recording.truth)
    else:
        truth = recording.truth
    # True up as the estimate has it: off the vertical by the error of the tilt.
    up = rotated(q, -truth)
    angles = np.degrees(np.arctan2(np.hypot(up[:, 0], up[:, 1]), up[:, 2]))
    x, y = -up[:, 1], up[:, 0]
    result = {"inclination": rms(angles), "lost": float(np.percentile(angles, 95) > LOST)}
    if estimate.shape[1] > 4:
        xx, xy, yy = estimate[:, 4:7].T
        square = (yy * x * x - 2 * xy * x * y + xx * y * y) / (xx * yy - xy * xy)
        result |= {"within": float(np.mean(square < CHI_SQUARE_95)), "nees": float(np.mean(square)) / 2}
    if recording.kind == "attitude":
        error = product(q, recording.truth * CONJUGATE)
        heading = 2 * np.arctan2(error[:, 3], error[:, 0])
        mean = np.angle(np.mean(np.exp(1j * heading)))
        drift = np.degrees(np.angle(np.exp(1j * (heading - mean))))
        whole = 2 * np.degrees(np.arctan2(np.linalg.norm(error[:, 1:], axis=1), np.abs(error[:, 0])))
        result |= {"total": rms(whole), "drift": rms(drift)}
        if estimate.shape[1] > 7:
            own = np.abs(np.angle(np.exp(1j * heading)))
            result["north"] = float(np.mean(own < 2 * estimate[:, 7]))
    return result


def mean(rows):
    """The means of figures, by name."""
    names = {name for row in rows for name in row}
    return {name: sum(row[name] for row in rows if name in row) / sum(name in row for row in rows) for name in names}
