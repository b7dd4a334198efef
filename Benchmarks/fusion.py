# SPDX-License-Identifier: Apache-2.0
"""What an update of the fusion engine costs, beside VQF's C++: fusion.py FUSIONCOST [SAMPLES.csv]

The same samples go through both: 200 000 made ones at 286 Hz (rest, slow and fast turning, a magnet passing), or those
of a recording (columns timestamp, rotationRate.x and so on, as `otolith replay` reads them). The two take turns, so that
a machine that is busy for a while is busy for both; processor time is what counts, and the ratio is formed pair by pair.
Instructions are counted by valgrind's callgrind in a second run, of ours two passes less one, of VQF inside of its
`updateBatch`: neither has the start of its program in it.

VQF comes from PyPI into the user's cache; nothing else is installed.
"""

import csv
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from environment import enter_environment, stop

PAIRS = 15
RATE = 286
# All samples, every third, every sixth: 286, 95 and 48 Hz.
EVERY = (1, 3, 6)
SAMPLES = 200_000
COUNTED_SAMPLES = 20_000
# VQF is given so many samples at once: few enough that malloc reuses the memory of its results, enough that the call from
# Python costs nothing beside them.
BATCH = 4000
GRAVITY = 9.80665


def made_samples():
    """Rows as FusionCost reads them: seconds, rad/s, g with Core Motion's sign, microtesla.

    The attitude is Rz(yaw) Rx(pitch) Ry(roll) with angles that are sums of sines; rate and fields follow from it.
    """
    import numpy as np

    noise = np.random.Generator(np.random.PCG64(286))
    t = np.arange(1, SAMPLES + 1) / RATE
    # Of each 100 s: rest, slow turning, fast turning, and a pause.
    phase = t % 100
    rise = lambda a, b: np.clip(phase - a, 0, 1) * np.clip(b - phase, 0, 1)
    envelope = 0.3 * rise(20, 50) + rise(50, 90)
    angles, speeds = [], []
    for amplitude, hertz in ((1.2, 0.31), (0.9, 0.47), (1.4, 0.23)):
        angle = envelope * amplitude * (np.sin(2 * np.pi * hertz * t) + 0.4 * np.sin(2 * np.pi * 3.1 * hertz * t + 1))
        angles.append(angle)
        speeds.append(np.gradient(angle, 1 / RATE))
    yaw, pitch, roll = angles
    d_yaw, d_pitch, d_roll = speeds
    zero, one = np.zeros(SAMPLES), np.ones(SAMPLES)

    def to_device(x, y, z):
        """Reference coordinates into those of the device: Ry(-roll) Rx(-pitch) Rz(-yaw)."""
        x, y = np.cos(yaw) * x + np.sin(yaw) * y, np.cos(yaw) * y - np.sin(yaw) * x
        return tilted(x, y, z)

    def tilted(x, y, z):
        y, z = np.cos(pitch) * y + np.sin(pitch) * z, np.cos(pitch) * z - np.sin(pitch) * y
        return rolled(x, y, z)

    def rolled(x, y, z):
        return np.stack([np.cos(roll) * x - np.sin(roll) * z, y, np.cos(roll) * z + np.sin(roll) * x], axis=1)

    rate = tilted(zero, zero, d_yaw) + rolled(d_pitch, zero, zero)
    rate[:, 1] += d_roll
    push = [0.1 * envelope * np.sin(2 * np.pi * hertz * t) for hertz in (0.9, 1.3, 0.7)]
    acceleration = to_device(push[0], push[1], push[2] - one)
    magnet = np.where((t > 310) & (t < 330), 30.0, 0.0)
    field = to_device(20 * one, magnet, -43 * one)
    rate += [0.01, -0.02, 0.005] + noise.normal(0, 0.002, rate.shape)
    acceleration += noise.normal(0, 0.003, acceleration.shape)
    field += noise.normal(0, 0.4, field.shape)
    return np.column_stack([t, rate, acceleration, field])


def recorded_samples(path):
    import numpy as np

    columns = ["timestamp"] + [
        f"{quantity}.{axis}" for quantity in ("rotationRate", "acceleration", "magneticField") for axis in "xyz"
    ]
    with open(path, newline="") as file:
        rows = [[row[column] for column in columns] for row in csv.DictReader(file)]
    # Where the magnetometer is slower than the rest its last field is repeated: both are given the same.
    held = [""] * len(columns)
    complete = []
    for row in rows:
        held = [new or old for new, old in zip(row, held)]
        if all(held):
            complete.append([float(cell) for cell in held])
    return np.array(complete)


class VQF:
    """VQF's C++ with its defaults, fed from contiguous arrays."""

    def __init__(self, rows, axes):
        import numpy as np

        self.interval = float(np.median(np.diff(rows[:, 0])))
        self.batches = []
        for first in range(0, len(rows), BATCH):
            part = rows[first : first + BATCH]
            # Specific force in m/s^2.
            streams = [part[:, 1:4], part[:, 4:7] * -GRAVITY, part[:, 7:10]][: axes // 3]
            self.batches.append([np.ascontiguousarray(stream) for stream in streams])
        self.count = len(rows)

    def run(self):
        """One pass; nanoseconds of processor time a sample."""
        import vqf

        filter = vqf.VQF(self.interval)
        start = time.thread_time_ns()
        for batch in self.batches:
            filter.updateBatch(*batch)
        return (time.thread_time_ns() - start) / self.count


def ours(program, samples, axes, passes):
    """Nanoseconds a sample, median of the passes behind one that warms up, and all allocations."""
    result = subprocess.run([program, samples, str(axes), str(1 + passes)], capture_output=True, text=True)
    if result.returncode:
        stop(f"{program}: {result.stderr.strip()}")
    lines = dict(line.split(": ", 1) for line in result.stdout.splitlines())
    return statistics.median(map(float, lines["ns"].split()[1:])), int(lines["allocations"])


def instructions(command, function=None):
    """Instructions in user mode, counted by valgrind: of the whole process, or of `function` and what it calls."""
    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        if function:
            valgrind.append(f"--toggle-collect={function}")
        result = subprocess.run([*valgrind, *command], capture_output=True, text=True)
        totals = [line for line in result.stderr.splitlines() if "Collected :" in line]
        if result.returncode or not totals:
            stop(f"valgrind: {(result.stderr.strip().splitlines() or ['no word'])[-1]}")
        return int(totals[-1].split()[-1])


def instructions_of_ours(program, samples, count, axes):
    """Two passes less one: start and end of the program are in both."""
    one, two = (instructions([program, samples, str(axes), str(passes)]) for passes in (1, 2))
    return (two - one) / count


def instructions_of_vqf(samples, count, axes):
    """Python's start is not the same twice, to some millions, so only what is inside of VQF is counted."""
    command = [sys.executable, "-B", __file__, "--vqf", samples, str(axes), "1"]
    counted = instructions(command, "VQF::updateBatch(*")
    if not counted:
        stop("this build of VQF has no symbols to count its instructions by")
    return counted / count


def spread(values):
    """Median, and the middle eighty percent."""
    tenths = statistics.quantiles(values, n=10, method="inclusive")
    return statistics.median(values), tenths[0], tenths[-1]


def vqf_passes(samples, axes, passes):
    """What is counted of VQF: `fusion.py --vqf SAMPLES AXES PASSES`."""
    import numpy as np

    filter = VQF(np.fromfile(samples).reshape(-1, 10), int(axes))
    for _ in range(int(passes)):
        filter.run()


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "--vqf":
        return vqf_passes(*sys.argv[2:])
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: fusion.py FUSIONCOST [SAMPLES.csv]")
    import numpy as np

    program = sys.argv[1]
    rows = recorded_samples(sys.argv[2]) if len(sys.argv) == 3 else made_samples()
    counts = shutil.which("valgrind") is not None
    if not counts:
        print("no valgrind, so no instructions; try: apt-get install valgrind", file=sys.stderr)
    print(f"{len(rows)} samples, {PAIRS} pairs; ns of processor time an update, medians; "
          "ratio with the middle 80 % of the pairs")
    print()
    print("| rate, Hz | update | otolith, ns | VQF, ns | ratio | otolith, instructions | VQF, instructions | ratio | allocations |")
    print("|---|---|---|---|---|---|---|---|---|")
    for every in EVERY:
        compare(program, np.ascontiguousarray(rows[::every]), COUNTED_SAMPLES // every, counts)


def compare(program, rows, counted, counts):
    """Prints what an update costs both, with nine axes and with six."""
    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        samples, fewer = f"{folder}/samples", f"{folder}/fewer"
        rows.tofile(samples)
        rows[:counted].tofile(fewer)
        counted = len(rows[:counted])
        rate = 1 / statistics.median(b - a for a, b in zip(rows[:counted, 0], rows[1:counted, 0]))
        for axes in (9, 6):
            vqf = VQF(rows, axes)
            vqf.run()
            # Of a shorter recording more, so that a pair takes as long.
            passes = -(-SAMPLES // len(rows))
            pairs, allocations = [], 0
            for _ in range(PAIRS):
                time_of_ours, allocated = ours(program, samples, axes, passes)
                allocations += allocated
                pairs.append((time_of_ours, statistics.median(vqf.run() for _ in range(passes))))
            ratio, low, high = spread([a / b for a, b in pairs])
            cells = [f"{rate:.0f}", f"{axes}-axis", *(f"{statistics.median(column):.0f}" for column in zip(*pairs)),
                     f"{ratio:.2f} ({low:.2f} to {high:.2f})"]
            if counts:
                a = instructions_of_ours(program, fewer, counted, axes)
                b = instructions_of_vqf(fewer, counted, axes)
                cells += [f"{a:.0f}", f"{b:.0f}", f"{a / b:.2f}"]
            else:
                cells += ["", "", ""]
            print("| " + " | ".join([*cells, str(allocations)]) + " |", flush=True)


if __name__ == "__main__":
    enter_environment()
    main()
