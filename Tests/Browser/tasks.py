# SPDX-License-Identifier: Apache-2.0
"""Bring-up and calibration from the page: started, watched and saved by keyboard, and compared with
the command's results."""

import json
import pathlib
import subprocess
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

import page as pages
from page import DESKTOP, PHONE, opened, until
from server import Server

# The errors of the simulated board's chips, which the calibrations must find.
HARD_IRON, OFFSET = [30, -20, 40], [0.05, -0.04, 0.06]
BOARD = f"""
otolith-board: 1
name: Bench
buses: {{ bus: {{ simulated: i2c }} }}
chips:
  imu: {{ chip: "invensense,mpu6050", on: bus, address: 0x68, rate-hz: 100 }}
  compass: {{ chip: "st,lis3mdl", on: bus, address: 0x1C, rate-hz: 80 }}
simulation:
  motion: as-asked
  errors: {{ imu: {{ acceleration-offset-g: {OFFSET} }}, compass: {{ hard-iron-ut: {HARD_IRON} }} }}
"""
# The file before the calibration, whose contents must stay.
KNOWN = """otolith-calibration: 1
chips:
  imu: { chip: "invensense,mpu6050", serial: "A 17", gyro-bias-rad-s: [0.01, 0.02, 0.03] }
"""


def post(server, headers=None, **wish):
    headers = {"Content-Type": "application/json", **(headers or {})}
    status, _, body = server.ask("POST", "/api/task", json.dumps(wish).encode(), headers)
    return status, body.decode() if headers.get("Origin") else json.loads(body)


def task(server):
    return server.json("/api/task")["task"]


def listen(page):
    """Keeps what a screen reader announces."""
    page.evaluate("""() => {
      const spoken = document.getElementById("spoken");
      window.heard = [];
      new MutationObserver(() => { if (spoken.textContent) heard.push(spoken.textContent); })
        .observe(spoken, { childList: true, characterData: true, subtree: true });
    }""")


def press(page, selector):
    """Moves the focus to the element with the Tab key alone, and presses it."""
    until(page, f"document.querySelector('{selector}')?.checkVisibility() === true")
    for _ in range(60):
        if page.evaluate(f"document.activeElement.matches('{selector}')"):
            return page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by the tabulator")


def start(page, kind):
    page.focus("#source")
    press(page, f"#task-offers [data-kind={kind}]")
    until(page, "!document.getElementById('task-view').hidden")
    # The pressed button is gone, but the focus is not lost.
    assert page.evaluate("document.activeElement.id") == "task-title"


def state(page, *wanted, seconds=90):
    until(page, f"{json.dumps(wanted)}.includes(document.getElementById('task-state').textContent)", seconds)


def judged(page, size, name, pictures):
    """Has axe check the page, checks its width, and saves a picture."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= size["width"], f"{name}: {wide} pixels wide"
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
        page.locator("#task-card").screenshot(path=pictures / f"task-{name}.png")
    found = Axe().run(page).response["violations"]
    words = [f"{f['id']}: {f['help']}: {[n['target'] for n in f['nodes']][:4]}" for f in found]
    assert not words, (name, words)


class Looks:
    """Checks the same page on a desktop and a phone, light and dark, while another page is used."""

    def __init__(self, browser, server, pictures):
        self.pictures = pictures
        self.pages = {}
        for name, size in {"desktop": DESKTOP, "phone": PHONE}.items():
            for scheme in ["light", "dark"]:
                options = {"color_scheme": scheme}
                if name == "phone":
                    options |= {"device_scale_factor": 2, "has_touch": True, "is_mobile": True}
                self.pages[f"{name}-{scheme}"] = (size, *opened(browser, server, size, **options))

    def judge(self, view, names=None):
        for name, (size, page, _) in self.pages.items():
            if names is None or name in names:
                judged(page, size, f"{view}-{name}", self.pictures)

    def close(self):
        for _, page, complaints in self.pages.values():
            assert not complaints, complaints
            page.context.close()


def bring_up(page, server, looks):
    """Bring-up is started by keyboard, shows each check as it is made, requests gestures, and gives
    a report to save."""
    start(page, "bringup")
    begin = time.monotonic()
    seen, asked = set(), set()
    while task(server)["state"] == "running":
        seen.add(len(task(server)["items"]))
        sentence = page.inner_text("#task-instruction")
        if sentence and sentence not in asked:
            asked.add(sentence)
            assert page.is_visible("#task-up")
            if len(asked) == 2:
                looks.judge("bringup-running", ["desktop-light", "phone-dark"])
        page.wait_for_timeout(50)
    state(page, "done")
    assert len(seen) > 5, seen
    assert {sentence.split(",")[0] for sentence in asked} >= {"Lay the board flat", "Now hold it upright"}, asked
    verdict = page.inner_text("#task-verdict")
    assert "checks passed" in verdict, verdict
    heard = page.evaluate("window.heard")
    for words in ["Check the board", "lay the board flat", "now hold it upright", "checks passed"]:
        assert any(words in text for text in heard), (words, heard)
    looks.judge("bringup-done")
    with page.expect_download() as waiting:
        press(page, "#task-report")
    report = pathlib.Path(waiting.value.path()).read_text()
    assert waiting.value.suggested_filename == "bringup-board.html"
    assert "self-test" in report and verdict.split(", in ")[0] in report
    press(page, "#task-close")
    until(page, "document.getElementById('task-view').hidden")
    print(f"bring-up in {time.monotonic() - begin:.0f} s, {len(asked)} gestures asked for: {verdict}")


def goes_on(page):
    """The page goes on showing the board after a task."""
    before = page.evaluate("document.getElementById('task-state').textContent")
    first = json.loads(page.evaluate("fetch('/api/motion').then(a => a.text())"))["timestamp"]
    until(page, f"fetch('/api/motion').then(a => a.json()).then(m => m.timestamp > {first or 0} && m.age < 1)")
    assert before is not None


def magnetometer(otolith, browser, page, server, looks, folder):
    """The coverage grows on all pages. One page is closed, another saves, and the file is as the command writes it."""
    other, _ = opened(browser, server)
    start(other, "magnetometer")
    shares, refused = [], False
    while task(server)["state"] == "running":
        share = page.evaluate("Number(document.getElementById('task-progress').value)")
        cells = page.evaluate("document.querySelectorAll('#task-map .seen, #task-map .here').length")
        if not shares or share != shares[-1][0]:
            shares.append((share, cells))
        if share > 0.25 and not refused:
            refused = True
            # The page that started the task is closed.
            other.context.close()
            status, answer = post(server, action="start", kind="bringup")
            assert status == 409 and "is running" in answer["error"], answer
            body = b'{"id":"simulated"}'
            status, _, answer = server.ask("POST", "/api/source", body, {"Content-Type": "application/json"})
            assert status == 409 and b"cancel that first" in answer, answer
            looks.judge("magnetometer-running", ["desktop-light", "phone-dark"])
        page.wait_for_timeout(100)
    state(page, "done")
    grown = [share for share, _ in shares]
    # The sphere's centre becomes known better meanwhile, so that a direction may move into another
    # of the 48 regions.
    retreat = max(before - after for before, after in zip(grown, grown[1:]))
    assert refused and retreat < 2.5 / 48 and grown[-1] == max(grown) and len(grown) > 5, shares
    assert shares[-1][1] > shares[0][1] + 20, shares
    file = folder / "calibration" / "board.yaml"
    assert file.read_text() == KNOWN, "written before it was saved"
    result = page.locator("#task-result p").all_text_contents()
    looks.judge("magnetometer-done")
    page.focus("#source")
    press(page, "#task-save")
    state(page, "saved")
    assert str(file) in page.inner_text("#task-verdict")
    server.wait(lambda: server.json("/api/state").get("calibration", {}).get("magnetic") == "hardIron", "it is used")
    goes_on(page)
    compare(otolith, folder, result)
    press(page, "#task-close")
    print(f"magnetometer: {len(shares)} steps of coverage to {grown[-1] * 100:.0f} %, saved by keyboard")


def run(otolith, *arguments):
    ending = subprocess.run([otolith, *arguments], capture_output=True, text=True)
    assert ending.returncode == 0, ending
    return ending.stdout


def compare(otolith, folder, result):
    """The saved file is read back by the command, and compared with what the command finds and writes."""
    file = folder / "calibration" / "board.yaml"
    saved = file.read_text()
    assert 'serial: "A 17"' in saved and "gyro-bias-rad-s: [0.01, 0.02, 0.03]" in saved, saved

    def hard_iron(text):
        line = next(line for line in text.splitlines() if "hard-iron-ut" in line)
        return json.loads(line.split(": ", 1)[1])

    found = hard_iron(saved)
    assert all(abs(a - b) < 0.5 for a, b in zip(found, HARD_IRON)), found
    row = next(line for line in result if line.startswith("hard iron"))
    assert [f"{v:.2f}" for v in found] == row.split()[2:5], (found, row)
    assert "good: Bench" in run(otolith, "boards", "check", str(folder / "board.yaml"))
    # The command finds the same values, and writes the same keys.
    command = json.loads(run(otolith, "calibrate", "magnetometer", "--board", str(folder / "board.yaml"), "--json"))
    assert all(abs(a - b) < 0.5 for a, b in zip(command["hardIronUt"], found)), (command, found)
    again = file.read_text()
    keys = [line.split(":")[0] for line in saved.splitlines()]
    assert keys == [line.split(":")[0] for line in again.splitlines()], (saved, again)
    assert hard_iron(again) == command["hardIronUt"]


def come_late(page):
    """Answers about a task are delayed by a second. They must not replace newer values from the stream."""
    def handle(route):
        answer = route.fetch()
        time.sleep(1)
        route.fulfill(response=answer)
    page.route("**/api/task", handle)


def cancelled(page, server, looks, folder):
    """The accelerometer's faces are found until the task is cancelled by keyboard. Nothing was
    written, and the board goes on."""
    before = (folder / "calibration" / "board.yaml").read_text()
    start(page, "accelerometer")
    until(page, "document.querySelectorAll('#task-items .passed').length >= 2", 60)
    assert page.locator("#task-items li").count() == 6
    # The task uses the chips, so that they are not reported as silent.
    assert pages.link(page) == ("task", "Calibrate the accelerometer"), pages.link(page)
    assert page.locator("#chips .held").count() == 2 and page.locator("#chips .silent, #chips .failed").count() == 0
    assert page.locator("#notice").is_hidden() and page.locator("#main.stale").count() == 1
    assert page.inner_text("#task-instruction").startswith("Next: ")
    looks.judge("accelerometer-running", ["desktop-dark", "phone-light"])
    come_late(page)
    press(page, "#task-cancel")
    state(page, "cancelled", seconds=10)
    page.wait_for_timeout(1500)
    page.unroute("**/api/task")
    assert (folder / "calibration" / "board.yaml").read_text() == before
    goes_on(page)
    looks.judge("accelerometer-cancelled", ["desktop-light"])
    press(page, "#task-close")
    print("accelerometer: two of six faces taken, cancelled by keyboard")


def strangers(server):
    """Pages of other origins start nothing; forms and wrong values are refused."""
    for wrong in ["", "Bearer ", f"Bearer {server.token[:-1]}", f"Basic {server.token}"]:
        ask = json.dumps({"action": "start", "kind": "bringup"}).encode()
        status, _, body = server.ask("POST", "/api/task", ask, {"Content-Type": "application/json", "Authorization": wrong})
        assert status == 401 and body.startswith(b"a token is needed to change anything: "), (wrong, status, body)
    for origin in ["http://evil.example", "null"]:
        status, _ = post(server, {"Origin": origin}, action="start", kind="bringup")
        assert status == 403, (origin, status)
    assert post(server, {"Host": "evil.example", "Origin": "x"}, action="start", kind="bringup")[0] == 421
    form = {"Content-Type": "text/plain"}
    assert server.ask("POST", "/api/task", b'{"action":"start","kind":"bringup"}', form)[0] == 415
    assert post(server, action="start", kind="../bringup")[0] == 404
    assert post(server, action="burn")[0] == 400
    assert post(server, action="save", number=1)[0] == 409
    assert server.ask("DELETE", "/api/task")[0] == 405
    assert server.ask("GET", "/api/report")[0] == 404
    assert task(server) is None


def refused(browser, otolith, folder, pictures):
    """For a recording and a trace, the page says why no task is possible, and which command to type."""
    still = folder / "still.csv"
    rows = ["timestamp,acceleration.x,acceleration.y,acceleration.z"] + [f"{i / 50},0,0,-1" for i in range(500)]
    still.write_text("\n".join(rows) + "\n")
    trace = folder / "board.trace"
    run(otolith, "trace", "record", "--board", "simulated", "--output", str(trace), "--duration", "2")
    for arguments, words in [
        (["--recording", str(still)], "A recording cannot run checks."),
        (["--board", str(trace)], f"type: otolith bringup --board {trace}"),
    ]:
        with Server(otolith, *arguments) as server:
            page, _ = opened(browser, server)
            until(page, "!document.getElementById('task-obstacle').hidden")
            assert words in page.inner_text("#task-obstacle")
            assert page.locator("#task-offers button").count() == 0
            for kind in ["bringup", "magnetometer"]:
                status, answer = post(server, action="start", kind=kind)
                assert status == 409 and words in answer["error"], answer
            judged(page, DESKTOP, f"refused-{arguments[0][2:]}", pictures)
            page.context.close()
    served(otolith, folder)
    print("a recording, a trace and a board of the service are refused with their sentences")


def served(otolith, folder):
    """The page cannot start tasks on the board of a service."""
    place = str(folder / "otolith.sock")
    service = subprocess.Popen(
        [otolith, "service", "serve", "--board", "simulated", "--socket", place], stderr=subprocess.PIPE, text=True)
    try:
        assert any("board: " in line for line in service.stderr)
        with Server(otolith, environment={"OTOLITH_SOCKET": place}) as server:
            words = "The otolith service has this board. Stop it (sudo systemctl stop otolith.socket otolith.service)"
            assert server.json("/api/task")["obstacle"].startswith(words)
            status, answer = post(server, action="start", kind="bringup")
            assert status == 409 and answer["error"].startswith(words), answer
    finally:
        service.terminate()
        service.communicate(timeout=20)


def faulty(browser, otolith, pictures):
    """The page names a fault with its remedy, says so if nothing can be written, and Ctrl-C ends a task."""
    with Server(otolith, "--board", "simulated", "--fault", "wrong-address chip=compass") as server:
        page, _ = opened(browser, server)
        start(page, "bringup")
        state(page, "done")
        assert page.locator("#task-items .failed").count() >= 1
        assert page.locator("#task-faults .fault ol li").count() >= 1
        judged(page, DESKTOP, "bringup-faulty", pictures)
        press(page, "#task-close")
        start(page, "gyroscope")
        until(page, "Number(document.getElementById('task-progress').value) > 0.05")
        # The server ends properly while a task runs.
        begin = time.monotonic()
        server.stop()
        assert time.monotonic() - begin < 10
        page.context.close()
    print("a missing chip is named with what to do, and the command ends within a task")


def by_scripts(otolith):
    """Without a browser: each kind of task is cancelled at once. A mounting is found, cannot be
    written at first, and is then saved."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "board.yaml").write_text(BOARD.lstrip())
        with Server(otolith, "--board", str(folder / "board.yaml")) as server:
            def begin(kind):
                assert post(server, action="start", kind=kind)[0] == 200
                return task(server)["number"]

            def wait(*states):
                server.wait(lambda: task(server)["state"] in states, f"{states}: {task(server)}", 90)

            for kind in ["bringup", "gyroscope", "accelerometer", "magnetometer", "mounting"]:
                number = begin(kind)
                server.wait(lambda: task(server)["items"] or task(server)["progress"] is not None, f"{kind} is under way")
                start = time.monotonic()
                assert post(server, action="close", number=number)[0] == 409
                assert post(server, action="cancel", number=number)[0] == 200
                wait("cancelled")
                assert time.monotonic() - start < 5, kind
                assert post(server, action="save", number=number)[0] == 409
                assert not any(item["state"] == "running" for item in task(server)["items"]), task(server)
            number = begin("mounting")
            seen = set()
            while (now := task(server))["state"] == "running":
                seen.add((now["progressText"], now["up"]))
                time.sleep(0.1)
            assert seen >= {("0 of 3", "z"), ("1 of 3", "y"), ("2 of 3", "-x")}, seen
            assert now["state"] == "done" and [item["state"] for item in now["items"]] == ["passed"] * 3, now
            # A file is in the place of the folder: the error is reported, and the result is not
            # lost.
            (folder / "calibration").write_text("x")
            assert post(server, action="save", number=number)[0] == 200
            wait("done")
            assert task(server)["lines"][-1].startswith("not written: "), task(server)
            assert (folder / "calibration").read_text() == "x"
            (folder / "calibration").unlink()
            # What another program has written in the meantime is kept.
            gyroscope = [otolith, "calibrate", "gyroscope", "--board", str(folder / "board.yaml"), "--serial", "A 17"]
            assert subprocess.run(gyroscope, capture_output=True).returncode == 0
            assert post(server, action="save", number=number)[0] == 200
            wait("saved")
            text = (folder / "calibration" / "board.yaml").read_text()
            assert "mounting: [" in text and 'serial: "A 17"' in text and "gyro-bias-rad-s: [" in text, text
            server.wait(lambda: server.json("/api/motion").get("age", 9) < 1, "the board goes on")
        # Results of simulated chips, or of a built-in board, cannot be saved; such a board is still
        # turned as the task requests.
        for arguments, words in [
            (["simulated"], "is not a file, so there is no folder for its calibration"),
            ([str(folder / "board.yaml"), "--simulate"], "do not calibrate its chips"),
        ]:
            with Server(otolith, "--board", *arguments) as server:
                assert post(server, action="start", kind="mounting")[0] == 200
                server.wait(lambda: task(server)["state"] == "done", f"the mounting of {arguments}", 60)
                found = task(server)
                assert found["file"] is None and words in found["obstacle"], found
                status, answer = post(server, action="save", number=found["number"])
                assert status == 409 and answer["error"] == found["obstacle"], answer
    print("each kind is cancelled; a mounting is found, refused by the disk, and saved beside what was there")


def check(otolith, pictures):
    by_scripts(otolith)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "board.yaml").write_text(BOARD.lstrip())
        (folder / "calibration").mkdir()
        (folder / "calibration" / "board.yaml").write_text(KNOWN)
        browser = pages.browser_of(playwright)
        with Server(otolith, "--board", str(folder / "board.yaml")) as server:
            strangers(server)
            page, complaints = opened(browser, server)
            listen(page)
            looks = Looks(browser, server, pictures)
            looks.judge("idle")
            bring_up(page, server, looks)
            goes_on(page)
            page.wait_for_timeout(6000)
            heard = page.evaluate("window.heard")
            assert not any("samples" in text for text in heard), heard
            magnetometer(otolith, browser, page, server, looks, folder)
            cancelled(page, server, looks, folder)
            looks.close()
            refusals = [line for line in complaints if "409" not in line]
            assert not refusals, refusals
        refused(browser, otolith, folder, pictures)
        faulty(browser, otolith, pictures)
        browser.close()
