# SPDX-License-Identifier: Apache-2.0
"""What scripts and Prometheus ask for: JSON as /openapi.json says, metrics as promtool wants them, another source."""

import json
import pathlib
import subprocess
import tempfile

import jsonschema

from server import Server


def described(server):
    """Each path of the description is there, and each answer is as its schema says."""
    description = server.json("/openapi.json")
    assert description["openapi"].startswith("3.1")
    count = 0
    for path, methods in description["paths"].items():
        content = methods["get"]["responses"]["200"]["content"]
        status, headers, body = server.ask("GET", path)
        kind = headers["Content-Type"].split(";")[0]
        assert status == 200 and kind in content, (path, status, kind)
        if kind == "application/json":
            schema = {**content[kind]["schema"], "components": description["components"]}
            jsonschema.Draft202012Validator(schema).validate(json.loads(body))
            count += 1
    print(f"{len(description['paths'])} paths are there, {count} answers are as described")


def report(server):
    """A script checks a board too, and leaves a report; this board has every chip, and two are enough."""
    def act(**wish):
        return server.ask("POST", "/api/task", json.dumps(wish).encode(), {"Content-Type": "application/json"})[0]

    assert act(action="start", kind="bringup") == 200
    server.wait(lambda: len(server.json("/api/task")["task"]["items"]) > 8, "checks are made")
    described(server, leaving=["/api/report"])
    assert act(action="cancel", number=1) == 200
    server.wait(lambda: server.json("/api/task")["task"]["state"] == "cancelled", "it is cancelled")


def metrics(server):
    text = server.ask("GET", "/metrics")[2]
    ending = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
    assert ending.returncode == 0 and not ending.stderr, (ending, text.decode())
    names = {line.split()[2] for line in text.decode().splitlines() if line.startswith("# TYPE")}
    print(f"promtool finds nothing wrong with {len(names)} metrics")


def sources(otolith):
    """Over to a recording and back, and to one that is not there."""
    with tempfile.TemporaryDirectory() as folder:
        still = pathlib.Path(folder) / "still.csv"
        rows = ["timestamp,acceleration.x,acceleration.y,acceleration.z"]
        rows += [f"{index / 50},0.5,0,-0.8660254" for index in range(500)]
        still.write_text("\n".join(rows) + "\n")
        gone = pathlib.Path(folder) / "gone.csv"
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
            status, answer = choose("file-1")
            assert status == 200 and answer["current"] == "file-1", answer
            # Its right edge is 30 degrees below the horizon.
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
        report(server)
        described(server)
        metrics(server)
    sources(otolith)
