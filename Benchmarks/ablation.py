# SPDX-License-Identifier: Apache-2.0
"""What each mechanism and each number of the fusion engine brings, by sources of recordings.

ablation.py ablation|choice|rival FUSIONABLATION FUSIONWORLDS [SOURCES]

SOURCES is a folder as sources.py describes it. Without it the sources are the worlds of FusionWorlds, two draws of two
chips each: what a simulation says of a mechanism that was made for it is little, so that a folder of recordings by
others is what this is for.

ablation: one mechanism after another is switched off, and each set's figures are printed beside those of the defaults.
choice: each number that no data sheet gives is tried at half, 0.7, 1, 1.4 and 2 times its value. The value that is
best for all sources but one is taken, for each source in turn, and held against the one that was left out.
rival: VQF with its defaults, and with the prior and the limit of the bias that the engine has, on the same samples;
each at the shift of time that suits it best on that set, since an engine that predicts over the sensors' delay has an
advantage that is none of its estimate.

VQF comes from PyPI into the user's cache; nothing else is installed.
"""

import argparse
import concurrent.futures
import math
import pathlib
import subprocess
import tempfile

import sources
from environment import enter_environment, stop
from worlds import ROWS

PROCESSES = 2
FACTORS = (0.5, 0.7, 1, 1.4, 2)
SHIFTS = [k * 0.002 for k in range(-5, 11)]
GRAVITY = 9.80665


def estimates(program, path, times, variants):
    """The rows of FusionAblation at these times, in any order, for each variant."""
    import numpy as np

    # Decimals of a time are those of its text: a microsecond later is the same sample.
    ascending, places = np.unique(np.round(times, 6) + 1e-6, return_inverse=True)
    text = "".join(f"{time:.6f}\n" for time in ascending)
    result = subprocess.run([program, str(path), *variants], input=text, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{program} {path}: {result.stderr.strip()}")
    rows = np.array(result.stdout.split(), dtype=float).reshape(len(variants), len(ascending), 8)
    return rows[:, places]


def run(program, path, variants):
    """The figures of a recording, for each variant."""
    recording = sources.read_truth(path)
    rows = estimates(program, path, recording.times, variants)
    return [sources.figures(recording, estimate) for estimate in rows]


def rival_attitudes(path, **settings):
    """Times and attitudes of VQF, device to north, west, up."""
    import numpy as np
    import vqf

    table = sources.columns(path, ["timestamp", *sources.SENSORS])
    missing = np.full(len(table["timestamp"]), np.nan)
    pick = lambda sensor: np.stack([table.get(f"{sensor}.{axis}", missing) for axis in "xyz"], axis=1)
    rates, forces, fields = pick("rotationRate"), pick("acceleration") * -GRAVITY, pick("magneticField")
    measured = [np.flatnonzero(np.isfinite(stream).all(axis=1)) for stream in (rates, forces, fields)]
    # With each rate the newest force, and a field that is new: streams may have rows of their own.
    used = measured[0][measured[0] >= measured[1][0]]
    newest = [np.searchsorted(rows, used, side="right") - 1 for rows in measured[1:]]
    rates, forces = np.ascontiguousarray(rates[used]), np.ascontiguousarray(forces[measured[1][newest[0]]])
    times = table["timestamp"][used]
    interval = (times[-1] - times[0]) / (len(times) - 1)
    if not len(measured[2]):
        return times, vqf.VQF(interval, **settings).updateBatch(rates, forces)["quat6D"]
    is_new = np.diff(newest[1], prepend=-1) > 0
    filter = vqf.VQF(interval, magTs=interval * len(times) / is_new.sum(), **settings)
    if is_new.all():
        attitudes = filter.updateBatch(rates, forces, np.ascontiguousarray(fields[measured[2][newest[1]]]))["quat9D"]
    else:
        attitudes = np.empty((len(times), 4))
        for k in range(len(times)):
            filter.updateGyr(rates[k])
            filter.updateAcc(forces[k])
            if is_new[k]:
                filter.updateMag(np.ascontiguousarray(fields[measured[2][newest[1][k]]]))
            attitudes[k] = filter.getQuat9D()
    to_north = np.array([[np.sqrt(0.5), 0, 0, -np.sqrt(0.5)]])
    return times, sources.product(np.broadcast_to(to_north, attitudes.shape), attitudes)


def between(times, rows, wanted):
    """Rows at other times, on the straight line between two neighbours: attitudes turn little from one to the next."""
    import numpy as np

    after = np.clip(np.searchsorted(times, wanted), 1, len(times) - 1)
    share = np.clip((wanted - times[after - 1]) / np.maximum(times[after] - times[after - 1], 1e-9), 0, 1)[..., None]
    first, second = rows[after - 1], rows[after].copy()
    opposite = (first[..., :4] * second[..., :4]).sum(axis=-1) < 0
    second[opposite, :4] *= -1
    mixed = first + share * (second - first)
    mixed[..., :4] /= np.linalg.norm(mixed[..., :4], axis=-1)[..., None]
    return mixed


def run_rival(program, path):
    """The figures of engines, by name, at each shift."""
    import numpy as np

    recording = sources.read_truth(path)
    shifted = np.add.outer(SHIFTS, recording.times)
    sampled = sources.columns(path, ["timestamp", "rotationRate.x"])
    times = np.unique(sampled["timestamp"][np.isfinite(sampled["rotationRate.x"])])
    ours = estimates(program, path, times, ["=", "-latency compensation"])
    tracks = {"ours": (times, ours[0]), "ours without latency compensation": (times, ours[1])}
    tracks["VQF"] = rival_attitudes(path)
    tracks["VQF, our bias"] = rival_attitudes(path, biasSigmaInit=3.0, biasClip=20.0)
    rows = {}
    for name, (times, track) in tracks.items():
        known = np.isfinite(track).all(axis=1)
        at_shifts = between(times[known], track[known], shifted)
        rows[name] = [sources.figures(recording, estimate) for estimate in at_shifts]
    return rows


def simulate(worlds, folder):
    """Recordings of simulated worlds, a source each."""
    import numpy as np

    truth = [f"truth.attitude.{axis}" for axis in "wxyz"]
    for world in (row for row in ROWS if "+" not in row):
        (folder / world).mkdir()
        for chip in ("mpu6050", "lsm6ds3"):
            for seed in (1, 2):
                with tempfile.TemporaryDirectory(prefix="otolith-") as rows:
                    subprocess.run([worlds, world, chip, str(seed), rows], check=True)
                    samples = np.fromfile(f"{rows}/samples", dtype="<f8").reshape(-1, 10)
                    attitudes = np.fromfile(f"{rows}/truth", dtype="<f8").reshape(-1, 5)[:, 1:]
                np.savetxt(
                    folder / world / f"{chip}-{seed}.csv", np.hstack([samples, attitudes]), fmt="%.9g", delimiter=",",
                    header=",".join(["timestamp", *sources.SENSORS, *truth]), comments="")


def each(pool, sets, call, program, *arguments):
    """The results of a call for each recording, by set."""
    jobs = {name: [pool.submit(call, program, path, *arguments) for path in paths] for name, paths in sets.items()}
    try:
        return {name: [job.result() for job in of_set] for name, of_set in jobs.items()}
    except (RuntimeError, ValueError) as error:
        pool.shutdown(cancel_futures=True)
        stop(error)


def names(program, kind):
    return subprocess.run([program, kind], check=True, capture_output=True, text=True).stdout.splitlines()


def cell(figure):
    parts = [f"{figure['inclination']:.2f}"]
    if "total" in figure:
        parts += [f"{figure['total']:.2f}", f"{figure['drift']:.2f}"]
    text = " / ".join(parts)
    return f"{text}, lost {100 * figure['lost']:.0f} %" if figure["lost"] else text


def gain(figure, base):
    """The logarithm of how much worse a set is than with the defaults: the mean of its figures'."""
    kinds = [kind for kind in ("inclination", "total") if kind in base]
    return sum(math.log(figure[kind] / base[kind]) for kind in kinds) / len(kinds)


def by_source(gains):
    """The mean of the sets of each source."""
    grouped = {}
    for name, value in gains.items():
        grouped.setdefault(pathlib.PurePath(name).parts[0], []).append(value)
    return {source: sum(values) / len(values) for source, values in grouped.items()}


def ablation(pool, program, sets):
    mechanisms = names(program, "mechanisms")
    results = each(pool, sets, run, program, ["=", *(f"-{name}" for name in mechanisms)])
    table = {name: [sources.mean(column) for column in zip(*rows)] for name, rows in results.items()}
    print("Inclination / total / drift, degrees; the share of the truth in the 95 % region of the tilt; NEES over 2 of the")
    print("tilt; the share of headings within two sigmas.")
    print()
    print("| set | recordings | defaults | within | NEES | north |")
    print("|---|---|---|---|---|---|")
    for name, (base, *_) in table.items():
        north = f"{base['north']:.2f}" if "north" in base else ""
        print(f"| {name} | {len(sets[name])} | {cell(base)} | {base['within']:.2f} | {base['nees']:.2f} | {north} |")
    print()
    print("One mechanism off: how many sources become worse by more than 1 %, how many better, and the sets that change most.")
    print()
    print("| without | worse | better | largest changes |")
    print("|---|---|---|---|")
    for place, mechanism in enumerate(mechanisms, 1):
        gains = {name: gain(row[place], row[0]) for name, row in table.items()}
        changes = by_source(gains).values()
        worse, better = sum(value > 0.01 for value in changes), sum(value < -0.01 for value in changes)
        largest = sorted((name for name in gains if abs(gains[name]) > 0.01), key=lambda name: -abs(gains[name]))
        listed = [f"{name} {cell(table[name][place])} ({100 * math.expm1(gains[name]):+.0f} %)" for name in largest[:4]]
        print(f"| {mechanism} | {worse} | {better} | {'; '.join(listed)} |", flush=True)


def choice(pool, program, sets):
    numbers = names(program, "numbers")
    others = [factor for factor in FACTORS if factor != 1]
    variants = ["=", *(f"{factor}*{number}" for number in numbers for factor in others)]
    results = each(pool, sets, run, program, variants)
    table = {name: [sources.mean(column) for column in zip(*rows)] for name, rows in results.items()}
    sourced = lambda place: by_source({name: row[place]["inclination"] for name, row in table.items()})
    base = sourced(0)
    print("Factors of the present value, which stays where no other is better by 0.1 % a source. By all sources; by all but one,")
    print("where that is another; and what the choice of the others does to the source that fares worst by it: the mean of")
    print("its sets' inclination, degrees, with the present value and with that choice.")
    print()
    print("| number | by all | better by | by all but | worst left out | with, without it |")
    print("|---|---|---|---|---|---|")
    for place, number in enumerate(numbers):
        places = {factor: 1 + place * len(others) + offset for offset, factor in enumerate(others)}
        gains = {1: dict.fromkeys(base, 0.0)}
        for factor in others:
            changes = {name: gain(row[places[factor]], row[0]) for name, row in table.items()}
            gains[factor] = by_source(changes)

        def chosen(but=None):
            means = {factor: sum(value for source, value in of_factor.items() if source != but) / len(base)
                     for factor, of_factor in gains.items()}
            best = min(means, key=means.get)
            return best if means[best] < -0.001 else 1

        by_all, left_out = chosen(), {source: chosen(source) for source in base}
        worst = max(left_out, key=lambda source: gains[left_out[source]][source])
        odd = ", ".join(f"{source}: {factor}" for source, factor in left_out.items() if factor != by_all) or "-"
        change = lambda value: f"{100 * math.expm1(value):+.1f} %"
        better = change(sum(gains[by_all].values()) / len(base))
        moved, factor = gains[left_out[worst]][worst], left_out[worst]
        with_it = sourced(places[factor])[worst] if factor != 1 else base[worst]
        print(f"| `{number}` | {by_all} | {better} | {odd} | "
              + (f"{worst} {change(moved)} | {base[worst]:.2f}, {with_it:.2f} |" if factor != 1 else "none moves | |"),
              flush=True)


def rival(pool, program, sets):
    results = each(pool, sets, run_rival, program)
    print("Inclination / total / drift, degrees, each at its best shift of time, ms (positive: it is ahead of the samples).")
    print()
    engines = list(next(iter(results.values()))[0])
    print("| set | " + " | ".join(engines) + " |")
    print("|---|" + "---|" * len(engines))
    for name, rows in results.items():
        cells = []
        for engine in engines:
            shifts = [sources.mean([row[engine][k] for row in rows]) for k in range(len(SHIFTS))]
            best = min(range(len(SHIFTS)), key=lambda k: shifts[k]["inclination"])
            # An estimate that is late has to be looked up later than the truth.
            cells.append(f"{cell(shifts[best])} ({round(-1000 * SHIFTS[best]):+d})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="ablation.py")
    commands = {"ablation": ablation, "choice": choice, "rival": rival}
    parser.add_argument("command", choices=commands)
    parser.add_argument("program", metavar="FUSIONABLATION")
    parser.add_argument("worlds", metavar="FUSIONWORLDS")
    parser.add_argument("sources", nargs="?", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="otolith-") as made:
        folder = arguments.sources
        if folder is None:
            print("No SOURCES: simulated worlds stand in for recordings.\n", flush=True)
            folder = pathlib.Path(made)
            simulate(arguments.worlds, folder)
        sets = sources.recordings(folder)
        if not sets:
            parser.error(f"{folder} has no folder with recordings (*.csv)")
        with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
            commands[arguments.command](pool, arguments.program, sets)


if __name__ == "__main__":
    enter_environment()
    main()
