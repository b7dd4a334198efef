# SPDX-License-Identifier: Apache-2.0
"""Motion of otolith in Python: one file, nothing but Python 3.9 and Linux.

    import otolith
    for motion in otolith.run():                    # the command: opens the board, or asks the service
        print(motion["pitch"], motion["roll"])

    for motion in otolith.Service().motions(50):    # the service's memory: no process, no text
        print(motion["pitch"], motion["roll"])

A motion is the same dictionary either way: the keys of `otolith run --format jsonl` ("pitch", "gravity.x",
"magneticField.accuracy"), and each vector as a tuple ("gravity"; "attitude" is w, x, y, z). The command adds what it counts and
recognises (steps, altitude, activity), the service's memory what only fusion knows ("gyroBias", "headingSigma", "isAtRest").

Units, axes and signs are Core Motion's: g, rad, rad/s, microtesla, kPa; docs/recordings.md and docs/service.md of otolith
say all. What is not known at a moment has no key.
"""

import json
import math
import mmap
import os
import select
import socket
import struct
import subprocess
import sys

CHANNELS = ("acceleration", "rotationRate", "magneticField", "pressure", "temperature", "humidity", "illuminance",
            "proximity")
_VECTORS = 3
_VERSION = 1


class OtolithError(Exception):
    """What went wrong, in a line for people."""


def run(*arguments, command="otolith"):
    """Motions of `otolith run`, a dictionary each, for ever: run("--board", "robot.yaml", "--rate", "50")."""
    # What it says of board and losses goes to standard error, where it can be seen.
    process = subprocess.Popen([command, "run", "--format", "jsonl", *arguments], stdout=subprocess.PIPE, text=True)
    try:
        for line in process.stdout:
            yield _with_tuples(json.loads(line))
        if process.wait():
            raise OtolithError(f"otolith run ended with {process.returncode}; standard error has the reason")
    finally:
        process.terminate()
        process.stdout.close()
        process.wait()


class Service:
    """The otolith service of this machine, or the one whose socket is at `path`."""

    def __init__(self, path=None, program=None):
        self.path = path or _usual_path()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._socket.connect(self.path)
        except OSError as error:
            raise OtolithError(f"no otolith service at {self.path}: {error.strerror}") from None
        name = (program or os.path.basename(sys.argv[0]) or "python").encode()[:256]
        self._socket.send(struct.pack("<BIHHH", 1, 0x4C4F544F, _VERSION, _VERSION, len(name)) + name)
        data, descriptors, _, _ = socket.recv_fds(self._socket, 131072, 5)
        packet = _Packet(data)
        if packet.take("B") == 132:
            packet.take("B")
            raise OtolithError(packet.text())
        packet.take("H")
        self.name = packet.text()
        self.channels = _names(packet.take("H"))
        self._size, self._source = packet.take("HH")
        self._offsets = dict(packet.take("BH") for _ in range(packet.take("B")))
        self.rates = {_name(number): packet.optional() for number in self._offsets}
        self.is_simulated = bool(packet.take("B"))
        # Of each its name; the channels and the one that counts steps are of no use here.
        self.chips = []
        for _ in range(packet.take("H")):
            self.chips.append(packet.text())
            packet.take("HHB")
        #: What is wrong with chips at this moment, a sentence each.
        self.troubles = []
        #: Samples or motions that this program was too slow to see.
        self.missed = 0
        self._samples = _Ring(descriptors[0])
        self._motions = _Ring(descriptors[1])
        self._page = memoryview(mmap.mmap(descriptors[3], 4096)).cast("Q")
        for descriptor in descriptors:
            os.close(descriptor)
        self._waits = select.poll()
        self._waits.register(self._socket, select.POLLIN)
        self._serial = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """The service lets the chips sleep, where no other program wants them."""
        self._socket.close()

    def samples(self, **rates):
        """Samples for ever, of the channels that are named at so many a second: samples(acceleration=100).

        Without a name all channels at all their rates. A sample is a dictionary: timestamp (s, CLOCK_MONOTONIC), missing (lost
        just before it), chip, and its channels; vectors are (x, y, z).
        """
        rates = rates or {name: math.inf for name in self.channels}
        for name in rates:
            if name not in self.channels:
                raise OtolithError(f"{self.name} has no {name}; it has {', '.join(self.channels)}")
        numbers = [(CHANNELS.index(name), rate) for name, rate in rates.items()]
        # From here on: what comes while the service is being told is not left out.
        self._samples.restart()
        self._want(0, numbers)
        thinnings = {number: _Thinning(rate) for number, rate in numbers}
        for element in self._follow(self._samples, thinnings.values()):
            nanoseconds, channels = struct.unpack_from("=qH", element)
            wanted = [number for number, thinning in thinnings.items()
                      if channels >> number & 1 and thinning.takes(nanoseconds)]
            if not wanted:
                continue
            source, = struct.unpack_from("=i", element, self._source)
            sample = {"timestamp": nanoseconds / 1e9, "missing": struct.unpack_from("=I", element, 12)[0]}
            if source < len(self.chips):
                sample["chip"] = self.chips[source]
            for number in wanted:
                form = "=3d" if number < _VECTORS else "=d"
                values = struct.unpack_from(form, element, self._offsets[number])
                sample[_name(number)] = values if len(values) > 1 else values[0]
            yield sample

    def motions(self, rate=math.inf):
        """Motions for ever, at most so many a second: dictionaries as those of run(), with yaw zero in the first, and
        attitudeNorth (w, x, y, z; x magnetic north) and its headingSigma, gyroBias, temperature, isAtRest, missing."""
        origin = None
        self._motions.restart()
        self._want(rate, [])
        thinning = _Thinning(rate)
        for element in self._follow(self._motions, [thinning]):
            nanoseconds, contents, accuracy, rests = struct.unpack_from("=qBbB", element)
            if not thinning.takes(nanoseconds):
                continue
            motion = {"timestamp": nanoseconds / 1e9, "isAtRest": bool(rests),
                      "missing": struct.unpack_from("=I", element, 12)[0]}

            def add(bit, name, form, offset):
                if contents & bit:
                    values = struct.unpack_from(form, element, offset)
                    motion[name] = values if len(values) > 1 else values[0]
            add(1, "attitude", "=4d", 16)
            if contents & 1:
                if origin is None:
                    origin = _turn(-_azimuth(motion["attitude"]))
                motion["attitude"] = _product(origin, motion["attitude"])
                motion["roll"], motion["pitch"], motion["yaw"] = _angles(motion["attitude"])
            add(2, "attitudeNorth", "=4d", 80)
            add(2, "headingSigma", "=d", 120)
            add(4, "rotationRate", "=3d", 128)
            add(4, "gyroBias", "=3d", 152)
            add(1, "gravity", "=3d", 176)
            add(1, "userAcceleration", "=3d", 200)
            add(8, "magneticField", "=3d", 224)
            add(16, "pressure", "=d", 248)
            add(32, "temperature", "=d", 256)
            if contents & 8:
                motion["magneticAccuracy"] = motion["magneticField.accuracy"] = accuracy
            yield _with_components(motion)

    def status(self):
        """What `otolith service status --json` prints."""
        answer = self._ask(6)
        if answer.take("B") != 4:
            raise OtolithError("the service tells no status")
        return json.loads(answer.rest())

    def _want(self, motion, channels):
        fields = b"".join(struct.pack("<Bd", number, rate) for number, rate in channels)
        answer = self._ask(2, struct.pack("<dB", motion, len(channels)) + fields)
        if answer.take("B") != 0:
            answer.take("B")
            raise OtolithError(answer.text())

    def _follow(self, ring, thinnings):
        while True:
            element = ring.read()
            if element is not None:
                yield element
                continue
            self.missed += ring.missed
            self._page[2] = self._page[2] + ring.missed
            ring.missed = 0
            # To sleep is to say so, look once more, and wait for a packet.
            self._page[1] = max(0, int(min(thinning.wakes for thinning in thinnings)))
            self._page[0] = 1
            if not ring.is_behind():
                self._listen()
            self._page[0] = 0

    def _ask(self, kind, fields=b""):
        self._serial += 1
        self._socket.send(struct.pack("<BI", kind, self._serial) + fields)
        while True:
            answer = self._listen()
            if answer is not None and answer.take("I") == self._serial:
                return answer

    def _listen(self):
        """Waits for a packet; returns it when it answers something."""
        self._waits.poll()
        data = self._socket.recv(131072)
        if not data:
            raise OtolithError(f"the otolith service at {self.path} has ended")
        packet = _Packet(data)
        kind = packet.take("B")
        if kind == 131:
            self.troubles = []
            for _ in range(packet.take("H")):
                failed = packet.take("B") == 2
                if failed:
                    packet.take("BBBBi")
                sentence = packet.text()
                for _ in range(packet.take("H")):
                    packet.take("BBBBBIq")
                if failed:
                    self.troubles.append(sentence)
        elif kind == 132:
            packet.take("B")
            raise OtolithError(packet.text())
        return packet if kind == 133 else None


def _usual_path():
    asked = os.environ.get("OTOLITH_SOCKET")
    if asked == "":
        raise OtolithError("$OTOLITH_SOCKET is set to nothing: no service is to be asked")
    own = os.environ.get("XDG_RUNTIME_DIR")
    places = ["/run/otolith/otolith.sock"] + ([own + "/otolith.sock"] if own else [])
    return asked or next((path for path in places if os.path.exists(path)), places[0])


def _name(number):
    return CHANNELS[number] if number < len(CHANNELS) else f"channel{number}"


def _names(channels):
    return tuple(_name(number) for number in range(16) if channels >> number & 1)


_COMPONENTS = {"attitude": "wxyz", "rotationRate": "xyz", "gravity": "xyz", "userAcceleration": "xyz", "magneticField": "xyz"}


def _with_tuples(motion):
    """A motion of the command with its vectors as tuples too."""
    for name, axes in _COMPONENTS.items():
        if f"{name}.x" in motion:
            motion[name] = tuple(motion[f"{name}.{axis}"] for axis in axes)
    return motion


def _with_components(motion):
    """A motion of the service with its vectors' components too."""
    for name, axes in _COMPONENTS.items():
        for axis, value in zip(axes, motion.get(name, ())):
            motion[f"{name}.{axis}"] = value
    return motion


def _turn(yaw):
    return math.cos(yaw / 2), 0.0, 0.0, math.sin(yaw / 2)


def _product(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def _angles(attitude):
    """Roll, pitch and yaw in radians, as CMAttitude has them: yaw about z, then pitch about x, then roll about y."""
    w, x, y, z = attitude
    sine = 2 * (y * z + w * x)
    pitch = math.asin(max(-1.0, min(1.0, sine)))
    across, along = 2 * (w * z - x * y), 1 - 2 * (x * x + z * z)
    if across * across + along * along <= sys.float_info.epsilon:
        # Straight up or down yaw and roll are one turn.
        turn = 2 * (math.atan2(z - y, w - x) if sine < 0 else math.atan2(z + y, w + x))
        return 0.0, pitch, math.remainder(turn, 2 * math.pi)
    return math.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)), pitch, math.atan2(across, along)


def _azimuth(attitude):
    """The turn about the vertical: yaw, and near a pitch of 90 degrees the one that leaves the smallest rotation."""
    w, x, y, z = attitude
    return _angles(attitude)[2] if abs(2 * (y * z + w * x)) < 0.9962 else 2 * math.atan2(z, w)


class _Thinning:
    """Takes an item when its interval is over to within half of the items' own."""

    def __init__(self, rate):
        if not rate > 0:
            raise OtolithError("a rate is a number of items a second above 0")
        self.step, self.due, self.last, self.period = 1e9 / rate, None, None, 0

    @property
    def wakes(self):
        """Before this time nothing is taken, in nanoseconds."""
        return 0 if self.due is None else self.due - self.period

    def takes(self, time):
        if self.last is not None:
            self.period = min(time - self.last, self.period or time - self.last)
        self.last = time
        if self.due is not None and time + self.period / 2 < self.due:
            return False
        # From the plan, or the rate would drift; after a gap from the item.
        planned = time if self.due is None else self.due + self.step
        self.due = planned if planned > time else time + self.step
        return True


class _Packet:
    """A message, taken apart from its begin."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.place)
        self.place += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def text(self):
        count = self.take("H")
        self.place += count
        return self.data[self.place - count : self.place].decode()

    def optional(self):
        is_there, number = self.take("Bd")
        return number if is_there else None

    def rest(self):
        return self.data[self.place :]


class _Ring:
    """Elements that the service publishes in memory that this program may read."""

    def __init__(self, descriptor):
        memory = mmap.mmap(descriptor, os.fstat(descriptor).st_size, mmap.MAP_SHARED, mmap.PROT_READ)
        self.bytes, self.words = memoryview(memory), memoryview(memory).cast("Q")
        if self.words[0] != 0x6F746F72696E6701:
            raise OtolithError("the service's memory is laid out otherwise: this otolith.py is of another release")
        self.size, self.capacity, self.stride = self.words[1], self.words[2], self.words[3]
        self.missed = 0
        self.restart()

    def restart(self):
        self.next = self.words[4]

    def is_behind(self):
        return self.words[4] > self.next

    def read(self):
        while self.is_behind():
            head = self.words[4]
            if head > self.next + self.capacity:
                # A quarter ahead of what is overwritten next.
                oldest = head - self.capacity * 3 // 4
                self.missed += oldest - self.next
                self.next = oldest
            number = self.next
            slot = 8 + number % self.capacity * self.stride
            self.next += 1
            if self.words[slot] == 2 * number + 2:
                element = bytes(self.bytes[8 * slot + 8 : 8 * slot + 8 + self.size])
                if self.words[slot] == 2 * number + 2:
                    return element
            self.missed += 1
        return None
