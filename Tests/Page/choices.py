"""What visitors do with the page: choose, download, use the keyboard, read French."""

import csv
import gzip
import pathlib

from claims import Claims

OUTAGE = '#alarm-list > li:has-text("Orange · no service"):has-text("Douala")'

SEVERITIES = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]


class Choices(Claims):
    def choose(self, visitor):
        page = visitor.page
        page.select_option("#period", "day")
        page.click(OUTAGE + " button.alarm")
        self.claim(
            "an alarm shows its place on the map",
            visitor.soon(lambda: any(size in visitor.text("#status") for size in ("610 m", "1.2 km", "2.4 km"))),
            visitor.text("#status"),
        )
        self.shot(visitor, "douala")
        page.select_option("#plmn", "62402")
        page.select_option("#metric", "rsrp_dbm")
        page.select_option("#technology", "4G")
        self.claim(
            "the legend is that of the metric", visitor.shows('#legend:has-text("RSRP")'), visitor.text("#legend")
        )
        self.claim(
            "the choice stands in the address, the token does not",
            "metric=rsrp_dbm" in page.url and "plmn=62402" in page.url and self.house.token not in page.url,
            page.url,
        )
        page.select_option("#period", "custom")
        self.claim("from and to begin with the server's time", page.input_value("#to") != "" and visitor.shows("#from"))
        page.fill("#from", "2020-01-01T00:00")
        page.fill("#to", "2020-01-02T00:00")
        self.claim("a period without measurements says so", visitor.shows("#empty"))
        page.click("#widen")
        self.claim("and offers a longer one", visitor.soon(lambda: not page.is_visible("#empty")))
        page.reload()
        self.claim(
            "a reload keeps session and choice", visitor.shows("#board") and page.input_value("#plmn") == "62402"
        )
        page.click("#table summary")
        self.claim("the cells are a table too", visitor.shows("#rows tr"))
        self.shot(visitor, "table")
        page.click("#table summary")
        self.calm(visitor, "choosing")

    def download(self, visitor):
        with visitor.page.expect_download() as begun:
            visitor.page.click("#download")
        content = pathlib.Path(begun.value.path()).read_bytes()
        text = (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()
        rows = list(csv.DictReader(text.splitlines()))
        foreign = [row for row in rows if ("624", "2") not in self.networks(row)]
        self.claim(
            "raw rows come as CSV, those of the chosen operator",
            len(rows) > 100 and not foreign,
            f"{len(rows)} rows, {foreign[:1]}",
        )
        self.calm(visitor, "a download")

    @staticmethod
    def networks(row):
        """The SIM's and the serving network of a raw row."""
        return {(row[f"{of}mcc"], row[f"{of}mnc"].lstrip("0")) for of in ("", "serving_")}

    def keyboard(self, visitor):
        visitor.page.goto(self.house.url)
        visitor.shows(OUTAGE)
        stops, unseen = visitor.tab_stops()
        wanted = [
            "skip",
            "language",
            "logout",
            "metric",
            "plmn",
            "technology",
            "period",
            "level",
            "fit",
            "download",
            "map",
            "sound",
            # Of the severities there is a switch for what there is an alarm of; alarms end.
            next((severity for severity in SEVERITIES if severity in stops), "a severity"),
            "alarm-state",
            "alarm-owner",
            "alarm",
        ]
        places = [stops.index(stop) if stop in stops else -1 for stop in wanted]
        self.claim(
            "Tab goes through everything in the order of reading", -1 not in places and places == sorted(places), stops
        )
        self.claim("the focus is visible everywhere", not unseen, unseen)
        before = visitor.text("#status")
        visitor.page.focus(OUTAGE + " button.alarm")
        visitor.page.keyboard.press("Enter")
        self.claim("Enter shows an alarm's place", visitor.soon(lambda: visitor.text("#status") != before))
        visitor.page.focus('#severities [data-severity="minor"]')
        visitor.page.keyboard.press("Space")
        self.claim(
            "Space switches a severity off",
            visitor.page.locator('#alarm-list > li[data-severity="minor"]').count() == 0,
        )
        visitor.page.keyboard.press("Space")
        self.calm(visitor, "the keyboard alone")

    def french(self, visitor):
        visitor.page.click("#language")
        words = [
            visitor.text(selector)
            for selector in ("#logout", "#alarms-title", "#fit", "#legend", "#alarm-list", "#clock-note")
        ]
        self.claim(
            "everything is said in French",
            visitor.page.get_attribute("html", "lang") == "fr"
            and words[0] == "Se déconnecter"
            and words[1] == "Alarmes"
            and "pas de service" in words[4]
            and "enregistrement" in words[5],
            words,
        )
        english = [
            word
            for word in ("Download", "no service", "alarm of", "Log out", " ago")
            if any(word in text for text in words)
        ]
        self.claim("no English is left", not english, english)
        self.shot(visitor, "french")
        visitor.page.click("#language")
        self.claim("and back", visitor.text("#logout") == "Log out")
        self.calm(visitor, "changing the language")
