# SPDX-License-Identifier: Apache-2.0
"""What a second, worse IMU does to the attitude: second_imu.py REDUNDANCYWORLDS FOLDER

FOLDER is one of those that sources.py describes. RedundancyWorlds makes the second IMU of each recording (three times
the noise, 100 samples/s, 5 ms late, 3 % of scale, 3 degrees/s and 20 mg of offset, 3 degrees of rotation), and prints
the attitudes of the recording's IMU alone, of the second one alone, and of both as one. The inclination is the root of
its mean square, in degrees; of a recording with north the whole error too.
"""

import pathlib
import subprocess
import sys
import tempfile

from environment import enter_environment, stop


def rows(path):
    import numpy as np
    import sources

    table = sources.columns(path, ["timestamp", *sources.SENSORS])
    names = [name for name in ["timestamp", *sources.SENSORS] if name in table]
    sampled = np.isfinite(table["acceleration.x"]) & np.isfinite(table["rotationRate.x"])
    numbers = np.stack([table[name][sampled] for name in names], axis=1)
    if numbers.shape[1] == 7:
        numbers = np.hstack([numbers, np.full((len(numbers), 3), np.nan)])
    return numbers


def main():
    import numpy as np
    import sources

    if len(sys.argv) != 3:
        stop(__doc__)
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    found = sources.recordings(folder)
    if not found:
        stop(f"second_imu.py: {folder} has no recordings: see sources.py for how they are laid out")
    print(f"{'recording':44} alone        second       both     (inclination, whole error)")
    sums = []
    for paths in found.values():
        for path in paths:
            with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
                np.savetxt(file, rows(path), delimiter=",")
                file.flush()
                out = subprocess.run([program, "recording", file.name], check=True, capture_output=True, text=True).stdout
            estimates = np.array([[float(cell) for cell in line.split(",")] for line in out.splitlines()])
            truth = sources.read_truth(path)
            nearest = np.clip(np.searchsorted(estimates[:, 0], truth.times), 0, len(estimates) - 1)
            figures = [sources.figures(truth, estimates[nearest, 1 + 4 * k : 5 + 4 * k]) for k in range(3)]
            texts = [f"{of['inclination']:5.2f} {of.get('total', float('nan')):5.2f}" for of in figures]
            print(f"{path.stem:44} " + "  ".join(texts), flush=True)
            sums.append([of["inclination"] for of in figures])
    alone, second, both = np.array(sums).T
    worse = int(np.sum(both > alone + 0.05))
    print(f"{len(sums)} recordings: {alone.mean():.2f}, {second.mean():.2f}, {both.mean():.2f};"
          f" both worse than alone by more than .05 degrees in {worse}")


if __name__ == "__main__":
    enter_environment()
    main()
