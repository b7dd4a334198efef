# SPDX-License-Identifier: Apache-2.0
"""Ten clients, of which one stalls: the sensors lose nothing, and the other clients get their frames."""

import threading
import time

from playwright.sync_api import sync_playwright
from websockets.sync.client import connect

import page as pages
from server import Server


def watch(server, seconds, stalls, counts):
    """Receives frames and acknowledges them as a page does, or stops both."""
    frames = size = 0
    with connect(f"ws://127.0.0.1:{server.port}/live", compression=None, max_queue=None) as socket:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if stalls:
                time.sleep(end - time.monotonic())
                break
            text = socket.recv(timeout=10)
            size += len(text)
            if text.startswith('{"type":"frame"'):
                frames += 1
                socket.send(text[len('{"type":"frame","number":'):].split(",", 1)[0])
    if not stalls:
        counts.append((frames / seconds, size / seconds))


def cost(otolith, watchers, seconds):
    """Returns the frames and bytes per second of each client, and the server's share of a processor."""
    with Server(otolith, "--board", "simulated") as server:
        server.wait(lambda: server.json("/api/motion").get("roll") is not None, "motion")
        counts = []
        threads = [
            threading.Thread(target=watch, args=(server, seconds, index == 9, counts)) for index in range(watchers)
        ]
        begin = server.metrics()
        clock = time.monotonic()
        for thread in threads:
            thread.start()
        if not threads:
            time.sleep(seconds)
        for thread in threads:
            thread.join()
        end = server.metrics()
        spent = (end["process_cpu_seconds_total"] - begin["process_cpu_seconds_total"]) / (time.monotonic() - clock)
        last = server.stop()
        assert " lost 0, " in last, last
        return counts, spent, end, last


def clients(otolith):
    seconds = 5
    _, alone, _, _ = cost(otolith, 0, 3)
    counts, spent, end, last = cost(otolith, 10, seconds)
    least, most = min(c[0] for c in counts), max(c[0] for c in counts)
    size = sum(c[1] for c in counts) / len(counts)
    assert len(counts) == 9 and most <= 61, counts
    # The client that reads nothing got the six frames that may be unacknowledged, and no more.
    assert end["otolith_web_skipped_frames_total"] > 30 * seconds * 0.5, end
    print(
        f"9 clients: {least:.0f} to {most:.0f} frames and {size / 1000:.1f} kB a second each, beside one that stalls; "
        f"{spent * 100:.1f} % of a processor, {alone * 100:.1f} % with none: {(spent - alone) * 10:.2f} % each")
    print("at its end: " + last)


def browsers(otolith):
    """Ten pages in Chromium, of which one computes without end."""
    with sync_playwright() as playwright:
        browser = pages.browser_of(playwright)
        with Server(otolith, "--board", "simulated") as server:
            crowd = [pages.opened(browser, server)[0] for _ in range(10)]
            crowd[0].evaluate("setTimeout(() => { const end = Date.now() + 60000; while (Date.now() < end); }, 0)")
            time.sleep(1)
            begin, clock = server.metrics(), time.monotonic()
            time.sleep(4)
            end = server.metrics()
            span = time.monotonic() - clock
            per = {name: (end[name] - begin[name]) / span for name in [
                "otolith_web_frames_total", "otolith_web_sent_bytes_total", "process_cpu_seconds_total"]}
            # The pictures on the other pages still turn.
            text = crowd[9].inner_text("#rate")
            assert end["otolith_web_viewers"] == 10, end
            assert per["otolith_web_frames_total"] > 9, per
            last = server.stop()
            assert " lost 0, " in last, last
            print(
                f"10 browsers, one stalled: {per['otolith_web_frames_total'] / 9:.0f} frames and "
                f"{per['otolith_web_sent_bytes_total'] / 9000:.1f} kB a second each, "
                f"{per['process_cpu_seconds_total'] * 100:.1f} % of a processor in otolith; the last says {text}")
            print("at its end: " + last)
        browser.close()


def check(otolith):
    clients(otolith)
    browsers(otolith)
