"""A browser's page that writes down whatever goes wrong in it."""

import time
from urllib.parse import urlsplit


class Visitor:
    """One person at one screen."""

    @staticmethod
    def browser(playwright, chromium):
        # The sandbox needs a user that is not root; only our own page is loaded. Sound comes after a gesture only, as
        # in a browser with a window.
        return playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--autoplay-policy=user-gesture-required"]
        )

    def __init__(self, browser, url, width=1280, height=760, dark=False, language="en-GB", zone="America/New_York"):
        self.context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=language,
            timezone_id=zone,
            accept_downloads=True,
        )
        self.page = self.context.new_page()
        self.url, self.troubles = url, []
        # Requests under way, and those that a reload or another page has cut off. The page that is left goes on asking
        # until the first byte of the next one is there.
        self.under_way, self.cut_off, self.is_leaving = set(), set(), False
        self.page.on("request", self._asked)
        self.page.on("framenavigated", self._arrived)
        self.page.on("requestfinished", lambda request: self.under_way.discard(request))
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.troubles.append(f"error in the page: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._answered)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.troubles.append(f"console {message.type}: {message.text} ({message.location.get('url', '')})")

    def _asked(self, request):
        if request.is_navigation_request():
            self.cut_off |= self.under_way
            self.is_leaving = True
        elif self.is_leaving:
            self.cut_off.add(request)
        self.under_way.add(request)

    def _arrived(self, frame):
        if frame == self.page.main_frame:
            self.is_leaving = False

    def _failed(self, request):
        self.under_way.discard(request)
        if request.is_navigation_request():
            self.is_leaving = False
        if request in self.cut_off and request.failure == "net::ERR_ABORTED":
            return
        # What the page gives up itself, as its view was left or it has waited long enough, and a download, are reported
        # as aborted.
        path = urlsplit(request.url).path
        if not (request.failure == "net::ERR_ABORTED" and request.method == "GET" and path.startswith("/v1/")):
            self.troubles.append(f"request failed: {request.method} {path}: {request.failure}")

    def _answered(self, response):
        if response.status >= 400:
            self.troubles.append(f"answered {response.status}: {response.request.method} {urlsplit(response.url).path}")

    def taken_troubles(self):
        """What went wrong since the last question."""
        found, self.troubles = self.troubles, []
        return found

    def open(self, view=""):
        self.page.goto(self.url + view)
        self.page.wait_for_selector("#login:visible, #board:visible")

    def go(self, view):
        """Goes to another view as a link does."""
        self.page.evaluate("(view) => { location.hash = view; }", view)

    def log_in(self, token):
        self.page.fill("#token", token)
        self.page.press("#token", "Enter")

    def text(self, selector):
        return self.page.inner_text(selector)

    def shows(self, selector, seconds=10):
        """Whether an element is to be seen, now or soon."""
        try:
            self.page.wait_for_selector(selector, state="visible", timeout=seconds * 1000)
            return True
        except Exception as error:
            if "Timeout" not in str(error):
                raise
            return False

    def soon(self, holds, seconds=10):
        """Whether a condition comes true in time."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                return False
            self.page.wait_for_timeout(200)
        return True

    def settles(self, seconds=20):
        """Whether everything that the view asks for is there, now or soon."""
        there = """() => document.querySelector(".loading") === null
            && [...document.querySelectorAll(".asof")].every((each) => each.textContent || each.closest("[hidden]"))"""
        return self.soon(lambda: self.page.evaluate(there), seconds)

    def colour_at(self, town):
        """Red, green and blue of the cell under a town's dot; None where nothing is drawn."""
        return self.page.evaluate(
            """(town) => {
            const label = [...document.querySelectorAll(".town")].find((each) => each.textContent === town);
            const canvas = document.querySelector(".leaflet-overlay-pane canvas");
            if (!label || !canvas) return null;
            const place = label.getBoundingClientRect(), area = canvas.getBoundingClientRect();
            const x = (place.left - area.left + 4) * (canvas.width / area.width);
            const y = (place.top + place.height / 2 - area.top) * (canvas.height / area.height);
            const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
            probe.drawImage(canvas, x, y, 1, 1, 0, 0, 1, 1);
            const [red, green, blue, alpha] = probe.getImageData(0, 0, 1, 1).data;
            return alpha === 0 ? null : [red, green, blue];
        }""",
            town,
        )

    def listen(self):
        """Notes which severities sound."""
        self.page.evaluate(
            "window.heard = []; document.addEventListener('sounded', (event) => heard.push(event.detail))"
        )

    def heard(self):
        return self.page.evaluate("window.heard")

    def tab_stops(self, most=60):
        """What Tab goes to from the top of the page, in order, and which of these do not show their focus."""
        self.page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")
        stops, unseen = [], []
        for _ in range(most):
            self.page.keyboard.press("Tab")
            name, outline = self.page.evaluate("""() => {
                const element = document.activeElement, style = getComputedStyle(element);
                return [element === document.body ? "BODY" : element.id || element.dataset.severity || element.dataset.view || element.className || element.tagName,
                    style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
            }""")
            if name == "BODY":
                break
            stops.append(name)
            if not outline:
                unseen.append(name)
        return stops, unseen

    def overflows(self):
        """Elements that are cut off or make the page wider than the screen."""
        return self.page.evaluate(
            """() => [...document.querySelectorAll("#top *, #pickers *, #legend *, #status, .head *, .page-head *, #alarm *, #filters *, #login *, .verdict, #editor *")]
            .filter((each) => each.getClientRects().length > 0 && each.tagName !== "OPTION" && !each.closest(".scroll, .unseen, .chart-area, datalist"))
            .map((each) => [each, each.getBoundingClientRect()])
            .filter(([, box]) => box.right > innerWidth + 1 || box.left < -1)
            .map(([each]) => each.id || each.className || each.tagName)
            .concat(document.documentElement.scrollWidth > innerWidth ? ["the page"] : [])"""
        )
