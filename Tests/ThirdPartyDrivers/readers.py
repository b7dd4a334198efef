# SPDX-License-Identifier: Apache-2.0
"""Reads MCAP files of otolith with the readers of others, and those of others with otolith: readers.py OTOLITH

mcap and mcap-ros2-support, from PyPI by their hashes, decode what `otolith record` and `otolith replay` wrote by the
definitions in the file alone. Every value must be that of the CSV to the last digit, and each of 50 files whose recorder
was killed must open.
`otolith replay` must read as many samples as mcap has written, in each form that it writes, and of half a file no fewer
than mcap reads.
"""

import csv
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import run

GRAVITY, TESLA = -9.80665, 1e-6


def messages(path):
    """Returns the messages by topic, after a check of every checksum."""
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory

    found = {}
    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
        for _, channel, _, message in reader.iter_decoded_messages():
            found.setdefault(channel.topic, []).append(message)
    return found


def vector(value):
    return value.x, value.y, value.z


def rows(path, name, *factors):
    """Returns the cells of a quantity, in the units of ROS."""
    names = [f"{name}.{axis}" for axis in "xyz"] if len(factors) == 3 else [name]
    with open(path, newline="") as file:
        return [
            tuple(float(row[cell]) * factor for cell, factor in zip(names, factors))
            for row in csv.DictReader(file) if row[names[0]]
        ]


def compare(otolith, folder):
    """Returns the number of values, and the number of those that differ."""
    record = [otolith, "record", "--board", "simulated-all", "--duration", "20", "--instant"]
    for name in ["a.csv", "a.mcap"]:
        subprocess.run([*record, "-o", f"{folder}/{name}"], check=True, stderr=subprocess.DEVNULL)
    found = messages(f"{folder}/a.mcap")
    # Light is in lux in both formats.
    wanted = {
        "/imu/data_raw": ("acceleration", [GRAVITY] * 3, lambda m: vector(m.linear_acceleration)),
        "/imu/mag": ("magneticField", [TESLA] * 3, lambda m: vector(m.magnetic_field)),
        "/pressure": ("pressure", [1000], lambda m: (m.fluid_pressure,)),
        "/temperature": ("temperature", [1], lambda m: (m.temperature,)),
        "/humidity": ("humidity", [0.01], lambda m: (m.relative_humidity,)),
        "/illuminance": ("illuminance", [1], lambda m: (m.illuminance,)),
    }
    count = wrong = 0
    for topic, (quantity, factors, value) in wanted.items():
        # Messages are in the file's order, and the CSV in the order of time, so that each value is
        # searched for among all.
        if topic == "/imu/data_raw":
            has = [m for m in found[topic] if m.linear_acceleration_covariance[0] != -1]
        else:
            has = found[topic]
        there, here = sorted(map(value, has)), sorted(rows(f"{folder}/a.csv", quantity, *factors))
        differing = sum(a != b for a, b in zip(there, here)) + abs(len(there) - len(here))
        print(f"{topic:16}{len(there):8} messages{differing:6} differ")
        count, wrong = count + len(there), wrong + differing
    # Of several chips as one, accelerations and rates may come at their own times.
    rates = sorted(
        vector(m.angular_velocity) for m in found["/imu/data_raw"] if m.angular_velocity_covariance[0] != -1)
    wrong += rates != sorted(rows(f"{folder}/a.csv", "rotationRate", 1, 1, 1))
    attitudes = [m.orientation for m in found["/imu/data"]]
    wrong += len(found["/tf"]) != len(attitudes)
    wrong += any(
        vector(a) != vector(m.transforms[0].transform.rotation) for a, m in zip(attitudes, found["/tf"]))
    wrong += not all(m.orientation_covariance[0] > 0 for m in found["/imu/data"])
    wrong += len(found["/diagnostics"][-1].status) != 15
    # The times are those of the run's clock, which may be faster than the machine's.
    texts = ("faults", "conditions", "causes", "at range end")
    for status in found["/diagnostics"][-1].status:
        words = {entry.key: entry.value for entry in status.values if entry.key in texts}
        values = {entry.key: float(entry.value) for entry in status.values if entry.key not in words}
        # A condition names a channel and the state of each axis: "pressure: good".
        conditions = words.pop("conditions")
        states = {state for part in conditions.split("; ") for state in part.split(": ")[-1].split(", ") if state}
        is_well = states <= {"good"} and not any(words.values()) and "faults" in words
        if not is_well or status.level != 0 or not values["rate Hz"] > 0 or not values["received"] > 0:
            print(f"/diagnostics: {status.name} {status.message} {conditions} {words} {values}")
            wrong += 1
    wrong += {m.transforms[0].header.frame_id for m in found["/tf"]} != {"map"}
    wrong += {m.header.frame_id for m in found["/imu/data"]} != {"imu_link"}
    return count, wrong


def replay(otolith, folder):
    """Returns the number of smoothed motions, and of values in their messages that differ from the CSV."""
    for name, options in [("s.csv", []), ("s.mcap", ["--frame-id", "base_imu", "--tf-parent", "odom"])]:
        subprocess.run(
            [otolith, "replay", f"{folder}/a.csv", "--smooth", "--covariance", "-o", f"{folder}/{name}", *options],
            check=True, stderr=subprocess.DEVNULL)
    found = messages(f"{folder}/s.mcap")
    motions = [m for m in found["/imu/data"] if m.orientation_covariance[0] != -1]
    with open(f"{folder}/s.csv", newline="") as file:
        wanted = [
            (
                tuple(float(row["attitude." + axis]) for axis in "xyzw"),
                tuple((float(row["gravity." + axis]) + float(row["userAcceleration." + axis])) * GRAVITY for axis in "xyz"),
                tuple(float(row["rotationRate." + axis]) for axis in "xyz"),
                tuple(float(row["attitudeCovariance." + term]) for term in ("xx", "xy", "xz", "yy", "yz", "zz")),
            ) for row in csv.DictReader(file) if row["attitude.w"]
        ]
    there = [
        (
            (*vector(m.orientation), m.orientation.w), vector(m.linear_acceleration), vector(m.angular_velocity),
            tuple(m.orientation_covariance[n] for n in (0, 1, 2, 4, 5, 8)),
        ) for m in motions
    ]
    wrong = sum(a != b for a, b in zip(there, wanted)) + abs(len(there) - len(wanted))
    wrong += not all(m.orientation_covariance[0] > 0 and m.orientation_covariance[8] > 0 for m in motions)
    wrong += not all(m.angular_velocity_covariance[0] > 0 for m in motions)
    wrong += {m.header.frame_id for m in motions} != {"base_imu"}
    frames = {(m.transforms[0].header.frame_id, m.transforms[0].child_frame_id) for m in found["/tf"]}
    wrong += frames != {("odom", "base_imu")} or len(found["/tf"]) != len(motions)
    turns = [m.transforms[0].transform.rotation for m in found["/tf"]]
    wrong += [(*vector(turn), turn.w) for turn in turns] != [turn for turn, *_ in there]
    wrong += len(found["/imu/data_raw"]) != len(rows(f"{folder}/a.csv", "acceleration", 1, 1, 1))
    last = {entry.key: float(entry.value) for entry in found["/diagnostics"][-1].status[0].values if entry.key != "faults"}
    wrong += not last["received"] > 0 or not last["rate Hz"] > 0
    return len(there), wrong


def kill(otolith, folder, times):
    """Returns the number of files that could not be opened after their recorder was killed, and of
    all messages in them."""
    chance = random.Random(7)
    broken = total = 0
    for number in range(times):
        path = f"{folder}/k{number}.mcap"
        # The recorder writes either megabytes a second or a chunk each second.
        speed = ["--instant", "--duration", "900000"] if number % 2 else []
        recorder = subprocess.Popen(
            [otolith, "record", "--board", "simulated", "-o", path, *speed], stderr=subprocess.DEVNULL)
        while not os.path.exists(path):
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.4 if number % 2 else 1.6))
        recorder.send_signal(signal.SIGKILL)
        recorder.wait()
        try:
            total += sum(map(len, messages(path).values()))
        except Exception as error:
            print(f"{path} after a kill: {error!r}")
            broken += 1
        os.remove(path)
    return broken, total


def imu(serialize, moment):
    """Returns the bytes of an IMU message."""
    stamp = {"sec": moment // 10**9, "nanosec": moment % 10**9}
    zeros = [0.0] * 9
    return serialize({
        "header": {"stamp": stamp, "frame_id": "imu"},
        "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}, "orientation_covariance": zeros,
        "angular_velocity": {"x": 0.001, "y": moment % 7 / 1e4, "z": 0}, "angular_velocity_covariance": zeros,
        "linear_acceleration": {"x": 0, "y": moment % 5 / 1e4, "z": 9.8}, "linear_acceleration_covariance": zeros,
    })


def read_by_mcap(path):
    """Returns the messages that mcap reads from a file, up to its end or the point at which it is cut."""
    from mcap.records import Message
    from mcap.stream_reader import StreamReader

    count = 0
    with open(path, "rb") as file:
        try:
            for record in StreamReader(file).records:
                count += isinstance(record, Message)
        except Exception:
            pass
    return count


def converted(otolith, path, *options):
    """Returns the rows that otolith makes of a file, one per IMU message, and its remarks."""
    run = subprocess.run(
        [otolith, "replay", path, "-o", path + ".csv", "--force", *options], capture_output=True, text=True)
    if run.returncode:
        return 0, run.stderr
    with open(path + ".csv") as file:
        return len(file.readlines()) - 1, run.stderr


def foreign(otolith, folder):
    """Returns the number of files by mcap's writer, whole and cut, and of those that otolith read
    differently from mcap."""
    from mcap.writer import CompressionType, IndexType, Writer
    from mcap_ros2._dynamic import serialize_dynamic

    subprocess.run(
        [otolith, "record", "--board", "simulated", "-d", "1", "--instant", "-o", f"{folder}/schema.mcap"],
        check=True, stderr=subprocess.DEVNULL)
    from mcap.reader import make_reader
    with open(f"{folder}/schema.mcap", "rb") as file:
        schemas = make_reader(file).get_summary().schemas.values()
        schema = next(schema.data for schema in schemas if schema.name == "sensor_msgs/msg/Imu")
    serialize = serialize_dynamic("sensor_msgs/Imu", schema.decode())["sensor_msgs/Imu"]
    count = wrong = 0
    forms = [[CompressionType.NONE, CompressionType.ZSTD], [True, False], [True, False],
             [IndexType.ALL, IndexType.NONE], [True, False]]
    for packing, chunks, statistics, index, sums in itertools.product(*forms):
        path = f"{folder}/f.mcap"
        with open(path, "wb") as file:
            writer = Writer(
                file, chunk_size=20000, compression=packing, use_chunking=chunks, use_statistics=statistics,
                index_types=index, enable_crcs=sums, enable_data_crcs=sums)
            writer.start(profile="ros2", library="mcap")
            channel = writer.register_channel(
                "/imu", "cdr", writer.register_schema("sensor_msgs/msg/Imu", "ros2msg", schema))
            for number in range(500):
                moment = 1_700_000_000_000_000_000 + number * 5_000_000
                writer.add_message(channel, moment, imu(serialize, moment), moment)
            writer.finish()
        theirs, (ours, said) = read_by_mcap(path), converted(otolith, path, "--strict")
        whole = ours == theirs == 500 and not said
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
        theirs, (ours, said) = read_by_mcap(path), converted(otolith, path)
        cut = theirs <= ours < 500 and "has no end" in said
        if not (whole and cut):
            print(f"{packing} chunks {chunks} statistics {statistics} {index} checksums {sums}: "
                  f"whole {whole}, cut {cut}: {said}")
        count, wrong = count + 2, wrong + (not whole) + (not cut)
    return count, wrong


def main():
    otolith = sys.argv[1]
    found = run.wheels()
    sys.path[:0] = [str(run.HERE / "standins"), str(found["mcap"]), str(found["mcap-ros2-support"])]
    with tempfile.TemporaryDirectory() as folder:
        count, wrong = compare(otolith, folder)
        print(f"{count} messages compared with the CSV, {wrong} differ")
        motions, differing = replay(otolith, folder)
        print(f"{motions} smoothed motions compared with the CSV, {differing} differ")
        wrong, count = wrong + differing, count if motions else 0
        files, unread = foreign(otolith, folder)
        print(f"{files} files of mcap's writer, whole and cut, {unread} not read as mcap reads them")
        broken, total = kill(otolith, folder, 50)
        print(f"50 recorders killed, {broken} files do not open, {total} messages in the others")
    sys.exit(1 if wrong or unread or not files or broken or not count or not total else 0)


if __name__ == "__main__":
    main()
