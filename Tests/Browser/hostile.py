# SPDX-License-Identifier: Apache-2.0
"""Hostile requests to the port of otolith serve: they are refused, and the server goes on."""

import os
import random
import resource
import socket
import time

from websockets.sync.client import connect

from server import Server

UPGRADE = (
    "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def names(server):
    """Requests with foreign hosts and origins, and with wrong paths, methods and bodies."""
    for headers, status in [
        ({"Host": "evil.example"}, 421), ({"Host": f"localhost.evil.example:{server.port}"}, 421),
        ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": f"http://127.0.0.1:{server.port}"}, 200),
    ]:
        found = server.ask("GET", "/api/motion", headers=headers)[0]
        assert found == status, (headers, found)
    for path in [
        "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "//etc/passwd", "/./page.js",
        "/page.js%00.html", "/api/motion/", "/.git/config",
    ]:
        found = server.ask("GET", path)[0]
        assert found == 404, (path, found)
    assert server.ask("DELETE", "/api/motion")[0] == 405
    assert server.ask("POST", "/api/source", b"{}")[0] == 415
    assert server.ask("POST", "/api/source", b"x" * 5000, {"Content-Type": "application/json"})[0] == 413
    assert server.ask("POST", "/api/source", b'{"id":"/etc/passwd"}', {"Content-Type": "application/json"})[0] == 404
    _, headers, _ = server.ask("GET", "/")
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy, policy


def token(otolith):
    """A server that others can reach requires a token, which it generates and prints in its address."""
    with Server(otolith, "--board", "simulated", "--listen", "0.0.0.0") as server:
        assert server.ask("GET", "/api/motion")[0] == 401
        made = server.address.split("?token=")[1]
        assert len(made) >= 20, made
        assert server.ask("GET", "/api/motion", headers={"Authorization": f"Bearer {made}"})[0] == 200
        assert server.ask("GET", "/api/motion", headers={"Authorization": f"Bearer {made[:-1]}"})[0] == 401
        status, headers, _ = server.ask("GET", f"/?token={made}")
        assert status == 303 and headers["Location"] == "/", (status, headers)
        cookie = headers["Set-Cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie
        assert server.ask("GET", "/", headers={"Cookie": cookie.split(";")[0]})[0] == 200


def flood(server, count):
    """With many connections that send nothing, a page continues and requests are answered."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit[1], count + 500), limit[1]))
    sockets, slowest, answers, frames = [], 0, 0, 0
    with connect(f"ws://127.0.0.1:{server.port}/live", compression=None) as page:
        for index in range(count):
            stranger = socket.socket()
            stranger.settimeout(10)
            try:
                stranger.connect(("127.0.0.1", server.port))
                # Some clients send the beginning of a request and not its end.
                if index % 3 == 0:
                    stranger.send(b"GET / HTTP/1.1\r\nX-Slow: ")
            except OSError:
                pass
            sockets.append(stranger)
            if index % 500 == 0:
                begin = time.monotonic()
                assert server.ask("GET", "/api/motion")[0] == 200
                slowest = max(slowest, time.monotonic() - begin)
                answers += 1
                text = page.recv(timeout=10)
                frames += 1
                if '"frame"' in text[:20]:
                    page.send(text.split('"number":')[1].split(",")[0])
    counts = server.metrics()
    for stranger in sockets:
        stranger.close()
    assert counts["otolith_web_connections"] <= 128, counts
    evicted = counts["otolith_web_evicted_connections_total"]
    print(
        f"{count} connections: {evicted:.0f} closed to make room, {answers} requests between them answered, "
        f"the slowest after {slowest * 1000:.0f} ms; the page had its {frames} frames")
    return counts


def slow(server):
    """A client that sends a byte of a head every 200 ms is disconnected after the ten seconds that
    a request may take."""
    stranger = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    begin = time.monotonic()
    stranger.settimeout(0.2)
    stranger.send(b"GET / HTTP/1.1\r\nX-Slow: ")
    answer = b""
    while time.monotonic() - begin < 15:
        try:
            stranger.send(b"G")
            answer += stranger.recv(1000)
            break
        except TimeoutError:
            continue
        except OSError:
            break
    spent = time.monotonic() - begin
    assert 9 < spent < 13, spent
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4"), answer
    print(f"a request of a byte every 200 ms: ended after {spent:.1f} s")


def garbage(server, count):
    """Random bytes in place of requests and of frames."""
    chance = random.Random(27)
    for index in range(count):
        stranger = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        try:
            if index % 2:
                stranger.sendall(UPGRADE.encode())
                assert stranger.recv(1000).startswith(b"HTTP/1.1 101")
            stranger.sendall(chance.randbytes(chance.randrange(1, 400)))
            if index % 5 == 0:
                # This frame has a length of 2^63 bytes.
                stranger.sendall(b"\x82\xff\x7f" + b"\xff" * 7 + b"abcd")
        except OSError:
            pass
        finally:
            stranger.close()
    assert server.ask("GET", "/api/motion")[0] == 200
    print(f"{count} connections of garbage: alive")


def check(otolith):
    with Server(otolith, "--board", "simulated") as server:
        server.wait(lambda: server.json("/api/motion")["timestamp"], "motion")
        names(server)
        flood(server, 10_000)
        slow(server)
        garbage(server, 1000)
        server.wait(lambda: server.metrics()["otolith_web_connections"] < 5, "the strangers' connections end")
        last = server.stop()
        assert " lost 0, " in last, last
        print("at its end: " + last)
    token(otolith)
