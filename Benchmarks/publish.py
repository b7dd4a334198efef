# SPDX-License-Identifier: Apache-2.0
"""200 publishers on one broker, which is stopped and killed under them: publish.py PUBLISHLOAD [PUBLISHERS [RATE [SECONDS]]]

The publishers are connections of one process, each with the thread, the spool and the connection that `otolith publish`
has; the broker is Debian's mosquitto, the witness paho-mqtt.
"""

import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests" / "Publishing"))
import broker


def main():
    load, publishers, rate, seconds = (sys.argv[1:] + ["", "200", "10", "60"][len(sys.argv) - 1:])[:4]
    broker.packages()
    with tempfile.TemporaryDirectory() as folder:
        server = broker.Broker(folder + "/broker")
        witness = broker.Subscriber(server.port, topics="load/+/motion")
        process = subprocess.Popen(
            [load, f"mqtt://127.0.0.1:{server.port}/load", folder + "/spool", publishers, rate, seconds], stdout=subprocess.PIPE, text=True)
        for number in [signal.SIGTERM, signal.SIGKILL]:
            time.sleep(float(seconds) / 4)
            server.end(number)
            time.sleep(float(seconds) / 12)
            server.start()
        counts = json.loads(process.communicate()[0])
        end, last = time.monotonic() + 60, -1
        while time.monotonic() < end and last != len(witness.messages):
            last = len(witness.messages)
            time.sleep(2)
        ids = {json.loads(message.payload)["id"] for message in witness.messages}
        assert counts["made"] == counts["arrived"] + counts["waiting"] + counts["dropped"], counts
        print(json.dumps(counts))
        print(f"subscriber: {len(ids)} different, {len(witness.messages) - len(ids)} twice, "
              f"{counts['arrived'] - len(ids)} that the killed broker had acknowledged and lost")
        witness.end()
        server.end()
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"processor of broker and publishers: {children.ru_utime + children.ru_stime:.1f} s")


if __name__ == "__main__":
    main()
