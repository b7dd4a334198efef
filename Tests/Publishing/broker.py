# SPDX-License-Identifier: Apache-2.0
"""A broker, a subscriber and a running otolith, as the checks use them."""

import atexit
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "otolith" / "publishing"
# The timeout of a condition in seconds, which is long because machines can be slow.
TIMEOUT = 30


def packages():
    """Makes the packages of requirements.txt importable; pip fetches them if they are missing."""
    wanted = (HERE / "requirements.txt").read_text()
    done = CACHE / "requirements.txt"
    if not done.exists() or done.read_text() != wanted:
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
            "--only-binary", ":all:", "--require-hashes", "--upgrade", "--target", str(CACHE),
            "--requirement", str(HERE / "requirements.txt"),
        ]
        if subprocess.run(command).returncode:
            sys.exit("Tests/Publishing: could not fetch paho-mqtt and voluptuous")
        done.write_text(wanted)
    sys.path.insert(0, str(CACHE))


def wait(what, condition, seconds=TIMEOUT):
    """Waits until a condition is true, and ends the program if it never is."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.02)


class Authority:
    """Certificates of an authority that no other program trusts, as files in a folder."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.run("req", "-x509", *self.key(name), "-days", "2", "-subj", f"/CN={name}", "-out", self.file(name))

    def key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{self.folder}/{name}.key"]

    def file(self, name=None):
        return f"{self.folder}/{name or self.name}.pem"

    def run(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def sign(self, name, subject):
        """Makes a certificate for a subject, such as IP:127.0.0.1, with its key in the same folder."""
        request, names = f"{self.folder}/{name}.csr", pathlib.Path(f"{self.folder}/{name}.names")
        names.write_text(f"subjectAltName={subject}\n")
        self.run("req", *self.key(name), "-subj", f"/CN={name}", "-out", request)
        self.run("x509", "-req", "-in", request, "-CA", self.file(), "-CAkey", f"{self.folder}/{self.name}.key", "-CAcreateserial",
                 "-days", "2", "-extfile", str(names), "-out", self.file(name))
        return self.file(name), f"{self.folder}/{name}.key"


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


class Broker:
    """Debian's mosquitto on a separate port; its data is in a folder."""

    def __init__(self, folder, *lines, durable=False):
        self.port = free_port()
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines = lines or ["allow_anonymous true"]
        self.configure(durable)
        self.process = None
        self.start()

    def configure(self, durable):
        """Writes the configuration for the next start."""
        # The queue is long enough for a slow subscriber. A durable broker saves all its data at
        # each change, so that a kill loses little; with a long queue it then handles only a hundred
        # messages a second.
        saving = ["autosave_interval 1", "autosave_on_changes true"] if durable else []
        (self.folder / "mosquitto.conf").write_text("\n".join([
            f"listener {self.port} 127.0.0.1", "persistence true", f"persistence_location {self.folder}/",
            "user root", "max_queued_messages 0", *saving, *self.lines, ""]))

    def start(self):
        self.process = subprocess.Popen(
            ["/usr/sbin/mosquitto", "-c", str(self.folder / "mosquitto.conf")],
            stdout=subprocess.DEVNULL, stderr=open(self.folder / "log", "ab"))
        atexit.register(self.process.kill)
        wait("the broker", self.answers)

    def answers(self):
        with socket.socket() as place:
            return place.connect_ex(("127.0.0.1", self.port)) == 0

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait()


class Subscriber:
    """Receives all messages of a broker in order, in a session that survives a restart of the broker."""

    def __init__(self, port, name="witness", topics="#"):
        import paho.mqtt.client as mqtt

        self.messages = []
        self.subscribed = threading.Event()
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=name, clean_session=False)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = lambda client, *_: client.subscribe(topics, qos=1)
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = lambda _, __, message: self.messages.append(message)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.subscribed.wait(TIMEOUT), "the subscriber is not let in"

    def end(self):
        self.client.disconnect()
        self.client.loop_stop()

    def of(self, word):
        return [message for message in list(self.messages) if message.topic.endswith("/" + word)]

    def objects(self, topic):
        return [
            json.loads(message.payload) for message in list(self.messages)
            if message.topic.startswith(topic + "/") and message.payload.startswith(b'{"id"')
        ]

    def ids(self, topic):
        return {value["id"] for value in self.objects(topic)}


class Publisher:
    """A running `otolith publish`."""

    latest = None

    def __init__(self, otolith, address, *arguments, environment=None):
        Publisher.latest = self
        self.lines = []
        self.process = subprocess.Popen(
            [otolith, "publish", address, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            env=os.environ | {"OTOLITH_SOCKET": ""} | (environment or {}))
        # If a check fails, the process ends with it.
        atexit.register(self.process.kill)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            self.lines.append(line.rstrip())

    def end(self, number=None):
        """Waits for the end of the process, or ends it. Returns the exit status."""
        if number is not None:
            self.process.send_signal(number)
        status = self.process.wait(timeout=120)
        self.reader.join()
        return status

    @property
    def counts(self):
        """Returns the numbers in the last line of the output."""
        found = re.search(
            r"published (\d+) messages(?: and (\d+) that waited)?: (\d+) arrived, (\d+) waiting, (\d+) dropped",
            "\n".join(self.lines[-2:]))
        assert found, self.lines
        made, before, arrived, waiting, dropped = (int(number or 0) for number in found.groups())
        assert made + before == arrived + waiting + dropped, self.lines[-1]
        return made, before, arrived, waiting, dropped
