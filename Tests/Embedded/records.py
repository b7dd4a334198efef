# SPDX-License-Identifier: Apache-2.0
"""Reads the records of a run over a tape (see Reference/PlayedRun.swift), and compares two runs."""
import math
import struct

# The letter of each record, with the format of its numbers for struct.
FORMATS = {
    'X': '<B',
    'P': '<BqIB12d',
    'M': '<Bb24d',
    'H': '<B7Q',
    'T': '<3q',
    'N': '<B3Q',
    'Z': '<BI',
}
# The nanoseconds that pass in the emulator for each instruction (-icount shift=10), and those of a
# tick of the board's timer.
INSTRUCTION, TICK = 1024, 40


def read(path):
    """Returns the records of a file as (letter, numbers); for a batch, (letter, (chip, frames,
    bytes of a frame, bytes))."""
    with open(path, 'rb') as file:
        data = file.read()
    records, place = [], 0
    while place < len(data):
        letter = chr(data[place])
        place += 1
        if letter == 'B':
            chip, frames, size = struct.unpack_from('<BHH', data, place)
            place += 5
            records.append((letter, (chip, frames, size, data[place:place + frames * size])))
            place += frames * size
        else:
            records.append((letter, struct.unpack_from(FORMATS[letter], data, place)))
            place += struct.calcsize(FORMATS[letter])
    return records


def angle(a, b):
    """Returns the angle between two attitudes in degrees."""
    sign = 1 if sum(x * y for x, y in zip(a, b)) >= 0 else -1
    # This uses the norm of the difference, as the cosine from the product is not accurate below
    # 1e-8.
    half = math.sqrt(sum((x - sign * y) ** 2 for x, y in zip(a, b))) / 2
    return math.degrees(4 * math.asin(min(half, 1)))


def attitudes(records):
    """Returns (seconds, (roll, pitch, yaw) in degrees) of each motion, with Core Motion's angles:
    Rz(yaw) Rx(pitch) Ry(roll)."""
    found, time = [], None
    for letter, numbers in records:
        if letter == 'P':
            time = numbers[1] / 1e9
        elif letter == 'M':
            w, x, y, z = numbers[2:6]
            pitch = math.asin(max(-1, min(1, 2 * (y * z + w * x))))
            roll = math.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y))
            yaw = math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
            found.append((time, tuple(math.degrees(angle) for angle in (roll, pitch, yaw))))
    return found


class Difference:
    """The difference between two runs."""

    def __init__(self, one, other):
        self.samples = self.motions = self.batches = 0
        # The first value that differs, of values that must be equal to the last bit.
        self.first = None
        # The largest difference of attitudes, as numbers and in degrees; of other values of motion;
        # and of other values relative to their size.
        self.attitude = self.degrees = self.motion = self.value = 0.0
        # The largest difference between timestamps in nanoseconds.
        self.time = 0
        self.steps = []
        # Whether all batches are equal, and all counters of health.
        self.same_raw = False
        kept = [record for record in other if record[0] not in 'NZ']
        if [letter for letter, _ in one] != [letter for letter, _ in kept]:
            index = next((i for i, (a, b) in enumerate(zip(one, kept)) if a[0] != b[0]), min(len(one), len(kept)))
            self.first = f'record {index}: {one[index:index + 1]} and {kept[index:index + 1]}'
            return
        self.same_raw = True
        for index, ((letter, a), (_, b)) in enumerate(zip(one, kept)):
            if letter == 'M':
                self.add_motion(a, b, index)
            elif letter == 'P':
                self.samples += 1
                self.add_values(a, b, index)
            else:
                self.batches += letter == 'B'
                if letter == 'T':
                    self.steps = [a[0], b[0]]
                if a != b:
                    self.same_raw = self.same_raw and letter == 'T'
                    self.note(index, a, b)

    def note(self, index, a, b):
        self.first = self.first or f'record {index}: {a} and {b}'

    def add_values(self, a, b, index):
        if a != b:
            self.note(index, a, b)
        if (a[0], a[2], a[3]) != (b[0], b[2], b[3]):
            self.value = math.inf
        self.time = max(self.time, abs(a[1] - b[1]))
        for x, y in zip(a[4:], b[4:]):
            self.value = max(self.value, abs(x - y) / max(abs(x), 1))

    def add_motion(self, a, b, index):
        self.motions += 1
        if a[:2] != b[:2]:
            self.note(index, a[:2], b[:2])
        for start in (2, 6, 10):
            one, other = a[start:start + 4], b[start:start + 4]
            self.attitude = max(self.attitude, max(abs(x - y) for x, y in zip(one, other)))
            self.degrees = max(self.degrees, angle(one, other))
        self.motion = max(self.motion, max(abs(x - y) for x, y in zip(a[14:], b[14:])))


NAMES = {
    'N': ['nothing', 'decoding', 'fusion', 'heading', 'recognition'],
    'Z': ['divergences', 'stack', 'static', 'MPU6050', 'LSM6DS3', 'BMI160', 'LIS3MDL', 'BMP280', 'RawBatch',
          'MotionEstimator', 'MovementEstimator', 'StepRecognizer'],
}


def counted(records):
    """Returns by name: bytes, and (calls, instructions of a call, instructions of the longest)."""
    found = {NAMES['Z'][numbers[0]]: numbers[1] for letter, numbers in records if letter == 'Z'}
    calls = {NAMES['N'][numbers[0]]: numbers[1:] for letter, numbers in records if letter == 'N'}
    # The instructions that the measurement itself takes.
    empty = calls['nothing'][1] / max(calls['nothing'][0], 1) if 'nothing' in calls else 0
    for name, (count, ticks, longest) in calls.items():
        if count > 0:
            found[name] = (count, (ticks / count - empty) * TICK / INSTRUCTION, (longest - empty) * TICK / INSTRUCTION)
    return found
