"""Seven things that people come for, each with how many actions it takes: a click, a key, a choice, a name that is written."""

import csv
import json
import os
import pathlib
import re
import signal
import time

from choices import OUTAGE
from claims import Claims


class Hand:
    """What somebody does for a task, counted, and how long it takes."""

    def __init__(self, visitor):
        self.page, self.actions, self.begun = visitor.page, 0, time.monotonic()

    def click(self, selector):
        self.actions += 1
        self.page.click(selector)

    def key(self, key):
        self.actions += 1
        self.page.keyboard.press(key)

    def choose(self, selector, value):
        self.actions += 1
        self.page.select_option(selector, value)

    def write(self, selector, text):
        self.actions += 1
        self.page.fill(selector, text)
        if selector != "#q":
            self.page.press(selector, "Tab")


class Tasks(Claims):
    def tasks(self, visitor):
        self.why_customers_complain(visitor)
        self.medians_for_the_regulator(visitor)
        self.a_new_rule(visitor)
        self.told_by_push(visitor)
        self.exactly_what_is_shown(visitor)
        self.what_happened(visitor)
        self.calm(visitor, "things that people come for")

    def done(self, task, hand, most, holds, problem=""):
        self.claim(f"{task}: {hand.actions} actions, at most {most}, {time.monotonic() - hand.begun:.1f} s", holds and hand.actions <= most, problem)

    def why_customers_complain(self, visitor):
        visitor.go("#/now")
        hand = Hand(visitor)
        hand.click(OUTAGE + " button.alarm")

        def is_told():
            said = visitor.text("#alarm")
            return all(each in said for each in ("no service", "Douala", "Before", "During", "After", "without service"))

        self.done("find why Orange's customers in Douala complain", hand, 3, visitor.soon(is_told), visitor.text("#alarm"))
        self.shot(visitor, "task-evidence")

    def take_and_tell(self, visitor, colleague, alarm):
        """The alarm is one that goes on, and is looked at; who is to be told has the page open, and sees it at once."""
        hand = Hand(visitor)
        visitor.page.focus(alarm + " button.alarm")
        hand.key("t")
        taken = visitor.soon(lambda: "regulator has it until" in visitor.text("#alarm-standing"))
        hand.key("h")
        visitor.shows('#alarm-form [name="to"]')
        hand.click('#alarm-form button[type="submit"]')
        told = visitor.soon(lambda: "offers it to ann" in visitor.text("#alarm-standing"))
        seen = colleague.shows(alarm + " .tag.offered")
        self.done("take an alarm and tell a colleague", hand, 3, taken and told and seen, visitor.text("#alarm"))

    def medians_for_the_regulator(self, visitor):
        page, hand = visitor.page, Hand(visitor)
        visitor.go("#/now")
        hand.click('#views a[data-view="compare"]')
        visitor.soon(lambda: page.locator('#place option[value="littoral"]').count() == 1)
        hand.choose("#place", "littoral")
        visitor.shows('#comparison h3:has-text("Littoral")')
        with page.expect_download() as begun:
            hand.click("#compare-csv")
        rows = list(csv.DictReader(pathlib.Path(begun.value.path()).read_text().splitlines()))
        holds = len(rows) == 4 and {row["place"] for row in rows} == {"Littoral"} and any(row["interval_low"] for row in rows)
        self.done("download medians of four operators in Littoral with intervals for last week", hand, 5, holds, rows)
        self.shot(visitor, "task-medians")

    def a_new_rule(self, visitor):
        page, hand = visitor.page, Hand(visitor)
        hand.click('#views a[data-view="settings"]')
        hand.click("#tab-rules")
        hand.click("#new-document")
        hand.write("#document-name", "slow-evenings")
        hand.choose("#rule-metric", "latency_ms")
        hand.write("#rule-bound", "250")
        before = json.loads(page.input_value("#document"))
        page.fill("#rule-devices", "3")
        page.press("#rule-devices", "Tab")
        after = json.loads(page.input_value("#document"))
        self.claim("a field writes its own member alone", after == before | {"min_devices": 3}, f"{before} {after}")
        written = page.input_value("#document")
        self.claim(
            "the fields of a rule write its document",
            all(each in written for each in ('"above": 250', '"metric": "latency_ms"', "responseTimeExcessive")),
            written,
        )
        page.fill("#document", page.input_value("#document").replace('"kind"', '"kindly"'))
        page.click("#save")
        self.claim("a rule that is wrong is refused by the name of the member", visitor.shows('#document-answer.error:has-text("kind")'))
        expected = [trouble for trouble in visitor.taken_troubles() if "422" in trouble]
        self.claim("and nothing else is refused", len(expected) in (1, 2), expected)
        page.fill("#document", page.input_value("#document").replace('"kindly"', '"kind"'))
        hand.click("#test-yesterday")
        tested = visitor.shows("#test-verdict", 60)
        said = visitor.text("#rule-test") if tested else visitor.text("#setting")
        self.claim("a rule is tested before it is set", tested and "would have raised" in said and "no rule of this name" in said, said)
        self.shot(visitor, "task-test")
        hand.click("#save")
        set_ = visitor.soon(lambda: "It is set" in visitor.text("#editor"))
        self.done("make a rule, test it on yesterday, arm it", hand, 8, set_, visitor.text("#setting"))
        self.shot(visitor, "task-rule")
        self.another_test(visitor)
        page.click("#remove")
        page.click("#remove")
        self.claim("and it can be removed", visitor.shows('#setting:has-text("None yet")'))

    def another_test(self, visitor):
        """Beside the rule in force: the same finds the same, a milder one finds less, and what is gone is said."""
        page = visitor.page
        page.click("#test-week")
        same = visitor.shows('#test-verdict:has-text("decides the same")', 60)
        self.claim("the rule in force is known to be the same", same, visitor.text("#rule-test"))
        found = page.locator("#test-alarms tbody tr").count()
        self.claim("it says what it would have raised, with times, operator, place and devices", found > 0 and re.search(r"\d\d:\d\d\t(?:\d+ \w+, )?\d\d:\d\d\t\w+\t.+ · \w+\t\w+\t≥ \d", visitor.text("#test-alarms")), visitor.text("#rule-test"))
        page.fill("#rule-bound", "5000")
        page.press("#rule-bound", "Tab")
        self.claim("what was found is put away when the rule is another", not page.is_visible("#rule-test"))
        page.click("#test-week")
        gone = visitor.shows('#test-verdict:has-text("gone")', 60) and page.locator("#test-alarms .timeline i, .timeline i.gone").count() > 0
        self.claim("what a milder rule would not raise is said to be gone", gone and "only the rule in force" in visitor.text("#test-alarms"), visitor.text("#rule-test"))
        self.shot(visitor, "task-test-gone", full_page=True)

    def told_by_push(self, visitor):
        """Without a notifier that is said. With one, whose answers are made up here, the browser's subscription is handed on."""
        page, sent = visitor.page, []
        page.click('#views a[data-view="settings"]')
        page.click("#tab-people")
        page.click("#push-on")
        self.claim("without a notifier nobody is told, and that is said", visitor.shows("#push-said.error"))
        expected = [trouble for trouble in visitor.taken_troubles() if "503" in trouble]
        self.claim("and nothing else is wrong", len(expected) in (1, 2), expected)

        def answer(route):
            if route.request.method == "PUT":
                sent.append(json.loads(route.request.post_data))
            route.fulfill(json={"channel": "push-regulator", "vapid_key": "BF" + "A" * 85})

        page.route("**/v1/contact/push", answer)
        visitor.context.grant_permissions(["notifications"], origin=self.house.url.rstrip("/"))
        subscription = {"endpoint": "https://push.example.org/1", "expirationTime": None, "keys": {"p256dh": "B", "auth": "a"}}
        page.evaluate("(given) => { PushManager.prototype.subscribe = async () => ({ toJSON: () => given }); }", subscription)
        page.click("#push-on")
        told = visitor.shows('#push-said:has-text("is told of alarms")')
        self.claim("a browser is subscribed, and the exporter gets its subscription", told, visitor.text("#push-said"))
        holds = len(sent) == 1 and sent[0] == subscription | {"filter": {"severity": "warning"}, "tells": "all"}
        self.claim("as the API takes it", holds, sent)
        scope = page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found?.active?.scriptURL ?? found?.installing?.scriptURL)")
        self.claim("a worker of this server waits for messages", f"{scope}".endswith("/push.js"), scope)
        page.unroute("**/v1/contact/push")

    def exactly_what_is_shown(self, visitor):
        """The file has the rows of the table under the chart, and no other."""
        page = visitor.page
        visitor.go("#/trends?metric=latency_ms&period=day&plmn=62401,62402&place=yaounde&bucket=hour")
        visitor.shows("#annotations", 1)
        visitor.soon(lambda: "Yaoundé" in visitor.text("#trend-title") and page.locator(".chart-legend li").count() == 2)
        page.click(".chart-rows summary")
        visitor.shows(".chart-rows tbody tr")
        hand = Hand(visitor)
        with page.expect_download() as begun:
            hand.click("#trend-csv")
        rows = list(csv.DictReader(pathlib.Path(begun.value.path()).read_text().splitlines()))
        shown = page.locator(".chart-rows tbody tr").count()
        gaps = [row for row in rows if row["latency_ms"] == ""]
        times = {row["from"][-6:] for row in rows}
        holds = len(rows) == shown > 20 and {row["series"] for row in rows} == {"MTN", "Orange"} and times == {"+01:00"}
        self.done("export exactly what is on the screen", hand, 3, holds, f"{len(rows)} rows, {shown} shown, {times}")
        self.claim("a gap is empty in the file, not 0", all(row["n"] in ("", "0") for row in gaps), gaps[:2])
        with page.expect_download() as begun:
            page.click("#trend-png")
        picture = pathlib.Path(begun.value.path()).read_bytes()
        self.claim("and as a picture", picture[:8] == b"\x89PNG\r\n\x1a\n" and len(picture) > 5000, len(picture))
        self.shot(visitor, "trends")

    def what_happened(self, visitor):
        page = visitor.page
        visitor.go("#/now")
        visitor.shows(OUTAGE)
        hand = Hand(visitor)
        hand.write("#q", "no service douala")
        hand.click(OUTAGE + " button.alarm")
        told = visitor.soon(lambda: "Cleared" in visitor.text("#history-lines"))
        self.done("find what happened to an alarm that is long over", hand, 3, told, visitor.text("#alarm"))
        page.click("#clear-filters")

    def a_service_is_down(self, visitor):
        """A stopped aggregator is said in words, and the map dims, within the promise of its figures."""
        visitor.go("#/map?period=day")
        visitor.shows("#picture:not(.aged) .asof:not(:empty)")
        hand = Hand(visitor)
        os.kill(self.house.pids["batch-aggregator"], signal.SIGSTOP)
        try:
            dims = visitor.shows("#picture.aged", 60)
            self.done("see that the aggregator is down", hand, 1, dims and visitor.shows('#late:has-text("map")'), visitor.text("#late"))
            self.shot(visitor, "task-stale")
            visitor.go("#/now")
            self.claim("and the list of alarms says which service is silent", visitor.shows('#lacks:has-text("batch-aggregator")'))
        finally:
            os.kill(self.house.pids["batch-aggregator"], signal.SIGCONT)
        self.claim("when it is back nothing is late", visitor.shows('#lacks[data-state="well"]', 60), visitor.text("#lacks"))
        self.calm(visitor, "a service that was down")

    def the_server_is_silent(self, visitor):
        """An exporter that is stopped closes no connection: the page has to notice by itself."""
        visitor.go("#/trends?metric=latency_ms&period=day")
        visitor.shows("#trend:not(.aged) .asof:not(:empty)")
        begun = time.monotonic()
        os.kill(self.house.pids["analytics-exporter"], signal.SIGSTOP)
        try:
            said = visitor.shows("#lost", 20)
            print(f"    a silent exporter is said after {time.monotonic() - begun:.1f} s", flush=True)
            self.claim("a server that is silent is said", said and visitor.shows("#stream.behind"), visitor.text("#stream"))
            self.claim("and what is shown is dim", visitor.shows("#trend.aged"))
            self.shot(visitor, "lost")
        finally:
            os.kill(self.house.pids["analytics-exporter"], signal.SIGCONT)
        self.claim("and no longer when it answers", visitor.soon(lambda: not visitor.page.is_visible("#lost"), 30))
        visitor.taken_troubles()
