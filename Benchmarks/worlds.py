# SPDX-License-Identifier: Apache-2.0
"""What the fusion engine makes of simulated worlds, beside VQF: worlds.py FUSIONWORLDS [--seeds N] [--only ROW ...]

FusionWorlds simulates each chip in each world and runs the engine, with its defaults ("ours") and with what a board file
says ("declared"): what moves the device, and the chip, whose data sheet has the delays and the errors that it is sold with.
A row is a world, or a world and what goes wrong with the samples, joined by "+". The same samples go through VQF and, as a
bound that knows the future, through OfflineVQF. Errors are the root of the mean square from second 3 on, in degrees, means
over the seeds: of the inclination and of the whole angle, against the true attitude at the time of the stamp. A * says that
VQF is better than ours or than declared in either.

While there are no rates VQF takes accelerations and fields, and OfflineVQF rates between the last and the next.

VQF comes from PyPI into the user's cache; nothing else is installed.
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import tempfile

from environment import enter_environment, stop
from sources import product

ROWS = (
    "hand", "hand-now", "body", "wheels", "train", "drone", "ship", "pan", "turn", "brisk", "passenger", "run", "swim",
    "swing",
    "hand+warm-up", "hand+glitches", "hand+gyro-hangs", "hand+acc-hangs", "hand+gaps", "hand+coarse", "hand+jitter",
    "run+ends-2g", "brisk+ends-250", "run+warm-up+ends-2g+glitches+coarse+jitter",
)
CHIPS = ("mpu6050", "mpu9250", "lsm6ds3", "bmi160", "ideal")
ENGINES = ("ours", "declared", "VQF", "OfflineVQF")
PROCESSES = 2
START = 3
GRAVITY = 9.80665


def errors(attitude, truth, times):
    """Inclination and whole angle, degrees, root of the mean square from second START on."""
    import numpy as np

    left = product(attitude, truth * [1, -1, -1, -1])[times >= START]
    left /= np.linalg.norm(left, axis=1)[:, None]
    sines = np.hypot(left[:, 1], left[:, 2]), np.linalg.norm(left[:, 1:], axis=1)
    cosines = np.hypot(left[:, 0], left[:, 3]), np.abs(left[:, 0])
    angles = [2 * np.degrees(np.arctan2(sine, cosine)) for sine, cosine in zip(sines, cosines)]
    return [float(np.sqrt(np.mean(np.square(angle)))) for angle in angles]


def vqf_attitudes(rates, forces, fields, interval):
    """VQF's attitudes, with nine axes."""
    import numpy as np
    import vqf

    rival = vqf.VQF(interval)
    attitudes = np.empty((len(rates), 4))
    known = np.isfinite(rates[:, 0])
    # In stretches of which each has rates or has none.
    bounds = [0, *(np.flatnonzero(np.diff(known)) + 1), len(rates)]
    for start, end in zip(bounds, bounds[1:]):
        if known[start]:
            streams = [np.ascontiguousarray(part[start:end]) for part in (rates, forces, fields)]
            attitudes[start:end] = rival.updateBatch(*streams)["quat9D"]
            continue
        for k in range(start, end):
            rival.updateAcc(forces[k].copy())
            rival.updateMag(fields[k].copy())
            attitudes[k] = rival.getQuat9D()
    return attitudes


def bridged(rates, times):
    """Rates with those that are missing between the last and the next."""
    import numpy as np

    known = np.isfinite(rates[:, 0])
    if known.all():
        return rates
    return np.column_stack([np.interp(times, times[known], axis[known]) for axis in rates.T])


def run(program, row, chip, seed):
    """The errors of all engines with one draw: rows as ENGINES, columns inclination and whole angle."""
    import numpy as np
    import vqf

    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        result = subprocess.run([program, row, chip, str(seed), folder], capture_output=True, text=True)
        if result.returncode:
            raise RuntimeError(f"{program}: {result.stderr.strip()}")
        read = lambda name, columns: np.fromfile(f"{folder}/{name}", dtype="<f8").reshape(-1, columns)
        samples, truth = read("samples", 10), read("truth", 5)
        attitudes = [read(name, 5)[:, 1:] for name in ENGINES[:2]]
    times = samples[:, 0]
    interval = float(np.mean(np.diff(times)))
    # Specific force in m/s^2.
    rates, forces, fields = samples[:, 1:4], samples[:, 4:7] * -GRAVITY, samples[:, 7:10]
    offline = vqf.offlineVQF(*map(np.ascontiguousarray, (bridged(rates, times), forces, fields)), interval)
    # Theirs is east, north, up; ours is north, west, up.
    to_north = np.array([[np.sqrt(0.5), 0, 0, -np.sqrt(0.5)]])
    for theirs in (vqf_attitudes(rates, forces, fields, interval), offline["quat9D"]):
        attitudes.append(product(np.broadcast_to(to_north, (len(times), 4)), theirs))
    return [errors(attitude, truth[:, 1:], times) for attitude in attitudes]


def cell_text(figures):
    return " | ".join(f"{tilt:.2f} / {angle:.2f}" for tilt, angle in figures)


def main():
    parser = argparse.ArgumentParser(prog="worlds.py")
    parser.add_argument("program", metavar="FUSIONWORLDS")
    parser.add_argument("--seeds", type=int, default=20, metavar="N", help="draws of each chip in each world (20)")
    parser.add_argument("--only", nargs="+", choices=ROWS, metavar="ROW", help="these rows")
    arguments = parser.parse_args()
    if arguments.seeds < 1 or not pathlib.Path(arguments.program).exists():
        parser.error("wants the program, and one seed or more")
    import numpy as np

    rows = [row for row in ROWS if arguments.only is None or row in arguments.only]
    cells = [(row, chip) for row in rows for chip in CHIPS]
    print(f"{arguments.seeds} draws of each; degrees from second {START} on, inclination / whole angle")
    print()
    print("| world | chip | " + " | ".join(ENGINES) + " | |")
    print("|" + "---|" * (len(ENGINES) + 3))
    figures = {}
    wins = np.zeros((2, 3), dtype=int)
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        draws = {
            cell: [pool.submit(run, arguments.program, *cell, seed) for seed in range(1, arguments.seeds + 1)]
            for cell in cells
        }
        for row, chip in cells:
            try:
                table = np.mean([draw.result() for draw in draws[row, chip]], axis=0).round(2)
            except RuntimeError as error:
                pool.shutdown(cancel_futures=True)
                stop(error)
            figures[row, chip] = table
            better = table[:2] <= table[2]
            wins += np.column_stack([better, better.all(axis=1)])
            worse = [name for name, both in zip(ENGINES, better.all(axis=1)) if not both]
            mark = "* " + ", ".join(worse) if worse else ""
            print(f"| {row} | {chip} | {cell_text(table)} | {mark} |", flush=True)
    print()
    counts = "; ".join(
        f"{name}: inclination {tilt}, whole angle {angle}, both {both}"
        for name, (tilt, angle, both) in zip(ENGINES, wins))
    print(f"at most VQF's in so many of {len(cells)} cells: {counts}")
    print()
    print("Means of the chips, and without the errors of a chip:")
    print()
    print("| world | " + " | ".join(ENGINES) + " | without: ours | declared | VQF |")
    print("|" + "---|" * (len(ENGINES) + 4))
    for row in rows:
        mean = np.mean([figures[row, chip] for chip in CHIPS[:-1]], axis=0)
        print(f"| {row} | {cell_text(mean)} | {cell_text(figures[row, CHIPS[-1]][:3])} |")


if __name__ == "__main__":
    enter_environment()
    main()
