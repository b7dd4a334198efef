# SPDX-License-Identifier: Apache-2.0
"""Reads an MPU-6050 at 0x68 on /dev/i2c-0 by a Python driver, once a millisecond or as fast as that goes:
read_python.py WHEELS smbus2|mpu6050-raspberrypi|adafruit [--seconds S]

WHEELS is the folder of the wheels that requirements.txt names. Prints what read_fifo and the others print.
"""

import math
import os
import pathlib
import struct
import sys
import time
import types

ADDRESS, BUS = 0x68, 0


def smbus2():
    """Reads blocks with all registers of a sample."""
    from smbus2 import SMBus

    bus = SMBus(BUS)
    bus.write_byte_data(ADDRESS, 0x6B, 0x80)  # PWR_MGMT_1: reset
    time.sleep(0.1)
    # Wakes the chip and sets 1 kHz, DLPF 1, +-500 degrees per second and +-4 g.
    for register, value in ((0x6B, 1), (0x19, 0), (0x1A, 1), (0x1B, 8), (0x1C, 8)):
        bus.write_byte_data(ADDRESS, register, value)

    def read():
        ax, ay, az, t, gx, gy, gz = struct.unpack(">7h", bytes(bus.read_i2c_block_data(ADDRESS, 0x3B, 14)))
        g, radians = 1 / 8192, math.pi / 180 / 65.5
        return (ax + ay + az) * g + t / 340 + 36.53 + (gx + gy + gz) * radians

    return read


def mpu6050_raspberrypi():
    import smbus2

    # The driver imports `smbus`, which smbus2 can replace.
    sys.modules["smbus"] = smbus2
    from mpu6050 import mpu6050

    chip = mpu6050(ADDRESS, bus=BUS)

    def read():
        force, rate, temperature = chip.get_all_data()
        return sum(force.values()) + sum(rate.values()) + temperature

    return read


def adafruit():
    # The driver imports these modules for names only, and Blinka's need a board that they know.
    for name, kinds in (("digitalio", ["DigitalInOut"]), ("busio", ["I2C", "SPI"])):
        sys.modules[name] = types.ModuleType(name)
        for kind in kinds:
            setattr(sys.modules[name], kind, object)
    from adafruit_blinka.microcontroller.generic_linux.i2c import I2C

    import adafruit_mpu6050

    class Bus(I2C):
        """A bus like Blinka's busio.I2C, which does not search for the board."""

        def try_lock(self):
            return True

        def unlock(self):
            pass

    chip = adafruit_mpu6050.MPU6050(Bus(BUS))

    def read():
        return sum(chip.acceleration) + sum(chip.gyro) + chip.temperature

    return read


DRIVERS = {"smbus2": smbus2, "mpu6050-raspberrypi": mpu6050_raspberrypi, "adafruit": adafruit}


def processor():
    tasks = pathlib.Path("/proc/self/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks)


def calls():
    counter = os.environ.get("OTOLITH_SYSCALL_COUNTER")
    return struct.unpack("=q", os.read(int(counter), 8))[0] if counter else None


def main():
    if len(sys.argv) not in (3, 5) or sys.argv[2] not in DRIVERS:
        sys.exit(__doc__)
    seconds = float(sys.argv[4]) if len(sys.argv) == 5 else 10
    # Some packages cannot be imported from within the wheel.
    sys.path[:0] = [str(folder) for folder in sorted(pathlib.Path(sys.argv[1]).iterdir())]
    read = DRIVERS[sys.argv[2]]()
    period, samples, total = 1_000_000, 0, 0.0
    next_time = time.monotonic_ns()
    begin, end, before, calls_before = next_time + 1_000_000_000, None, 0, None
    while True:
        next_time += period
        now = time.monotonic_ns()
        if now < next_time:
            time.sleep((next_time - now) * 1e-9)
        else:
            next_time = now
        total += read()
        samples += 1
        if end is None and next_time >= begin:
            end, samples = next_time + int(seconds * 1e9), 0
            before, calls_before = processor(), calls()
        elif end is not None and next_time >= end:
            break
    calls_after, after = calls(), processor()
    line = f"samples {samples}, {(after - before) / samples:.0f} ns per sample"
    if calls_before is not None:
        line += f", {(calls_after - calls_before - 1) / samples:.3f} system calls per sample"
    print(line)
    print(f"sum {total:g}", file=sys.stderr)


main()
