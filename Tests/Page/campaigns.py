"""Campaigns: what they cost and what came of it, as the API says it; made-up answers where a home would need months to have it all."""

import csv
import json
import pathlib
import urllib.request

import answers
from claims import Claims
from visitor import Visitor

ROWS, STANDING = "#campaign-rows tbody tr", "#campaign-standing tbody tr"
MEASURES = ["spent_xaf", "grants", "held", "refused", "devices", "new_devices", "useful", "cost_per_useful_xaf", "new_cells"]


class Campaigns(Claims):
    def campaigns(self):
        """Three campaigns of thirty days."""
        visitor = self.sees_campaigns(zone="America/New_York")
        page = visitor.page
        page.keyboard.press("g")
        page.keyboard.press("p")
        self.claim("g p leads to the campaigns", visitor.shows(STANDING) and page.evaluate("document.body.dataset.view") == "campaigns", page.url)
        told = json.loads(answers.campaigns(self.asked[-1]))
        self.standings(visitor, told)
        self.every_figure(visitor)
        self.days(visitor, told)
        self.another(visitor)
        self.campaigns_in_french(visitor)
        self.calm(visitor, "campaigns")
        visitor.context.close()

    def sees_campaigns(self, **more):
        """Somebody whose campaigns are made up, logged in."""
        visitor, self.asked = Visitor(self.browser, self.house.url, **more), []

        def answer(route):
            self.asked.append(route.request.url)
            route.fulfill(body=answers.campaigns(route.request.url), content_type="application/json")

        visitor.context.route("**/v1/campaigns*", answer)
        visitor.open()
        visitor.log_in(self.house.token)
        visitor.shows("#alarm-list")
        return visitor

    def standings(self, visitor, told):
        page = visitor.page
        shown = page.locator(STANDING).count()
        spring, first = told["campaigns"][2], told["campaigns"][0]
        said = visitor.text("#campaign-standing")
        holds = shown == 3 and all(f"{number:,}" in said for number in (spring["total"]["spent_xaf"], spring["total"]["grants"], spring["ever"]["devices"], first["document"]["budget_xaf"]))
        self.claim("each campaign stands there with what it cost, gave and reached", holds, said)
        self.claim("what is refused has its reasons, an unknown one by its name", "budget spent" in said and "not_known_here" in said, said)
        self.claim("a campaign that pays no more says so", "paused" in said and "goes on" in said, said)

    def every_figure(self, visitor):
        """Each of them can be chosen, stands in the address, and has a chart with its name."""
        page, wrong = visitor.page, []
        for measure in MEASURES:
            page.select_option("#measure", measure)
            name = page.locator("#measure option:checked").inner_text()
            if not visitor.soon(lambda name=name: name in visitor.text("#campaign-title")) or (measure != "spent_xaf" and f"measure={measure}" not in page.url):
                wrong.append(f"{measure}: {page.url} {visitor.text('#campaign-title')}")
        self.claim("every figure of campaigns can be drawn by its name", not wrong, wrong)
        page.select_option("#measure", "cost_per_useful_xaf")
        page.focus("#campaign-days .chart-canvas")
        page.keyboard.press("Home")
        said = []
        for _ in range(12):
            page.keyboard.press("ArrowRight")
            said.append(page.evaluate("document.querySelector('#campaign-days [aria-live]').textContent"))
        self.claim("the arrows say each day; one without a price has none, not 0", any("no values" in each for each in said) and any("XAF" in each for each in said), said[:4])

    def days(self, visitor, told):
        """The file has the rows that are shown, and no other; and choosing can be taken back."""
        page = visitor.page
        days = {each["campaign"]: each["days"] for each in told["campaigns"]}
        self.claim("each day of each campaign has a row", page.locator(ROWS).count() == sum(map(len, days.values())), page.locator(ROWS).count())
        page.click(f"{STANDING} button:has-text('littoral-4g')")
        one = visitor.soon(lambda: page.locator(ROWS).count() == len(days["littoral-4g"]) and page.input_value("#campaign") == "littoral-4g")
        self.claim("a campaign is chosen by its name, in the address", one and "campaign=littoral-4g" in page.url, page.url)
        with page.expect_download() as begun:
            page.click("#campaign-days-csv")
        rows = list(csv.DictReader(pathlib.Path(begun.value.path()).read_text().splitlines()))
        written = [{name: self.written(each[name]) for name in rows[0] if name in each} for each in reversed(days["littoral-4g"])]
        self.claim("the file has what is shown", [{name: row[name] for name in written[0]} for row in rows] == written and {row["campaign"] for row in rows} == {"littoral-4g"}, f"{rows[:1]} {written[:1]}")
        self.claim("without a price it is empty, not 0", any(row["cost_per_useful_xaf"] == "" for row in rows), rows[:2])
        self.shot(visitor, "campaign")
        page.go_back()
        self.claim("the way back takes the choice back", visitor.soon(lambda: page.locator(ROWS).count() > len(rows)) and page.input_value("#campaign") == "")
        page.go_forward()
        self.claim("and the way forward chooses it again", visitor.soon(lambda: page.input_value("#campaign") == "littoral-4g"))
        with page.expect_download() as begun:
            page.click("#campaigns-csv")
        standing = list(csv.DictReader(pathlib.Path(begun.value.path()).read_text().splitlines()))
        self.claim("what a spreadsheet would take for a formula is none", [row["campaign"] for row in standing] == ["'-1+1", "littoral-4g", "spring"], standing)

    @staticmethod
    def written(value):
        """As files have it."""
        if isinstance(value, dict):
            return " ".join(f"{reason}:{value[reason]}" for reason in sorted(value))
        return "" if value is None else f"{value:g}" if isinstance(value, float) else f"{value}"

    def another(self, visitor):
        """A reload, and another person with the link in another zone, see the same days."""
        page, first = visitor.page, "#campaign-rows tbody tr td:first-child"
        page.select_option("#period", "days7")
        visitor.soon(lambda: page.locator(ROWS).count() < 10)
        page.reload()
        other = self.sees_campaigns(zone="Pacific/Auckland")
        other.page.goto(page.url)
        found = []
        for one in (visitor, other):
            one.shows(ROWS)
            found.append([one.page.input_value(f"#{name}") for name in ("campaign", "measure", "period")] + one.page.locator(first).all_inner_texts())
        self.claim("a reload and another person with the link in another zone have the same", found[0] == found[1] and found[0][:3] == ["littoral-4g", "cost_per_useful_xaf", "days7"] and len(found[0]) > 8, found)
        self.calm(other, "campaigns in another zone")
        other.context.close()

    def campaigns_in_french(self, visitor):
        visitor.page.click("#language")
        said = visitor.text("#view")
        english = [word for word in ("Spent", "Grants", "Refused", "Period", "as of", "Coverage", "budget spent") if word in said]
        self.claim("campaigns are said in French", "Dépensé" in said and "FCFA" in said and not english, english or said[:300])
        visitor.page.click("#language")

    def has_campaigns(self):
        """Whether this exporter has the call that the view asks."""
        return "/v1/campaigns" in json.loads(self.ask("openapi.json"))["paths"]

    def ask(self, path):
        request = urllib.request.Request(self.house.url + path, headers={"Authorization": f"Bearer {self.house.token}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.read().decode()

    def campaigns_of_this_home(self, visitor):
        """What the home itself paid while the day was played, beside what its API says of it."""
        told = json.loads(self.ask("v1/campaigns"))
        visitor.go("#/campaigns?period=days7")
        visitor.shows(ROWS)
        paid = [each for each in told["campaigns"] if each["total"]["grants"] > 0]
        self.claim("the day that was played paid for feedback", len(paid) == 1 and paid[0]["total"]["spent_xaf"] == sum(each["spent_xaf"] for each in paid[0]["days"]) > 0, told)
        said = visitor.text("#campaign-standing")
        self.claim("and the page says how much", f"{paid[0]['total']['grants']:,}" in said and f"{paid[0]['total']['spent_xaf']:,}" in said, said)
        of_api = list(csv.DictReader(self.ask("v1/campaigns.csv").splitlines()))
        visitor.go("#/campaigns")
        visitor.shows(ROWS)
        with visitor.page.expect_download() as begun:
            visitor.page.click("#campaign-days-csv")
        of_page = list(csv.DictReader(pathlib.Path(begun.value.path()).read_text().splitlines()))
        same = [sorted((row | {"cost_per_useful_xaf": float(row["cost_per_useful_xaf"] or -1)} for row in rows), key=lambda row: (row["day"], row["campaign"])) for rows in (of_page, of_api)]
        self.claim("the page's file and the API's have the same rows and columns", same[0] == same[1] and len(of_api) > 0, f"{of_page[:1]} {of_api[:1]}")
        self.shot(visitor, "campaigns")
        self.calm(visitor, "this home's campaigns")
