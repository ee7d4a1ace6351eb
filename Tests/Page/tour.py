"""What is claimed of the page, one visit after the other."""

import pathlib
import time

from playwright.sync_api import sync_playwright

from campaigns import Campaigns
from choices import OUTAGE, Choices
from handling import Handling
from looks import Looks
from separate import Separate
from tasks import Tasks
from visitor import Visitor

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "compose" / "sample.csv.gz"


class Tour(Campaigns, Choices, Handling, Looks, Separate, Tasks):
    def run(self):
        with sync_playwright() as playwright:
            self.browser = Visitor.browser(playwright, self.chromium)
            visitor = Visitor(self.browser, self.house.url)
            self.log_in(visitor)
            self.before_data(visitor)
            self.evening(visitor)
            self.choose(visitor)
            self.places(visitor)
            self.download(visitor)
            self.erasures(visitor)
            self.keyboard(visitor)
            self.french(visitor)
            self.filters_survive(visitor)
            self.controls_survive(visitor)
            self.zoom(visitor)
            self.colours(visitor)
            self.tasks(visitor)
            self.campaigns()
            if self.has_campaigns():
                self.campaigns_of_this_home(visitor)
            self.handling(visitor)
            self.separate(visitor)
            self.screens()
            self.a_service_is_down(visitor)
            self.the_server_is_silent(visitor)
            self.interruptions(visitor)
            self.leave(visitor)
            self.browser.close()
        return self.failures

    def log_in(self, visitor):
        visitor.open()
        self.claim(
            "a new visitor is asked to log in", visitor.shows("#login") and not visitor.page.is_visible("#board")
        )
        self.shot(visitor, "login")
        self.calm(visitor, "a new visitor")
        visitor.log_in("wrong")
        self.claim("a wrong token is said to be unknown", visitor.shows("#login-error:not(:empty)"))
        expected = [trouble for trouble in visitor.taken_troubles() if "401" in trouble]
        self.claim("a wrong token is the one thing that is answered 401", len(expected) in (1, 2), expected)
        visitor.log_in(self.house.token)
        self.claim("the regulator's token opens the page", visitor.shows("#board"))
        cookie = visitor.context.cookies()[0]
        self.claim(
            "the session's cookie is HttpOnly and SameSite=Strict",
            cookie["httpOnly"] and cookie["sameSite"] == "Strict",
            cookie,
        )
        self.claim("a script cannot read it", visitor.page.evaluate("document.cookie") == "")

    def before_data(self, visitor):
        self.claim("without alarms the page says so", visitor.shows("#no-alarms"))
        self.claim("alarms are followed live", visitor.shows('#stream[data-state="live"]'))
        self.claim("the clock of a recording is announced", visitor.shows("#clock-note"))
        self.claim("the pipeline is seen to be well", visitor.shows('#lacks[data-state="well"]', 30), visitor.text("#lacks"))
        visitor.page.click("#sound")
        self.claim(
            "sound is switched on by a switch",
            visitor.soon(lambda: visitor.page.get_attribute("#sound", "data-last") == "minor"),
        )
        visitor.page.click('#views a[data-view="map"]')
        self.claim("without data the map says so", visitor.shows("#empty"))
        self.shot(visitor, "empty")
        visitor.page.click('#views a[data-view="now"]')
        self.calm(visitor, "logged in, nothing measured yet")

    def evening(self, visitor):
        """The day is played while the page is open in two tabs, alarms and map; nobody touches them."""
        visitor.listen()
        watcher = Visitor(self.browser, self.house.url)
        watcher.open("#/map")
        watcher.log_in(self.house.token)
        watcher.shows("#map")
        colours, times, pictured = [], set(), False
        end, replay = time.monotonic() + 86_400 / self.speed + 300, self.house.play(SAMPLE, self.speed)
        while replay.poll() is None and time.monotonic() < end:
            visitor.page.wait_for_timeout(500)
            times.add(visitor.text("#clock-time"))
            colours += [colour for colour in [watcher.colour_at("Yaoundé")] if colour]
            is_raised = visitor.page.is_visible(OUTAGE + " button.alarm")
            if not pictured and colours and is_raised:
                pictured = True
                self.take_picture(visitor)
        self.claim("the whole day was played", replay.returncode == 0, self.house.replay_said())
        self.claim("the page's clock is that of the recording", len(times) > 5, sorted(times))
        self.claim(
            "the outage of Orange in Douala appears in the list",
            visitor.shows(OUTAGE + " button.alarm", 30),
            visitor.text("#view"),
        )
        self.claim("Yaoundé's cell appears and changes", len({tuple(colour) for colour in colours}) > 5, colours)
        self.claim(
            "a major alarm sounds otherwise than a minor one",
            {"major", "minor"} <= set(visitor.heard()),
            visitor.heard(),
        )
        self.shot(visitor, "night")
        self.calm(visitor, "a session that follows a day")
        self.calm(watcher, "a map that follows a day")
        self.congestion(watcher)
        watcher.page.click("#logout")
        watcher.context.close()

    def congestion(self, watcher):
        """The evening in which Yaoundé was congested, and the same hours of the morning: chosen, not caught as they pass,
        because a slow machine shows an hour when the next one is over."""
        fault = next(fault for fault in self.house.truth(SAMPLE)["faults"] if fault["kind"] == "congestion")
        for claim, hours, expected in (
            ("Yaoundé's cell is dark in the evening", 0, True),
            ("and not in the morning", 12, False),
        ):
            begin, end = (self.house.local_time(fault[f"{field}_ms"] - hours * 3_600_000) for field in ("from", "to"))
            watcher.go(f"#/map?period=custom&from={begin}&to={end}")

            def holds(expected=expected):
                colour = watcher.colour_at("Yaoundé")
                return bool(colour) and self.is_congested(colour) == expected

            self.claim(claim, watcher.soon(holds, 30), watcher.colour_at("Yaoundé"))
            self.shot(watcher, f"yaounde-{hours}")

    def take_picture(self, visitor):
        """The outage's alarm while it goes on."""
        self.shot(visitor, "evening")
        if self.picture:
            visitor.page.screenshot(path=str(self.picture))

    @staticmethod
    def is_congested(colour):
        """Whether it is darker than at the regulator's low bound of 5 Mbit/s."""
        return colour[0] < 165 and colour[1] < 43

    def erasures(self, visitor):
        """A regulator sees how erasures stand; the request is an operator's."""
        visitor.go("#/data")
        self.claim("without erasures none is open", visitor.shows('#erasures-standing:has-text("0 completed")'))
        device = self.house.admin("device", "list", "--limit", "1")["devices"][0]
        self.house.admin("erasure", "add", device["device"])
        self.claim(
            "an erasure is seen to be completed",
            visitor.soon(lambda: "1 completed" in visitor.text("#erasures-standing"), 60),
            visitor.text("#erasures-standing"),
        )
        self.claim(
            "it is listed with its six signatures",
            visitor.soon(lambda: "6 / 6" in visitor.text("#erasure-rows")),
            visitor.text("#erasure-rows"),
        )
        self.shot(visitor, "erasures")
        self.calm(visitor, "looking at erasures")

    def interruptions(self, visitor):
        """What the console says meanwhile is the truth, and not held against the page."""
        visitor.go("#/map?period=day")
        visitor.shows("#picture .asof:not(:empty)")
        visitor.context.route("**/v1/heatmap*", lambda route: route.abort())
        visitor.page.select_option("#period", "days3")
        self.claim("a server that does not answer is told", visitor.shows("#trouble:not(:empty)"))
        self.shot(visitor, "trouble")
        visitor.context.unroute("**/v1/heatmap*")
        visitor.page.select_option("#period", "day")
        self.claim("and no longer when it does", visitor.soon(lambda: visitor.text("#trouble") == ""))
        visitor.go("#/now")
        visitor.shows("#alarm-list > li")
        alarms = visitor.page.locator("#alarm-list > li").count()
        self.house.kill("analytics-exporter")
        self.claim("alarms that are cut off say so", visitor.shows('#stream[data-state="reconnecting"]'))
        self.claim("and go on by themselves, logged in as before", visitor.shows('#stream[data-state="live"]', 60))
        self.claim("with every alarm", visitor.page.locator("#alarm-list > li").count() == alarms)
        visitor.page.wait_for_timeout(1000)
        visitor.taken_troubles()

    def leave(self, visitor):
        """Two tabs of one browser: logging out in one ends the other too, without an error."""
        other = visitor.context.new_page()
        other.goto(self.house.url)
        other.wait_for_selector("#board:visible")
        other.click("#logout")
        other.wait_for_selector("#login:visible")
        self.claim("a session that is over leads to the log-in", visitor.shows("#login", 20))
        self.calm(visitor, "a session that another tab ended")
        visitor.log_in(self.house.token)
        visitor.shows("#alarm-list > li")
        visitor.page.click("#logout")
        self.claim("logging out leads to the log-in", visitor.shows("#login") and not visitor.page.is_visible("#board"))
        self.claim("and takes the cookie away", not visitor.context.cookies(), visitor.context.cookies())
        visitor.page.wait_for_timeout(3000)
        self.calm(visitor, "logging out, and after")
