# SPDX-License-Identifier: Apache-2.0
"""What the fusion engine makes of simulated worlds, beside VQF: worlds.py FUSIONWORLDS [--seeds N]

FusionWorlds simulates each chip in each world and runs the engine, with its defaults ("ours") and with what a board file
says ("declared"): what moves the device, and the chip, whose data sheet has the delays and the errors that it is sold with.
The same samples go through VQF and, as a bound that knows the future, through OfflineVQF. Errors are the root of the mean
square from second 3 on, in degrees, means over the seeds: of the inclination and of the whole angle, against the true
attitude at the time of the stamp. A * says that declared is worse than VQF in either.

VQF comes from PyPI into the user's cache; nothing else is installed.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import tempfile

from environment import enter_environment, stop

WORLDS = ("hand", "hand-now", "body", "wheels", "train", "drone", "ship", "pan", "turn")
CHIPS = ("mpu6050", "mpu9250", "lsm6ds3", "bmi160", "ideal")
ENGINES = ("ours", "declared", "VQF", "OfflineVQF")
PROCESSES = 2
START = 3
GRAVITY = 9.80665


def product(a, b):
    """The product of quaternions, row by row."""
    import numpy as np

    w, x, y, z = a.T
    s, i, j, k = b.T
    return np.stack([
        w * s - x * i - y * j - z * k, w * i + x * s + y * k - z * j,
        w * j - x * k + y * s + z * i, w * k + x * j - y * i + z * s,
    ], axis=1)


def errors(attitude, truth, times):
    """Inclination and whole angle, degrees, root of the mean square from second START on."""
    import numpy as np

    left = product(attitude, truth * [1, -1, -1, -1])[times >= START]
    left /= np.linalg.norm(left, axis=1)[:, None]
    sines = np.hypot(left[:, 1], left[:, 2]), np.linalg.norm(left[:, 1:], axis=1)
    cosines = np.hypot(left[:, 0], left[:, 3]), np.abs(left[:, 0])
    angles = [2 * np.degrees(np.arctan2(sine, cosine)) for sine, cosine in zip(sines, cosines)]
    return [float(np.sqrt(np.mean(np.square(angle)))) for angle in angles]


def run(program, world, chip, seed):
    """The errors of all engines with one draw: rows as ENGINES, columns inclination and whole angle."""
    import numpy as np
    import vqf

    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        result = subprocess.run([program, world, chip, str(seed), folder], capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{program}: {result.stderr.strip()}")
        read = lambda name, columns: np.fromfile(f"{folder}/{name}", dtype="<f8").reshape(-1, columns)
        samples, truth = read("samples", 10), read("truth", 5)
        attitudes = [read(name, 5)[:, 1:] for name in ENGINES[:2]]
    times = samples[:, 0]
    interval = float(np.median(np.diff(times)))
    # Specific force in m/s^2.
    streams = [np.ascontiguousarray(part) for part in (samples[:, 1:4], samples[:, 4:7] * -GRAVITY, samples[:, 7:10])]
    # Theirs is east, north, up; ours is north, west, up.
    to_north = np.array([[np.sqrt(0.5), 0, 0, -np.sqrt(0.5)]])
    for result in (vqf.VQF(interval).updateBatch(*streams), vqf.offlineVQF(*streams, interval)):
        attitudes.append(product(np.broadcast_to(to_north, (len(times), 4)), result["quat9D"]))
    return [errors(attitude, truth[:, 1:], times) for attitude in attitudes]


def main():
    parser = argparse.ArgumentParser(prog="worlds.py")
    parser.add_argument("program", metavar="FUSIONWORLDS")
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="draws of each chip in each world (20)")
    arguments = parser.parse_args()
    if arguments.seeds < 1 or not pathlib.Path(arguments.program).exists():
        parser.error("wants the program, and one seed or more")
    import numpy as np

    cells = [(world, chip) for world in WORLDS for chip in CHIPS]
    print(f"{arguments.seeds} draws of each; degrees from second {START} on, inclination / whole angle")
    print()
    print("| world | chip | " + " | ".join(ENGINES) + " | |")
    print("|" + "---|" * (len(ENGINES) + 3))
    wins = np.zeros((2, 3), dtype=int)
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        draws = {
            cell: [pool.submit(run, arguments.program, *cell, seed) for seed in range(1, arguments.seeds + 1)]
            for cell in cells
        }
        for world, chip in cells:
            try:
                table = np.mean([draw.result() for draw in draws[world, chip]], axis=0).round(2)
            except RuntimeError as error:
                pool.shutdown(cancel_futures=True)
                stop(error)
            better = table[:2] <= table[2]
            wins += np.column_stack([better, better.all(axis=1)])
            row = [world, chip, *(f"{tilt:.2f} / {angle:.2f}" for tilt, angle in table)]
            print("| " + " | ".join(row) + (" | |" if better[1].all() else " | * |"), flush=True)
    print()
    counts = "; ".join(
        f"{name}: inclination {tilt}, whole angle {angle}, both {both}"
        for name, (tilt, angle, both) in zip(ENGINES, wins))
    print(f"at most VQF's in so many of {len(cells)} cells: {counts}")


if __name__ == "__main__":
    enter_environment()
    main()
