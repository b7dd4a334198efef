# SPDX-License-Identifier: Apache-2.0
"""A client of Foxglove's WebSocket protocol, from its specification alone (github.com/foxglove/ws-protocol)."""

import json
import struct
import time

from mcap.records import Schema
from mcap_ros2.decoder import DecoderFactory
from websockets.sync.client import connect

from server import Server

HELD = "acceleration=0,0.5,-0.8660254;magnetic-field=20,0,-40;pressure=101.325;temperature=21.5"


def talk(server, subprotocol, seconds):
    """Returns the decoded messages of all channels by topic, with the times at which they were received."""
    with connect(
        f"ws://127.0.0.1:{server.port}", subprotocols=[subprotocol], compression=None, max_size=None
    ) as socket:
        assert socket.subprotocol == subprotocol, socket.subprotocol
        about = json.loads(socket.recv(timeout=10))
        assert about["op"] == "serverInfo" and about["capabilities"] == [], about
        offer = json.loads(socket.recv(timeout=10))
        assert offer["op"] == "advertise", offer
        channels = {100 + channel["id"]: channel for channel in offer["channels"]}
        decoders = {}
        for number, channel in channels.items():
            assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg"), channel
            schema = Schema(
                id=channel["id"], name=channel["schemaName"], encoding="ros2msg", data=channel["schema"].encode())
            decoders[number] = DecoderFactory().decoder_for("cdr", schema)
        socket.send(json.dumps({
            "op": "subscribe",
            "subscriptions": [{"id": number, "channelId": c["id"]} for number, c in channels.items()],
        }))
        assert socket.ping().wait(10), "no pong"
        found, end = {}, time.monotonic() + seconds
        while time.monotonic() < end:
            data = socket.recv(timeout=10)
            assert isinstance(data, bytes), data
            opcode, number, stamp = struct.unpack_from("<BIQ", data)
            assert opcode == 1, opcode
            topic = channels[number]["topic"]
            found.setdefault(topic, []).append((stamp, time.time_ns(), decoders[number](data[13:])))
        socket.send(json.dumps({"op": "unsubscribe", "subscriptionIds": list(channels)}))
        socket.send(json.dumps({"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 9999}]}))
        # Messages that were sent before come first.
        while isinstance(text := socket.recv(timeout=10), bytes):
            pass
        answer = json.loads(text)
        assert (answer["op"], answer["level"]) == ("status", 2), answer
        return found


def check(otolith):
    with Server(otolith, "--board", "simulated", "--hold", HELD) as server:
        server.wait(lambda: server.json("/api/motion").get("roll") is not None, "motion")
        for subprotocol in ["foxglove.sdk.v1", "foxglove.websocket.v1"]:
            found = talk(server, subprotocol, 4)
            raw = found["/imu/data_raw"]
            # The specific force of ROS has the opposite sign of Core Motion's acceleration.
            force = raw[-1][2].linear_acceleration
            for value, wanted in zip((force.x, force.y, force.z), (0, -0.5, 0.8660254)):
                assert abs(value - wanted * 9.80665) < 0.01, force
            fused = found["/imu/data"][-1][2]
            assert fused.header.frame_id == "imu_link", fused.header
            # The board is turned by -30 degrees about x.
            q = fused.orientation
            assert abs(abs(q.x) - 0.2588) < 0.01 and abs(abs(q.w) - 0.9659) < 0.01, q
            assert fused.orientation_covariance[0] > 0 and fused.linear_acceleration_covariance[0] == 0
            assert found["/tf"][-1][2].transforms[0].child_frame_id == "imu_link"
            assert any(s.name == "otolith: imu" for s in found["/diagnostics"][-1][2].status)
            stamps = [stamp for stamp, _, _ in raw]
            assert stamps == sorted(stamps) and len(set(stamps)) == len(stamps)
            rate = (len(stamps) - 1) / (stamps[-1] - stamps[0]) * 1e9
            assert 95 < rate < 105, rate
            ages = sorted((now - stamp) / 1e6 for stamp, now, _ in raw)
            count = sum(map(len, found.values()))
            print(
                f"{subprotocol}: {count} messages of {len(found)} topics decoded, the accelerometer's at "
                f"{rate:.1f} Hz, {ages[len(ages) // 2]:.0f} ms old in the middle")
        last = server.stop()
        assert " lost 0, " in last, last
