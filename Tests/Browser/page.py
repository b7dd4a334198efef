# SPDX-License-Identifier: Apache-2.0
"""The page as people see it, hear it and type on it."""

import hashlib
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from server import Server

CHROMIUM = "/usr/bin/chromium"
DESKTOP, PHONE = {"width": 1366, "height": 900}, {"width": 390, "height": 844}
# As root it has no sandbox; without a screen no processor of graphics.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def browser_of(playwright):
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


def until(page, condition, seconds=20):
    """Waits for a condition; Playwright's own way of it is an eval, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(50)


def opened(browser, server, size=DESKTOP, **options):
    """A page with motion on it, and what it complained about."""
    context = browser.new_context(viewport=size, **options)
    page = context.new_page()
    page.set_default_timeout(20_000)
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    # Whatever is asked of another host is noted, and not had.
    page.on("request", lambda request: complaints.append(request.url) if not request.url.startswith(
        (server.url, "data:")) else None)
    page.goto(server.url)
    until(page, "document.getElementById('roll').textContent !== '–'")
    return page, complaints


def picture(page):
    url = page.evaluate("document.getElementById('board').toDataURL()")
    return hashlib.sha256(url.encode()).hexdigest()


def turns(browser, otolith):
    """The picture turns when the board does, stands still when it is held, and shows how it is held."""
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
    """By the keyboard: yaw to 0, pause, the values read aloud."""
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


def menu(browser, server):
    """Over to another source by the menu, which all pages see."""
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
    """Four pictures for people, and axe's judgement of each."""
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
        with Server(otolith, "--board", "simulated-all", "--offer", "simulated") as server:
            calm(browser, server)
            menu(browser, server)
            looks(browser, server, pictures)
        browser.close()
