# SPDX-License-Identifier: Apache-2.0
"""A client of the otolith service in another language, written from docs/service.md alone.

client.py SOCKET COUNT: greets the service, requests acceleration and light, and prints one JSON
object per line: the welcome, the results of attempts to map the rings for writing, then COUNT
samples, then the status of the service.
"""

import json
import mmap
import os
import select
import socket
import struct
import sys


class Packet:
    """Reads the fields of a message one after the other."""

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

    def end(self):
        assert self.place == len(self.data), "bytes too many"


class Ring:
    """A ring of elements that the service publishes."""

    def __init__(self, descriptor, size, stride):
        self.memory = mmap.mmap(
            descriptor, os.fstat(descriptor).st_size, mmap.MAP_SHARED, mmap.PROT_READ)
        self.words = memoryview(self.memory).cast("Q")
        assert self.words[0] == 0x6F746F72696E6701, "another format"
        assert (self.words[1], self.words[3]) == (size, stride), "another element"
        self.capacity, self.stride, self.size = self.words[2], stride, size
        self.next = self.words[4]

    def is_behind(self):
        return self.words[4] > self.next

    def read(self):
        if not self.is_behind():
            return None
        slot = 8 + (self.next % self.capacity) * self.stride
        assert self.words[slot] == 2 * self.next + 2, "missed"
        element = bytes(self.memory[8 * (slot + 1) : 8 * (slot + 1) + self.size])
        assert self.words[slot] == 2 * self.next + 2, "missed"
        self.next += 1
        return element


def writable(descriptor):
    """Returns the results of attempts to map a ring for writing."""
    size = os.fstat(descriptor).st_size
    try:
        mmap.mmap(descriptor, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    except OSError as error:
        return os.strerror(error.errno)
    return "mapped"


def resized(descriptor):
    try:
        os.ftruncate(descriptor, 4096)
    except OSError as error:
        return os.strerror(error.errno)
    return "resized"


def main(path, count):
    service = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    service.connect(path)
    name = b"client.py"
    service.send(struct.pack("<BIHHH", 1, 0x4C4F544F, 1, 1, len(name)) + name)
    data, descriptors, _, _ = socket.recv_fds(service, 131072, 5)
    packet = Packet(data)
    kind, version = packet.take("BH")
    assert kind == 129, f"no welcome but {kind}"
    welcome = {"version": version, "name": packet.text(), "channels": packet.take("H")}
    size, source_offset = packet.take("HH")
    offsets = dict(packet.take("BH") for _ in range(packet.take("B")))
    welcome["rates"] = [packet.optional() for _ in offsets]
    welcome["isMadeUp"] = packet.take("B")
    welcome["chips"] = [
        {"name": packet.text(), "channels": packet.take("HHB")[0]} for _ in range(packet.take("H"))]
    welcome["isSomewhere"] = packet.take("B")
    welcome["location"] = [packet.optional() for _ in range(6)]
    packet.end()
    print(json.dumps(welcome), flush=True)
    attempts = [writable(number) for number in descriptors[:3]] + [resized(descriptors[0])]
    print(json.dumps({"writing": attempts}), flush=True)

    samples = Ring(descriptors[0], size, (size + 7) // 8 + 1)
    Ring(descriptors[1], 264, 34)
    Ring(descriptors[2], 24, 4)
    page = memoryview(mmap.mmap(descriptors[3], 4096)).cast("Q")

    waits = select.poll()
    waits.register(service, select.POLLIN)
    wakes = 0
    chips = None

    def listen():
        """Waits for a packet. Returns it if it is an answer."""
        nonlocal wakes, chips
        assert waits.poll(20000), "the service says nothing"
        packet = Packet(service.recv(131072))
        kind = packet.take("B")
        if kind == 130:
            wakes += 1
        elif kind == 131:
            chips = []
            for _ in range(packet.take("H")):
                state = packet.take("B")
                error = packet.take("BBBBi") if state == 2 else None
                chips.append({"state": state, "error": error, "sentence": packet.text()})
                chips[-1]["conditions"] = [packet.take("BBBBBIq") for _ in range(packet.take("H"))]
        elif kind == 133:
            return packet
        else:
            raise AssertionError(f"a packet of kind {kind}")
        packet.end()
        return None

    def ask(kind, serial, fields=b""):
        service.send(struct.pack("<BI", kind, serial) + fields)
        while True:
            answer = listen()
            if answer is not None:
                assert answer.take("I") == serial
                return answer

    answer = ask(2, 7, struct.pack("<dBBdBd", 0, 2, 0, float("inf"), 6, float("inf")))
    assert answer.take("B") == 0, "not done"
    answer.end()
    print(json.dumps({"wants": "acceleration"}), flush=True)
    seen = 0
    while seen < count:
        element = samples.read()
        if element is None:
            page[1] = 0
            page[0] = 1
            if not samples.is_behind():
                listen()
            page[0] = 0
            continue
        timestamp, channels = struct.unpack_from("=qH", element, 0)
        missing, = struct.unpack_from("=I", element, 12)
        acceleration = struct.unpack_from("=3d", element, 16)
        source, = struct.unpack_from("=i", element, source_offset)
        light, = struct.unpack_from("=d", element, offsets[6])
        print(json.dumps({
            "timestamp": timestamp, "channels": channels, "missing": missing,
            "acceleration": acceleration, "light": light, "source": source}), flush=True)
        seen += 1
    answer = ask(6, 8)
    assert answer.take("B") == 4, "no status"
    status = json.loads(answer.data[answer.place :])
    print(json.dumps({"status": status, "wakes": wakes, "chips": chips}), flush=True)


main(sys.argv[1], int(sys.argv[2]))
