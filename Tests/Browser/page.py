# SPDX-License-Identifier: Apache-2.0
"""Tests of what the page shows, says to screen readers and does on key presses."""

import hashlib
import math
import pathlib
import signal
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from server import Server

CHROMIUM = "/usr/bin/chromium"
DESKTOP, PHONE = {"width": 1366, "height": 900}, {"width": 390, "height": 844}
# As root Chromium has no sandbox; without a screen it has no graphics processor.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def browser_of(playwright):
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


def until(page, condition, seconds=20):
    """Waits for a condition. Playwright's wait_for_function uses eval, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def opened(browser, server, size=DESKTOP, **options):
    """Opens a page that shows motion. Returns it and the list of its complaints."""
    context = browser.new_context(viewport=size, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # Requests to other hosts are noted and blocked.
    page.on("request", lambda request: complaints.append(request.url) if not request.url.startswith(
        (server.url, "data:")) else None)
    page.goto(server.address)
    until(page, "document.getElementById('roll').textContent !== '–'")
    return page, complaints


def picture(page):
    url = page.evaluate("document.getElementById('board').toDataURL()")
    return hashlib.sha256(url.encode()).hexdigest()


def turns(browser, otolith):
    """The picture turns with the board, stands still when the board is held, and shows its attitude."""
    seen = {}
    for name, arguments in {
        "flat": ["--hold", "acceleration=0,0,-1"], "tilted": ["--hold", "acceleration=0,0.5,-0.8660254"], "swaying": [],
    }.items():
        with Server(otolith, "--board", "simulated", *arguments) as server:
            page, complaints = opened(browser, server, reduced_motion="no-preference")
            if name == "tilted":
                until(page, "document.getElementById('pitch').textContent === '−30.0°'")
                assert page.inner_text("#tilt") == "30.0"
            page.wait_for_timeout(1000)
            seen[name] = []
            for _ in range(10):
                seen[name].append(picture(page))
                page.wait_for_timeout(100)
            assert not complaints, complaints
            if name == "swaying":
                keys(page)
            page.context.close()
    moved = len(set(seen["swaying"]))
    assert moved >= 9, moved
    assert len(set(seen["flat"])) <= 2, seen["flat"]
    assert not set(seen["flat"]) & set(seen["tilted"])
    print(f"of 10 pictures of a swaying board {moved} differ, of a held one {len(set(seen['flat']))}")


def keys(page):
    """The keyboard sets yaw to 0, pauses the page and has the values read aloud."""
    page.focus("#board")
    page.keyboard.press("r")
    page.wait_for_timeout(300)
    yaw = float(page.inner_text("#yaw").replace("−", "-").rstrip("°"))
    assert abs(yaw) < 20, yaw
    page.keyboard.press("s")
    until(page, "document.getElementById('spoken').textContent.startsWith('Roll ')")
    page.keyboard.press(" ")
    page.wait_for_timeout(200)
    paused = {picture(page) for _ in range(3) if page.wait_for_timeout(150) is None}
    assert len(paused) == 1, paused
    assert page.get_attribute("#pause", "aria-pressed") == "true"
    page.keyboard.press(" ")
    assert page.get_attribute("#board", "aria-label").startswith("The board: roll ")


def calm(browser, server):
    """With reduced motion the picture steps twice a second."""
    page, _ = opened(browser, server, reduced_motion="reduce")
    page.wait_for_timeout(500)
    seen, begin = set(), time.monotonic()
    for _ in range(20):
        seen.add(picture(page))
        page.wait_for_timeout(100)
    span = time.monotonic() - begin
    assert 2 <= len(seen) <= span * 2 + 2, (len(seen), span)
    page.context.close()
    print(f"with reduced motion {len(seen)} pictures in {span:.1f} s")


# Returns the longest run of pixel columns without a point of a line, between the first and the last
# column with one, as a share of all columns.
GAP = """() => {
  const canvas = document.getElementById("acceleration"), style = getComputedStyle(document.documentElement);
  const wanted = ["--x", "--y", "--z"].map(n => parseInt(style.getPropertyValue(n).trim().slice(1), 16));
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, columns = [];
  for (let x = 0; x < canvas.width; x++) {
    for (let y = 0; y < canvas.height; y++) {
      const i = 4 * (y * canvas.width + x), seen = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
      if (data[i + 3] > 200 && wanted.includes(seen)) { columns.push(x); break; }
    }
  }
  let most = 0;
  for (let i = 1; i < columns.length; i++) most = Math.max(most, columns[i] - columns[i - 1] - 1);
  return [columns.length, most / canvas.width];
}"""


def link(page):
    return page.get_attribute("#link", "data-state"), page.inner_text("#link-text")


def states(browser, otolith, pictures):
    """Live, simulated, recorded, paused and stale data are shown differently, and a gap in the data as a gap."""
    def wait(page, kind):
        until(page, f"document.getElementById('link').dataset.state === '{kind}'")

    with tempfile.TemporaryDirectory() as name:
        walk = pathlib.Path(name) / "walk.csv"
        rows = ["timestamp,acceleration.x,acceleration.y,acceleration.z,rotation-rate.x,rotation-rate.y,rotation-rate.z"]
        # The board moves back and forth by a fifth of a g, once a second.
        rows += [f"{i / 50},{0.2 * math.sin(i / 50 * 2 * math.pi):.4f},0,-1,0,0,0" for i in range(600) if not 200 <= i < 350]
        walk.write_text("\n".join(rows) + "\n")
        with Server(otolith, "--board", "simulated", "--offer", str(walk)) as server:
            page, _ = opened(browser, server)
            wait(page, "simulated")
            assert link(page)[1] == "simulated"
            # The mode is the first line of the page.
            first = page.evaluate("document.body.innerText.trim().split('\\n').find(l => l && !l.startsWith('Skip'))")
            assert first == "Simulated board: models replace the chips, no sensor is read", first
            assert 'otolith_source_info{board="Simulated board",origin="simulated"}' in server.metrics()
            assert server.json("/api/motion")["origin"] == "simulated"
            page.wait_for_timeout(3000)
            count, gap = page.evaluate(GAP)
            assert count > 100 and gap < 0.03, (count, gap)
            page.click("#pause")
            assert link(page) == ("paused", "paused")
            page.click("#pause")
            wait(page, "simulated")
            # When the server hangs, the values are old and are shown as such.
            server.process.send_signal(signal.SIGSTOP)
            wait(page, "stale")
            assert page.evaluate("document.getElementById('main').classList.contains('stale')")
            until(page, "/^no motion for [2-9] s$/.test(document.getElementById('link-text').textContent)")
            if pictures:
                pictures.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=pictures / "stale.png")
            page.wait_for_timeout(1000)
            server.process.send_signal(signal.SIGCONT)
            wait(page, "simulated")
            assert not page.evaluate("document.getElementById('main').classList.contains('stale')")
            page.select_option("#source", "file-1")
            wait(page, "recording")
            begin = time.monotonic()
            assert page.inner_text("#origin") == "A recording is played: no sensor is read"
            until(page, "/^recording, 0:0[2-9] of 0:11$/.test(document.getElementById('link-text').textContent)")
            found = (0, 0)
            while found[1] < 0.15 and time.monotonic() - begin < 20:
                page.wait_for_timeout(500)
                found = page.evaluate(GAP)
            # The gap is three of the ten seconds that are shown, less the width of the axis's
            # labels.
            assert 0.15 < found[1] < 0.32, found
            if pictures:
                page.screenshot(path=pictures / "recording.png")
            page.context.close()
    print(f"simulated, paused, stale and a recording are told apart; a gap of 3 s is {found[1] * 100:.0f} % of the chart")


def errors(browser, otolith):
    """The error of one source is not shown for another source that works."""
    with tempfile.TemporaryDirectory() as name:
        short = pathlib.Path(name) / "short.csv"
        short.write_text("timestamp,acceleration.x,acceleration.y,acceleration.z\n0.1,0,0,-1\n")
        with Server(otolith, "--board", "simulated", "--offer", str(short), "--offer", "simulated-all") as server:
            page, _ = opened(browser, server)
            page.select_option("#source", "file-1")
            until(page, "!document.getElementById('trouble').hidden")
            assert "short.csv" in page.inner_text("#trouble")
            assert page.input_value("#source") == "first" and link(page)[1] == "simulated"
            page.select_option("#source", "file-2")
            until(page, "document.title === 'Simulated board with every chip · otolith'")
            assert page.evaluate("document.getElementById('trouble').hidden")
            page.select_option("#source", "file-1")
            until(page, "!document.getElementById('trouble').hidden")
            until(page, "document.getElementById('trouble').hidden", 25)
            page.context.close()
    print("a source that is refused is told, and no longer than that is news")


def token(browser, otolith, pictures):
    """Without the token a page shows everything and changes nothing; the token can be entered in a field."""
    with Server(otolith, "--board", "simulated", "--offer", "simulated-all") as server:
        page, complaints = opened(browser, server)
        assert page.evaluate("document.getElementById('access').hidden")
        assert page.url == server.url and server.token
        page.context.close()
        context = browser.new_context(viewport=DESKTOP)
        page = context.new_page()
        page.goto(server.url)
        until(page, "document.getElementById('roll').textContent !== '–'")
        until(page, "!document.getElementById('access').hidden")
        assert page.is_disabled("#source") and not page.is_visible("#task-offers")
        if pictures:
            page.screenshot(path=pictures / "without-token.png")
        found = Axe().run(page).response["violations"]
        assert not found, [f["id"] for f in found]
        page.fill("#token", "not-the-token")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        until(page, "document.querySelector('h1')?.textContent === 'This is not the token of this server'")
        if pictures:
            page.screenshot(path=pictures / "wrong-token.png")
        found = Axe().run(page).response["violations"]
        assert not found, [f["id"] for f in found]
        page.fill("[name=token]", server.token)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        until(page, "document.getElementById('task-offers')?.checkVisibility() === true")
        assert page.url == server.url and not page.is_disabled("#source")
        context.close()
    print("without the token the page shows and changes nothing; its field takes the token, and no other")


def menu(browser, server):
    """A choice in the menu switches all pages to another source."""
    page, complaints = opened(browser, server)
    other, _ = opened(browser, server)
    page.select_option("#source", "file-1")
    for each in [page, other]:
        until(each, "document.title === 'Simulated board · otolith'")
        assert each.input_value("#source") == "file-1"
    page.select_option("#source", "first")
    until(other, "document.title === 'Simulated board with every chip · otolith'")
    assert not complaints, complaints
    page.context.close()
    other.context.close()
    print("the menu goes over to another source and back, on all pages")


def looks(browser, server, pictures):
    """Saves four pictures of the page, and has axe check each."""
    for name, size in {"desktop": DESKTOP, "phone": PHONE}.items():
        for scheme in ["light", "dark"]:
            options = {"color_scheme": scheme}
            if name == "phone":
                options |= {"device_scale_factor": 2, "has_touch": True, "is_mobile": True}
            page, complaints = opened(browser, server, size, **options)
            page.wait_for_timeout(3000)
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"], f"{name}: {wide} pixels wide"
            if pictures:
                pictures.mkdir(parents=True, exist_ok=True)
                page.screenshot(path=pictures / f"{name}-{scheme}.png", full_page=True)
            found = Axe().run(page).response["violations"]
            words = [f"{f['id']}: {f['help']}: {[n['target'] for n in f['nodes']][:4]}" for f in found]
            assert not words, (name, scheme, words)
            assert not complaints, complaints
            page.context.close()
    print("axe finds nothing on desktop and phone, light and dark; nothing is wider than its screen")


def check(otolith, pictures):
    with sync_playwright() as playwright:
        browser = browser_of(playwright)
        turns(browser, otolith)
        states(browser, otolith, pictures)
        errors(browser, otolith)
        token(browser, otolith, pictures)
        with Server(otolith, "--board", "simulated-all", "--offer", "simulated") as server:
            calm(browser, server)
            menu(browser, server)
            looks(browser, server, pictures)
        browser.close()
