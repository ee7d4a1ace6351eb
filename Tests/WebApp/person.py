"""A person with the app: one browser profile that outlives the browser, every tap counted, whatever goes wrong written down."""

import re
import time
import urllib.request
from urllib.parse import urlsplit


class Person:
    def __init__(self, playwright, chromium, profile, url, **more):
        self.playwright, self.chromium, self.profile, self.url = playwright, chromium, profile, url
        self.options = {"viewport": {"width": 390, "height": 780}, "locale": "en-GB", **more}
        self.troubles, self.taps = [], 0
        self.start()

    def start(self):
        """Opens the browser with what it kept."""
        # The sandbox needs a user that is not root; only our own pages are loaded.
        self.context = self.playwright.chromium.launch_persistent_context(
            str(self.profile), executable_path=self.chromium, args=["--no-sandbox"], **self.options)
        self.context.on("request", self._asked)
        self.context.on("response", self._answered)
        self._look(self.context.pages[0] if self.context.pages else self.context.new_page())

    def _look(self, page):
        self.page = page
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"error in the page: {error}"))

    def renew(self):
        """Opens another page in the place of one whose process is gone."""
        gone = self.page
        self._look(self.context.new_page())
        gone.close()

    def _console(self, message):
        if message.type in ("error", "warning") and "net::ERR_INTERNET_DISCONNECTED" not in message.text:
            self.troubles.append(f"console {message.type}: {message.text}")

    def _asked(self, request):
        if urlsplit(request.url).scheme != "blob" and urlsplit(request.url).netloc != urlsplit(self.url).netloc:
            self.troubles.append(f"asked another host: {request.url}")

    def _answered(self, response):
        if response.status >= 400:
            self.troubles.append(f"answered {response.status}: {response.request.method} {urlsplit(response.url).path}")

    def taken_troubles(self):
        found, self.troubles = self.troubles, []
        return found

    def open(self, page=""):
        self.page.goto(self.url + page)
        self.page.wait_for_selector("main > section:visible h2:has-text('')")

    def begins(self, *purposes):
        """Enrols as an adult who allows these purposes, and says nothing of operator, place and code."""
        self.open()
        self.tap("#next")
        self.page.check("input[value='18+']")
        self.tap("#next")
        for purpose in purposes:
            self.page.check(f"#allow-{purpose}")
        self.tap("#next")
        self.page.wait_for_selector("#sim")
        self.tap("#next")
        self.page.wait_for_selector("#code")
        self.tap("#next")
        self.page.wait_for_selector("#stars:visible")

    def tap(self, selector):
        self.taps += 1
        self.page.click(selector)

    def text(self, selector):
        return self.page.inner_text(selector)

    def soon(self, holds, seconds=10):
        """Whether a condition comes true in time."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(100)
        return True

    def says(self, text, seconds=10):
        return self.soon(lambda: text in self.text("#notice"), seconds)

    def unsent(self):
        return self.text("#unsent") if self.page.is_visible("#unsent") else ""

    def width_beyond(self):
        """Pixels by which the page is wider than the screen."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")

    def controlled(self):
        """Whether the service worker has the page's files."""
        return self.soon(lambda: self.page.evaluate("Boolean(navigator.serviceWorker.controller)"))


def rows(metrics, outcome, kind="feedback"):
    """How many rows ingest has counted."""
    with urllib.request.urlopen(f"http://{metrics}/metrics") as answer:
        text = answer.read().decode()
    for labels, value in re.findall(r"^nkul_ingest_rows_total{(.*)} (\d+)", text, re.M):
        if set(labels.split(",")) == {f'kind="{kind}"', f'outcome="{outcome}"'}:
            return int(value)
    raise KeyError(f"{kind} {outcome}")
