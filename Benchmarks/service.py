# SPDX-License-Identifier: Apache-2.0
"""What the service costs, and what it bears: service.py SERVICECOST [SECONDS [MESSAGES]]

Ends with 1 where something that it must hold does not: rates within 1 %, no loss that was not reported, nothing twice.
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ACCELERATION = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000)
MOTION = (1, 5, 10, 25, 50, 100, 200, 500, 1000)
MIXED = [("acceleration", rate) for rate in ACCELERATION] + [("motion", rate) for rate in MOTION]
FAST = ("acceleration", 1000)
WARM_UP = 4.0
AIM = 2.0


class Service:
    def __init__(self, program, path, read_by):
        self.process = subprocess.Popen(
            [program, "serve", path, read_by], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("bench-service: the service does not begin")

    def seconds(self):
        """Of all its threads, by the scheduler's own clock in nanoseconds."""
        total = 0
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            total += int((task / "schedstat").read_text().split()[0])
        return total / 1e9

    def memory(self):
        return resident(self.process.pid)

    def kill(self):
        self.process.kill()
        self.process.wait()


def resident(process):
    """Resident and proportional memory, MB: rings are counted for everybody who maps them in the first alone."""
    values = dict(line.split()[:2] for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:])
    return int(values["Rss:"]) / 1024, int(values["Pss:"]) / 1024


class Client:
    def __init__(self, program, place, kind, rate):
        self.kind, self.rate = kind, rate
        self.process = subprocess.Popen(
            [program, "client", place, kind, str(rate)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)

    def signal(self, number):
        os.kill(self.process.pid, number)

    def ask(self):
        self.process.stdin.close()

    def result(self):
        words = self.process.stdout.read().split()
        self.process.wait()
        return {name: float(value) for name, value in zip(words[::2], words[1::2])}


def finish(clients):
    for client in clients:
        client.ask()
    return [client.result() for client in clients]


def cost(program, path, read_by, wants, seconds):
    """A run; its clients' results, and seconds of processor time of the service a second."""
    service = Service(program, path, read_by)
    clients = [Client(program, path, *want) for want in wants]
    time.sleep(WARM_UP)
    begin, used = time.monotonic(), service.seconds()
    time.sleep(seconds)
    share = (service.seconds() - used) / (time.monotonic() - begin)
    memory = service.memory(), resident(clients[-1].process.pid)
    results = finish(clients)
    service.kill()
    return results, share, memory


failures = []


def check(holds, text):
    if not holds:
        failures.append(text)


def table(name, wants, results):
    print(f"\n{name}\n")
    print("| program | asked, Hz | got, Hz | lost | reported | by the chip | errors | lost unreported | twice |")
    print("|---|---|---|---|---|---|---|---|---|")
    for (kind, rate), result in zip(wants, results):
        if not result.get("items"):
            check(False, f"{name}: {kind} at {rate} Hz got nothing")
            continue
        print(f"| {kind} | {rate} | {result['rate']:.2f} | {result['holes']:.0f} | {result['missed']:.0f} | "
              f"{result['chips']:.0f} | {result['failures']:.0f} | {result['unreported']:.0f} | {result['disordered']:.0f} |")
        check(result["unreported"] == 0, f"{name}: {kind} at {rate} Hz lost {result['unreported']:.0f} unreported")
        check(result["disordered"] == 0, f"{name}: {kind} at {rate} Hz got {result['disordered']:.0f} twice")


def check_rates(name, wants, results):
    for (kind, rate), result in zip(wants, results):
        got = result.get("rate", 0)
        check(abs(got / rate - 1) <= 0.01, f"{name}: {kind} asked for {rate} Hz and got {got:.2f}")


def costs(program, folder, seconds, read_by):
    path = f"{folder}/{read_by}.sock"
    mixed, _, (of_service, of_client) = cost(program, path, read_by, MIXED, seconds)
    table(f"Twenty programs, board read by {read_by}", MIXED, mixed)
    check_rates(f"read by {read_by}", MIXED, mixed)
    check(all(result.get("chips") == 0 for result in mixed), f"read by {read_by}: the chip lost samples")
    # In turns, so that a machine that is busy for a while is busy for all.
    ones, twenties, plain, served = [], [], [], []
    for _ in range(2):
        alone = Client(program, read_by, *FAST)
        time.sleep(WARM_UP + seconds / 4)
        plain += finish([alone])
        results, share, _ = cost(program, path, read_by, [FAST], seconds / 4)
        served += results
        ones.append(share)
        ones_and_more = cost(program, path, read_by, [FAST] * 20, seconds / 4)
        twenties.append(ones_and_more[1])
        table(f"Twenty at 1 kHz, board read by {read_by}", [FAST] * 20, ones_and_more[0])
    one, twenty = min(ones), min(twenties)
    extra = (twenty - one) / (19 * FAST[1]) * 1e6
    print(f"\n| read by {read_by} | |\n|---|---|")
    print(f"| service, us a sample, one program at 1 kHz | {one / FAST[1] * 1e6:.2f} |")
    print(f"| service, us for each sample of each further program (aim: {AIM}) | {extra:.2f} |")
    print(f"| service, of one processor with twenty at 1 kHz | {twenty * 100:.1f} % |")
    for part in ("p50", "p99"):
        inside, through = min(run[part] for run in plain), min(run[part] for run in served)
        print(f"| latency {part}, us: in process, through the service, added | "
              f"{inside:.0f}, {through:.0f}, {through - inside:.0f} |")
    print(f"| memory of the service with twenty, MB: resident, proportional | {of_service[0]:.1f}, {of_service[1]:.1f} |")
    print(f"| memory of a program, MB: resident, proportional | {of_client[0]:.1f}, {of_client[1]:.1f} |")
    check(extra < AIM, f"read by {read_by}: {extra:.2f} us for each sample of each further program")


def stops(program, folder, seconds):
    """A service that is stopped for 20 ms once a second: its chip's queue bridges it."""
    service = Service(program, f"{folder}/stops.sock", "data-ready")
    client = Client(program, f"{folder}/stops.sock", *FAST)
    time.sleep(WARM_UP)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.98)
        service.process.send_signal(signal.SIGSTOP)
        time.sleep(0.02)
        service.process.send_signal(signal.SIGCONT)
    results = finish([client])
    service.kill()
    name = "One at 1 kHz, the service stopped for 20 ms once a second, board read by data-ready"
    table(name, [FAST], results)
    check(results[0].get("holes") == 0, f"{name}: lost {results[0].get('holes')}")


def faults(program, folder, messages):
    path = f"{folder}/faults.sock"
    service = Service(program, path, "fifo")
    clients = [Client(program, path, *want) for want in MIXED]
    stopped, killed = Client(program, path, *FAST), Client(program, path, *FAST)
    time.sleep(WARM_UP)
    begin = time.monotonic()
    garbage = subprocess.Popen([program, "garbage", path, str(messages)], stdout=subprocess.PIPE, text=True)
    stopped.signal(signal.SIGSTOP)
    time.sleep(2)
    killed.signal(signal.SIGKILL)
    time.sleep(8)
    stopped.signal(signal.SIGCONT)
    said = garbage.communicate()[0].strip()
    elapsed = time.monotonic() - begin
    memory = service.memory()
    time.sleep(2)
    check(service.process.poll() is None, "garbage has ended the service")
    service.kill()
    time.sleep(1)
    service = Service(program, path, "fifo")
    time.sleep(5)
    results = finish(clients)
    late = finish([stopped])[0]
    killed.process.wait()
    service.kill()
    table("One stopped for 10 s, one killed, garbage, the service killed and begun anew", MIXED, results)
    for (kind, rate), result in zip(MIXED, results):
        check(result.get("failures") == 1, f"{kind} at {rate} Hz was told {result.get('failures')} errors of one")
    table("Of these, the one that was stopped", [FAST], [late])
    check(late.get("missed", 0) > 0, "who was stopped was told of no loss")
    print(f"\nGarbage: {said} in {elapsed:.0f} s; the service then has {memory[0]:.1f} MB resident.")


def main():
    if len(sys.argv) not in (2, 3, 4):
        sys.exit("usage: service.py SERVICECOST [SECONDS [MESSAGES]]")
    program = str(pathlib.Path(sys.argv[1]).resolve())
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60
    messages = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000
    with tempfile.TemporaryDirectory(prefix="otolith-") as folder:
        for read_by in ("fifo", "data-ready"):
            costs(program, folder, seconds, read_by)
        stops(program, folder, seconds / 4)
        faults(program, folder, messages)
    for text in failures:
        print(f"bench-service: {text}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
