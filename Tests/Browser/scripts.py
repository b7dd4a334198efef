# SPDX-License-Identifier: Apache-2.0
"""Tests of requests by scripts and Prometheus: JSON as in /openapi.json, metrics that promtool
accepts, and another source."""

import json
import pathlib
import subprocess
import tempfile

import jsonschema

from server import Server


def described(server, leaving=()):
    """Each path of /openapi.json can be requested, and each answer matches its schema."""
    description = server.json("/openapi.json")
    assert description["openapi"].startswith("3.1")
    count = 0
    for path, methods in description["paths"].items():
        if path in leaving:
            continue
        content = methods["get"]["responses"]["200"]["content"]
        status, headers, body = server.ask("GET", path)
        kind = headers["Content-Type"].split(";")[0]
        assert status == 200 and kind in content, (path, status, kind)
        if kind == "application/json":
            schema = {**content[kind]["schema"], "components": description["components"]}
            jsonschema.Draft202012Validator(schema).validate(json.loads(body))
            count += 1
    print(f"{len(description['paths'])} paths are there, {count} answers are as described")


def report(otolith):
    """A script checks a board of one chip and gets its report, cancels a check, and gets errors for wrong requests."""
    with tempfile.TemporaryDirectory() as folder:
        board = pathlib.Path(folder) / "air.yaml"
        board.write_text(
            "otolith-board: 1\nname: Air\nbuses: { bus: { simulated: i2c } }\n"
            'chips: { air: { chip: "bosch,bmp280", on: bus, address: 0x76, rate-hz: 25 } }\n')
        with Server(otolith, "--board", str(board)) as server:
            def act(**wish):
                headers = {"Content-Type": "application/json"}
                return server.ask("POST", "/api/task", json.dumps(wish).encode(), headers)[0]

            def ended(*states):
                return lambda: server.json("/api/task")["task"]["state"] in states

            server.wait(lambda: server.json("/api/motion").get("pressure"), "pressure")
            assert [offer["kind"] for offer in server.json("/api/task")["offers"]] == ["bringup"]
            assert act(action="start", kind="bringup") == 200
            described(server, leaving=["/api/report"])
            server.wait(ended("done"), "the board is checked")
            described(server)
            text = server.ask("GET", "/api/report")[2].decode()
            assert text.startswith("<!DOCTYPE html>") and "BMP280" in text, text[:500]
            # There is no magnetometer to calibrate, and the task of that number has ended.
            assert act(action="start", kind="magnetometer") == 409
            assert act(action="start", kind="bringup") == 200
            assert act(action="cancel", number=1) == 409
            assert act(action="cancel", number=2) == 200
            server.wait(ended("cancelled"), "it is cancelled")
            assert act(action="close", number=2) == 200
            assert server.json("/api/task")["task"] is None
            server.wait(lambda: server.json("/api/motion").get("age", 9) < 1, "the board goes on")
    print("a script checks a board, has its report, and cancels a check")


def metrics(server):
    text = server.ask("GET", "/metrics")[2]
    ending = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    assert ending.returncode == 0 and not ending.stderr, (ending, text.decode())
    names = {line.split()[2] for line in text.decode().splitlines() if line.startswith("# TYPE")}
    print(f"promtool finds nothing wrong with {len(names)} metrics")


def sources(otolith):
    """A script switches to a recording and back, and to one that does not exist."""
    with tempfile.TemporaryDirectory() as folder:
        still = pathlib.Path(folder) / "still.csv"
        rows = ["timestamp,acceleration.x,acceleration.y,acceleration.z"]
        rows += [f"{index / 50},0.5,0,-0.8660254" for index in range(500)]
        still.write_text("\n".join(rows) + "\n")
        gone = pathlib.Path(folder) / "gone.csv"
        gone.write_text("\n".join(rows) + "\n")
        with Server(
            otolith, "--board", "simulated", "--hold", "acceleration=0,0,-1", "--offer", str(still), "--offer",
            str(gone)
        ) as server:
            def choose(source):
                headers = {"Content-Type": "application/json"}
                body = json.dumps({"id": source}).encode()
                status, _, answer = server.ask("POST", "/api/source", body, headers)
                return status, json.loads(answer)

            server.wait(lambda: abs(server.json("/api/motion").get("roll", 90)) < 1, "the held board lies flat")
            gone.unlink()
            status, answer = choose("file-1")
            assert status == 200 and answer["current"] == "file-1", answer
            # The right edge of the board is 30 degrees below the horizon.
            server.wait(lambda: abs(server.json("/api/motion").get("roll", 0) - 30) < 1, "the recording plays")
            status, answer = choose("file-2")
            assert status == 409 and "gone.csv" in answer["error"], answer
            assert server.json("/api/source")["current"] == "file-1"
            assert choose("first")[0] == 200
            server.wait(lambda: abs(server.json("/api/motion").get("roll", 90)) < 1, "the board is back")
    print("over to a recording and back; one that is not there is refused, and the present one goes on")


def check(otolith):
    with Server(otolith, "--board", "simulated-all") as server:
        server.wait(lambda: server.json("/api/motion").get("pressure"), "motion with pressure")
        described(server, leaving=["/api/report"])
        metrics(server)
    report(otolith)
    sources(otolith)
