"""Two operators and the regulator side by side: nobody's page gets what is another's, and who is revoked is out."""

import csv
import gzip
import json
import pathlib
import re
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlsplit

from claims import Claims
from visitor import Visitor

OPERATORS = {"orange": "62402", "mtn": "62401"}
VIEWS = ["#/now", "#/map?period=day", "#/trends?period=day&metric=latency_ms", "#/compare?period=day", "#/data?period=day", "#/engagement", "#/settings?part=rules", "#/settings?part=channels"]
# Who else there is, and what is released of them, everybody may know.
PUBLIC = ("/v1/session", "/v1/released", "/v1/releases", "/v1/regions", "/v1/status")
# Two are answered at a time.
BUSY = ("/v1/relation",)
# A script, a formula, and more marks than a comment may have.
SAID = ["<script>document.title = 'taken'</script>", "=HYPERLINK(\"http://x.example\",\"y\")", "#" * 10_000]


class Separate(Claims):
    def separate(self, regulator):
        """At the end of the day: each of three looks at everything, at the same time."""
        tokens = {name: self.house.admin("tenant", "add", name, "--plmn", plmn)["token"] for name, plmn in OPERATORS.items()}
        pages = {name: self.looks_on(token) for name, token in tokens.items()}
        answers = {name: self.answers_of(visitor) for name, visitor in pages.items()}
        self.a_rule_of_one(pages)
        for view in VIEWS + (["#/campaigns"] if self.has_campaigns() else []):
            for visitor in (*pages.values(), regulator):
                visitor.go(view)
            for visitor in (*pages.values(), regulator):
                visitor.settles()
        for name, visitor in pages.items():
            self.nothing_of_others(name, visitor, answers[name])
            self.rows_of_one(name, visitor)
        self.words(pages["orange"], pages["mtn"], tokens["orange"])
        self.released_beside(pages["orange"])
        for name, visitor in pages.items():
            self.calm(visitor, f"{name} beside the others", BUSY)
        self.calm(regulator, "the regulator beside two operators", BUSY)
        self.revoked(pages["orange"])
        for visitor in pages.values():
            visitor.context.close()

    def looks_on(self, token):
        visitor = Visitor(self.browser, self.house.url)
        visitor.open()
        visitor.log_in(token)
        visitor.shows("#board")
        visitor.shows('#stream[data-state="live"]')
        return visitor

    @staticmethod
    def answers_of(visitor):
        """What the API answers from now on, with what was asked for."""
        found = []

        def note(request):
            path = urlsplit(request.url).path
            if path.startswith("/v1/") and not path.startswith(PUBLIC) and not path.endswith("/stream"):
                found.append(request)

        # Whose answer is there: that of a view which was left is waited for in vain.
        visitor.page.on("requestfinished", note)
        return found

    def nothing_of_others(self, name, visitor, answers):
        foreign = next(plmn for other, plmn in OPERATORS.items() if other != name)
        asked = [request.url for request in answers if any(foreign in value for values in parse_qs(urlsplit(request.url).query).values() for value in values)]
        self.claim(f"{name}'s page asks for nothing of another operator", not asked, asked[:3])
        told, looked = [], 0
        for request in answers:
            try:
                body = request.response().text()
            except Exception:
                # An answer that was given up has no body any more.
                continue
            looked += 1
            # A number that has the digits of a network among others names none.
            named = re.search(rf"(?<![0-9])(?:{foreign}|62403|62404)(?![0-9])", body)
            if named:
                told.append(f"{urlsplit(request.url).path}: {body[max(0, named.start() - 80):][:200]}")
        self.claim(f"no answer to {name}'s page is another operator's ({looked} looked at)", looked > 10 and not told, told[:3])
        seen = {urlsplit(request.url).path for request in answers}
        self.claim(f"{name}'s page got figures of its own", {"/v1/kpis", "/v1/heatmap"} <= seen, sorted(seen))

    def rows_of_one(self, name, visitor):
        visitor.go("#/data?period=day")
        visitor.shows("#rows-csv")
        with visitor.page.expect_download() as begun:
            visitor.page.click("#rows-csv")
        content = pathlib.Path(begun.value.path()).read_bytes()
        rows = list(csv.DictReader((gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode().splitlines()))
        mine = ("624", OPERATORS[name][3:].lstrip("0"))
        foreign = [row for row in rows if mine not in self.networks(row)]
        self.claim(f"{name}'s raw rows are of its own network", len(rows) > 100 and not foreign, f"{len(rows)} rows, {foreign[:1]}")

    def a_rule_of_one(self, pages):
        """What one operator sets the other does not see, and may not name."""
        orange, mtn = pages["orange"].page, pages["mtn"].page
        for page in (orange, mtn):
            page.evaluate("location.hash = '#/settings?part=rules'")
            page.wait_for_selector("#new-document")
        orange.click("#new-document")
        orange.fill("#document-name", "ours-alone")
        orange.click("#save")
        self.claim("an operator sets a rule of its own", pages["orange"].soon(lambda: "It is set" in pages["orange"].text("#editor")), pages["orange"].text("#setting"))
        mtn.reload()
        mtn.wait_for_selector('#setting:has-text("None yet")')
        self.claim("which the other does not see", "ours-alone" not in pages["mtn"].text("#setting"))
        status = mtn.evaluate("fetch('v1/rules/ours-alone').then(({ status }) => status)")
        self.claim("nor gets by its name", status == 404, status)
        expected = [trouble for trouble in pages["mtn"].taken_troubles() if "404" in trouble]
        self.claim("and nothing else is refused", len(expected) in (1, 2), expected)

    def words(self, orange, mtn, token):
        """Comments are text: on the page, in its files and in the API."""
        orange.go("#/now")
        first = "#alarm-list > li:not(.divider) button.alarm"
        orange.page.click(first)
        script, formula, long = SAID
        for text in (script, formula, long[:1000]):
            self.act(orange, "comment", text=text)
            orange.soon(lambda text=text: text in orange.text("#alarm-comments"))
        self.press(orange, "comment")
        orange.shows('#alarm-form [name="text"]')
        most = orange.page.evaluate("document.querySelector('#alarm-form [name=\"text\"]').maxLength")
        self.claim("a form takes no more than 1 000 marks", most == 1000, most)
        orange.page.keyboard.press("Escape")
        shown = orange.text("#alarm-comments")
        self.claim("a script, a formula and 1 000 marks stand there as they were written", all(each in shown for each in (script, formula, long[:1000])), shown[:300])
        elements = orange.page.locator("#alarm-comments script, #alarm-comments a").count()
        self.claim("and are nothing but text", elements == 0 and orange.page.title() != "taken")
        self.claim("nor do they make the page wider", not orange.overflows(), orange.overflows())
        alarm = orange.page.get_attribute("#alarm-list > li.chosen button.alarm", "data-alarm")
        problem = self.comment(token, alarm, long)
        self.claim("10 000 marks are refused by the name of the member", problem.get("status") in (400, 422) and problem.get("field") == "text", problem)
        fields = orange.page.evaluate("async (given) => { const { field } = await import('/support/dom.js'); return given.map(field); }", SAID[:2] + ["-1+1", "\t=1", "plain"])
        self.claim("what a spreadsheet would take for a formula is none in files", fields[1].startswith("\"'=") and fields[2] == "'-1+1" and fields[4] == "plain", fields)
        mtn.go("#/now")
        mtn.settles()
        self.claim("the other operator has none of it", all(each not in mtn.page.content() for each in (script, formula)))

    def comment(self, token, alarm, text):
        request = urllib.request.Request(
            f"{self.house.url}v1/alarms/{alarm}/comment", json.dumps({"text": text}).encode(), {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return {"status": answer.status}
        except urllib.error.HTTPError as error:
            return json.load(error)

    def released_beside(self, orange):
        """An operator compares itself with the others by what was released of all, marked as such."""
        orange.go("#/compare?metric=latency_ms&period=day")
        orange.settles()
        orange.page.select_option("#figures", "provisional")
        told = orange.soon(lambda: "Released figures" in orange.text("#comparison") and "Lies between" in orange.text("#comparison"))
        self.claim("an operator sees released figures of all, marked as released", told and all(name in orange.text("#comparison") for name in ("MTN", "Orange", "Camtel")), orange.text("#comparison")[:400])
        values = orange.page.locator("#comparison tbody tr td:nth-child(2)").all_inner_texts()
        self.claim("with values where enough phones were there", any("ms" in value for value in values), values)
        self.claim("scores and relations, which are live, are not beside them", not orange.page.is_visible("#scores") and not orange.page.is_visible("#relation"))
        self.shot(orange, "task-released")
        for view, shown in (("trends", '#trend-title:has-text("Released figures")'), ("map", '#status:has-text("Released figures")')):
            orange.page.click(f'#views a[data-view="{view}"]')
            self.claim(f"and in {view}", orange.shows(shown), orange.page.url)
            orange.settles()
            self.shot(orange, f"released-{view}")
        orange.go("#/map?period=days30&figures=final")
        said = orange.soon(lambda: "Nothing was released" in orange.text("#empty") and "nine days later" in orange.text("#empty"))
        self.claim("where nothing is released yet that is said, not that nothing was measured", said, orange.text("#view"))
        orange.page.click('#views a[data-view="data"]')
        orange.settles()

    def revoked(self, orange):
        """A contact's token is taken back: the page that is open ends, and its session with it."""
        token = self.house.admin("contact", "add", "orange", "eve", "--role", "engineer")["token"]
        eve = self.looks_on(token)
        self.calm(eve, "a contact before it is revoked")
        self.house.admin("contact", "revoke", "orange", "eve")
        ended = eve.shows("#login", 10)
        self.claim("the page of a revoked contact ends at once", ended and not eve.page.is_visible("#board"), eve.page.url)
        state = eve.page.evaluate("fetch('v1/session/state').then((answer) => answer.json())")
        self.claim("and so does its session", state["logged_in"] is False, state)
        self.claim("others of the tenant go on", orange.page.is_visible("#board"))
        self.calm(eve, "a contact that was revoked")
        eve.context.close()
