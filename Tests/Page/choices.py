"""What visitors choose: an alarm's place on the map, figures, a period, another language, the keyboard alone."""

import csv
import gzip
import pathlib

from claims import Claims

OUTAGE = '#alarm-list > li:has-text("Orange · no service"):has-text("Douala")'
SEVERITIES = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]


class Choices(Claims):
    def choose(self, visitor):
        page = visitor.page
        visitor.go("#/now")
        page.click(OUTAGE + " button.alarm")
        page.click("#alarm-links a:has-text('map')")
        self.claim(
            "an alarm shows its place on the map",
            visitor.soon(lambda: "at=4.0" in page.url or "at=3.9" in page.url or "at=4.1" in page.url),
            page.url,
        )
        self.shot(visitor, "douala")
        page.select_option("#plmn", "62402")
        page.select_option("#metric", "rsrp_dbm")
        page.select_option("#technology", "4G")
        self.claim("the legend is that of the metric", visitor.shows('#legend:has-text("RSRP")'))
        self.claim(
            "the choice stands in the address, the token does not",
            all(each in page.url for each in ("metric=rsrp_dbm", "plmn=62402", "technology=4G"))
            and self.house.token not in page.url,
            page.url,
        )
        page.go_back()
        self.claim("the way back takes a choice back", visitor.soon(lambda: page.input_value("#technology") == ""))
        page.go_forward()
        self.claim("and the way forward chooses it again", visitor.soon(lambda: page.input_value("#technology") == "4G"))
        page.select_option("#period", "custom")
        page.fill("#from", "2020-01-01T00:00")
        page.fill("#to", "2020-01-02T00:00")
        page.dispatch_event("#from", "change")
        page.dispatch_event("#to", "change")
        self.claim("a period without measurements says so", visitor.shows("#empty"))
        page.click("#widen")
        self.claim("and offers a longer one", visitor.soon(lambda: not page.is_visible("#empty")))
        page.reload()
        self.claim(
            "a reload keeps session and choice",
            visitor.shows("#map") and visitor.soon(lambda: page.input_value("#plmn") == "62402"),
        )
        page.click("#table summary")
        self.claim("the cells are a table too", visitor.shows("#rows tr"))
        self.shot(visitor, "table")
        page.click("#table summary")
        self.calm(visitor, "choosing")

    def places(self, visitor):
        """A region that is searched, and an area that is drawn, have figures with intervals."""
        page = visitor.page
        visitor.go("#/map?period=day&metric=latency_ms")
        page.fill("#place-search", "littoral")
        page.press("#place-search", "Enter")
        self.claim("a region is found by its name", visitor.shows('#area:has-text("Littoral")'), page.url)
        named = visitor.soon(lambda: "MTN" in visitor.text("#area") and "95 %" in visitor.text("#area"))
        self.claim("and has figures with intervals", named, visitor.text("#area"))
        # The part that is seen stands in the address once the map has come to rest.
        visitor.soon(lambda: "at=" in page.url and page.locator(".leaflet-zoom-anim").count() == 0)
        page.click("#draw")
        box = page.locator("#map").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.3)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.7, steps=5)
        page.mouse.up()
        self.claim("an area can be drawn", visitor.soon(lambda: "area=" in page.url), page.url)
        self.claim("and has figures", visitor.shows('#area:has-text("Drawn area") tbody tr'))
        self.shot(visitor, "area")
        visitor.go("#/map?period=day&metric=latency_ms&quantile=0.95&below=100")
        self.claim("quantile and threshold can be chosen", visitor.shows('#legend:has-text("share below 100")'))
        asked = "performance.getEntriesByType('resource').some(({ name }) => name.includes('quantile=0.95') && name.includes('below=100'))"
        self.claim("and are the server's to count", visitor.soon(lambda: page.evaluate(asked)))
        for place in ("extreme-nord", "douala"):
            visitor.go(f"#/map?period=day&place={place}")
            visitor.soon(lambda: page.locator(".leaflet-zoom-anim").count() > 0, 2)
            visitor.go("#/now")
            visitor.settles()
            visitor.go("#/map?period=day")
            visitor.settles()
        self.calm(visitor, "places on the map")

    def download(self, visitor):
        visitor.go("#/data?period=day&plmn=62402")
        visitor.shows("#rows-csv")
        with visitor.page.expect_download() as begun:
            visitor.page.click("#rows-csv")
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
        page, keys = visitor.page, visitor.page.keyboard
        page.goto("about:blank")
        visitor.open("#/now")
        visitor.shows(OUTAGE)
        stops, unseen = visitor.tab_stops()
        wanted = ["skip", "sound", "help-button", "theme", "language", "logout", "now", "map", "trends", "compare"]
        # Of the severities there is a switch for what there is an alarm of; alarms end.
        wanted += [next((severity for severity in SEVERITIES if severity in stops), "a severity")]
        wanted += ["q", "state", "owner", "network", "place", "rule", "alarm"]
        places = [stops.index(stop) if stop in stops else -1 for stop in wanted]
        self.claim("Tab goes through everything in the order of reading", -1 not in places and places == sorted(places), stops)
        self.claim("the focus is visible everywhere", not unseen, unseen)
        page.evaluate("document.activeElement.blur()")
        keys.press("?")
        self.claim("? lists the keys", visitor.shows("#help kbd"))
        self.shot(visitor, "keys")
        keys.press("Escape")
        for key, view in (("m", "map"), ("t", "trends"), ("c", "compare"), ("d", "data"), ("o", "settings"), ("n", "now")):
            keys.press("g")
            keys.press(key)
            arrived = visitor.soon(lambda view=view: page.evaluate("document.body.dataset.view") == view)
            self.claim(f"g {key} leads to {view}", arrived, page.url)
        visitor.shows(OUTAGE)
        keys.press("/")
        keys.type("orange douala service")
        self.claim("/ searches", visitor.soon(lambda: page.locator("#alarm-list > li:not(.divider)").count() == 1))
        keys.press("Escape")
        keys.press("j")
        keys.press("x")
        self.claim("x chooses an alarm", visitor.shows('#alarm-title:has-text("no service")'), visitor.text("#alarm"))
        keys.press("Escape")
        page.click("#clear-filters")
        page.focus('#severities [data-severity="cleared"]')
        keys.press("Space")
        self.claim("Space switches a severity off", page.locator('#alarm-list > li[data-severity="cleared"]').count() == 0)
        keys.press("Space")
        self.calm(visitor, "the keyboard alone")

    def french(self, visitor):
        page = visitor.page
        visitor.go("#/now")
        visitor.shows(OUTAGE)
        page.click("#language")
        words = [visitor.text(each) for each in ("#logout", "#views", "#alarm-list", "#clock-note", "#filters")]
        self.claim(
            "everything is said in French",
            page.get_attribute("html", "lang") == "fr"
            and words[0] == "Se déconnecter"
            and "Réglages" in words[1]
            and "pas de service" in words[2]
            and "enregistrement" in words[3],
            words,
        )
        english = [word for word in ("no service", "Log out", " ago", "Search") if any(word in text for text in words)]
        for view in ("map", "trends", "compare", "data", "settings", "engagement"):
            visitor.go(f"#/{view}")
            visitor.soon(lambda view=view: page.evaluate("document.body.dataset.view") == view)
            said = visitor.text("#view")
            english += [f"{view}: {word}" for word in ("Operator", "Period", "devices", "Download", "as of") if word in said]
        self.claim("no English is left", not english, english)
        self.shot(visitor, "french")
        page.click("#language")
        self.claim("and back", visitor.text("#logout") == "Log out")
        self.calm(visitor, "changing the language")
