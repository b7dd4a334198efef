# SPDX-License-Identifier: Apache-2.0
"""What delivering device motion at 1 kHz costs, beside a plain C loop: delivery.py DELIVERYCOST [ROUNDS [SECONDS]]

Runs take turns (managers, board alone, C, managers, ...), so that a machine that is busy for a while is busy for all.
"""

import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
INTERVALS = (0.001, 0.01, 0.1)


def run(*command, stops=False):
    """What a program printed; with `stops` none of its threads ran for 20 ms once a second."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while stops:
        try:
            process.wait(0.98)
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            process.send_signal(signal.SIGCONT)
    output, said = process.communicate()
    if process.returncode:
        sys.exit(f"bench-delivery: {command[0]}: {said.strip()}")
    lines = [line.split() for line in output.splitlines()]
    values = {}
    for name, *numbers in lines:
        values.setdefault(name, []).append([float(number) for number in numbers])
    return values


def spread(values, scale=1.0, digits=1):
    """The median, and the range."""
    values = [value * scale for value in values]
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: delivery.py DELIVERYCOST [ROUNDS [SECONDS]]")
    program = sys.argv[1]
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    seconds = sys.argv[3] if len(sys.argv) > 3 else "10"
    managers, boards, stopped, registers, fifo, fifo_boards, plain = [], [], [], [], [], [], []
    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        loop = f"{folder}/delivery"
        subprocess.run(
            ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-pthread", "-o", loop, str(HERE / "delivery.c")], check=True)
        for _ in range(rounds):
            managers.append(run(program, "managers", "data-ready", seconds))
            boards.append(run(program, "board", "data-ready", seconds))
            stopped.append(run(program, "managers", "data-ready", seconds, stops=True))
            registers.append(run(program, "managers", "registers", seconds))
            fifo.append(run(program, "managers", "fifo", seconds))
            fifo_boards.append(run(program, "board", "fifo", seconds))
            plain.append(run(loop, seconds))
    print(f"{rounds} rounds of {seconds} s, which take turns; medians, and the range of the rounds")
    print()
    both = (("data-ready", managers, boards), ("data-ready, `late-samples: lost`", registers, boards), ("fifo", fifo, fifo_boards))
    print("| read by | manager's interval, s | rate, Hz | longest gap, ms | lost |")
    print("|---|---|---|---|---|")
    ways = (("data-ready", managers), ("data-ready, stopped for 20 ms once a second", stopped),
            ("data-ready, `late-samples: lost`", registers), ("fifo", fifo))
    for name, runs in ways:
        for index, interval in enumerate(INTERVALS):
            rates = [round_["rate"][index] for round_ in runs]
            lost = int(sum(round_["lost"][0][0] for round_ in runs))
            print(f"| {name} | {interval} | {spread([rate for rate, _ in rates], digits=2)} | "
                  f"{spread([gap for _, gap in rates], 1e3)} | {lost} |")
    print()
    delivered = sum(1 / interval for interval in INTERVALS)
    first = lambda values, name, place=0: [value[name][0][place] for value in values]
    print("| | processor time, us per item | latency p50, us | latency p99, us |")
    print("|---|---|---|---|")
    for name, runs, alone in both:
        costs = [(a - b) / delivered for a, b in zip(first(runs, "cpu"), first(alone, "cpu"))]
        print(f"| three managers, less the board alone, by {name} | {spread(costs, 1e-3, 2)} | "
              f"{spread(first(runs, 'latency'), 1e-3)} | {spread(first(runs, 'latency', 1), 1e-3)} |")
    costs = [cpu / samples for cpu, samples in zip(first(plain, "cpu"), first(plain, "samples"))]
    print(f"| C: a timer, two threads, a condition variable | {spread(costs, 1e-3, 2)} | "
          f"{spread(first(plain, 'latency'), 1e-3)} | {spread(first(plain, 'latency', 1), 1e-3)} |")
    share = [a / b for a, b in zip(first(managers, "cpu"), [1e9] * rounds)]
    print()
    print(f"Of one processor, board and fusion included: {spread(share, 100)} %; "
          f"the board alone: {spread(first(boards, 'cpu'), 1e-7)} %.")


if __name__ == "__main__":
    main()
