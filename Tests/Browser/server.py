# SPDX-License-Identifier: Apache-2.0
"""Runs otolith serve for the checks, and reads its counters."""

import http.client
import json
import os
import re
import signal
import subprocess
import time


class Server:
    """`otolith serve` with these arguments on a free port, until the end of the `with` block."""

    def __init__(self, otolith, *arguments, environment=None):
        everything = {**os.environ, "OTOLITH_SOCKET": "", **(environment or {})}
        everything.pop("OTOLITH_BOARD", None)
        self.process = subprocess.Popen(
            [otolith, "serve", "--port", "0", *arguments], stderr=subprocess.PIPE, text=True, env=everything)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line.rstrip())
            if line.startswith("serving: "):
                break
        found = re.search(r"http://[^ ]+:(\d+)/", self.lines[-1] if self.lines else "")
        assert found, self.lines
        self.url, self.port = found.group(0), int(found.group(1))
        # This is the printed address, with the token if one was generated for this run.
        self.address = self.lines[-1].removeprefix("serving: ")
        self.token = self.address.partition("?token=")[2]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def stop(self):
        """Ends the server as Ctrl-C does. Returns its last line."""
        self.process.send_signal(signal.SIGINT)
        rest = self.process.communicate(timeout=30)[1]
        self.lines += rest.splitlines()
        assert self.process.returncode == 0, (self.process.returncode, self.lines)
        return self.lines[-1]

    def ask(self, method, path, body=None, headers=None, port=None):
        """Returns the status, headers and body of an answer. Requests that may change something
        have the token, unless `headers` have another."""
        headers = dict(headers or {})
        if method not in ("GET", "HEAD"):
            headers.setdefault("Authorization", f"Bearer {self.token}")
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=10)
        try:
            connection.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, path):
        status, _, body = self.ask("GET", path)
        assert status == 200, (status, body)
        return json.loads(body)

    def metrics(self):
        """Returns the values of /metrics by name and labels."""
        text = self.ask("GET", "/metrics")[2].decode()
        return {
            line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1])
            for line in text.splitlines() if not line.startswith("#")
        }

    def wait(self, condition, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        raise AssertionError(f"{what}: not within {seconds} s")
