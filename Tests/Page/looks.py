"""How it looks, to whom: sizes, themes, colour-blind eyes, screen readers, browsers in other zones; and that an address says it all."""

import importlib.util
import pathlib

import answers
from choices import OUTAGE
from claims import Claims
from visitor import Visitor

VIEWS = ["#/now", "#/map?period=day", "#/trends?period=day&metric=latency_ms", "#/compare?period=day", "#/campaigns", "#/data", "#/settings?part=schedules", "#/engagement"]
CHOICES = ["#/map?period=day&at=4.6,10.6,8", "#/trends?period=day&metric=latency_ms", "#/compare?period=day&plmn=62401,62402", "#/engagement"]
FILTERS = {"q": "orange", "state": "over", "owner": "", "network": "62402", "place": "littoral", "rule": "built-in.no_service"}


class Looks(Claims):
    def screens(self):
        """Four sizes, both themes, both languages; at 1280 pixels every view, by axe, too. Campaigns are made up: a day of the home has one alone."""
        axe = self.axe()
        for width, height in ((360, 740), (1280, 800), (1920, 1080), (3840, 2160)):
            for dark in (False, True):
                name = f"{width}-{'dark' if dark else 'light'}"
                visitor = Visitor(self.browser, self.house.url, width, height, dark, "fr-FR" if dark else "en-GB")
                visitor.context.route("**/v1/campaigns*", lambda route: route.fulfill(body=answers.campaigns(route.request.url), content_type="application/json"))
                visitor.open()
                narrow, faults = visitor.overflows(), self.violations(visitor, axe, "log-in") if axe else []
                visitor.log_in(self.house.token)
                visitor.shows("#alarm-list > li")
                for view in {360: VIEWS[:7], 1280: VIEWS}.get(width, VIEWS[:5]):
                    visitor.go(view)
                    visitor.settles()
                    self.shot(visitor, f"{view[2:].split('?')[0]}-{name}", full_page=width < 900)
                    narrow += [f"{view}: {each}" for each in visitor.overflows()]
                    faults += self.violations(visitor, axe, view) if axe and width == 1280 else []
                self.claim(f"nothing is cut off at {name}", not narrow, narrow)
                if axe and width == 1280:
                    self.claim(f"axe finds nothing serious at {name}", not faults, faults)
                self.calm(visitor, f"at {name}")
                visitor.context.close()

    def colours(self, visitor):
        """Lightness alone orders the colours of the map, and its ends are far apart to eyes that see no green."""
        shades = visitor.page.evaluate(
            """async () => {
            const { colour } = await import("/map/palette.js");
            return [1000, 2500, 5000, 7500, 10000, 30000, 100000].map((value) => colour("download_kbps", value).match(/\\d+/g).map(Number));
        }"""
        )
        seen = [self.lab(self.deuteranopia(shade)) for shade in shades]
        distance = sum((a - b) ** 2 for a, b in zip(seen[0], seen[-1])) ** 0.5
        print(f"    ΔE between the ends under deuteranopia: {distance:.0f}", flush=True)
        self.claim("best and worst are ΔE 40 apart under deuteranopia", distance >= 40, distance)
        lightness = [self.lab(shade)[0] for shade in shades]
        steps = [after - before for before, after in zip(lightness, lightness[1:])]
        self.claim("lightness alone orders the colours", all(step > 2 for step in steps), lightness)

    @staticmethod
    def deuteranopia(shade):
        """Machado, Oliveira and Fernandes 2009, severity 1, on linear light."""
        linear = [(c / 255 / 12.92) if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in shade]
        matrix = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
        found = [max(0, min(1, sum(m * c for m, c in zip(row, linear)))) for row in matrix]
        return [255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055) for c in found]

    @staticmethod
    def lab(shade):
        """CIE L*a*b* under D65."""
        r, g, b = [(c / 255 / 12.92) if c <= 10.3 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in shade]
        x, y, z = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047, 0.2126 * r + 0.7152 * g + 0.0722 * b, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
        f = [t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z)]
        return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])

    def filters_survive(self, visitor):
        """Every filter stands in the address, and another person who gets the link sees the same."""
        page = visitor.page
        visitor.go("#/now")
        visitor.shows(OUTAGE)
        visitor.soon(lambda: page.locator('#place option[value="littoral"]').count() == 1)
        for name, value in FILTERS.items():
            if name == "q":
                page.fill("#q", value)
            elif value:
                page.select_option(f"#{name}", value)
        page.click('#severities [data-severity="cleared"]')
        page.click('#severities [data-severity="cleared"]')
        listed = page.locator("#alarm-list > li .what").all_inner_texts()
        page.reload()
        visitor.shows("#alarm-list > li")
        other = Visitor(self.browser, page.url, zone="Pacific/Auckland")
        other.open()
        other.log_in(self.house.token)
        for who, one in (("a reload", visitor), ("another person with the link", other)):
            one.shows("#alarm-list > li")
            one.soon(lambda one=one: one.page.input_value("#place") == "littoral")
            kept = {name: one.page.input_value(f"#{name}") for name in FILTERS}
            again = one.page.locator("#alarm-list > li .what").all_inner_texts()
            self.claim(f"{who} has every filter and the same list", kept == FILTERS and again == listed and len(listed) == 1, f"{kept} {again}")
        self.same_day(visitor, other)
        self.calm(other, "the same link in another zone")
        other.context.close()
        visitor.go("#/now")

    def controls_survive(self, visitor):
        """Each control of each view stands in the address: a reload keeps it, the way back takes back one after the other, the way forward chooses them again."""
        page = visitor.page
        there = """() => Object.fromEntries([...document.querySelectorAll("#pickers select, #pickers input[type=number]")]
            .filter(({ id, options }) => id && id !== "figures" && options?.length !== 1).map(({ id, value }) => [id, value]))"""
        last = "(id) => [...document.getElementById(id).options].map(({ value }) => value).filter((each) => each !== 'custom' && each !== document.getElementById(id).value).at(-1)"
        for view in CHOICES:
            visitor.go(view)
            visitor.settles()
            if view != "#/engagement":
                visitor.soon(lambda: page.locator('#place option[value="littoral"], #places option').count() > 0)
            first = page.evaluate(there)
            for name in first:
                if name == "below":
                    page.fill("#below", "3")
                    page.press("#below", "Tab")
                else:
                    page.select_option(f"#{name}", page.evaluate(last, name))
            chosen = page.evaluate(there)
            self.claim(f"each of {len(first)} controls of {view} can be chosen", len(first) > 1 and all(chosen[name] != first[name] for name in first), f"{first} {chosen}")
            page.reload()
            kept = visitor.soon(lambda chosen=chosen: page.evaluate(there) == chosen)
            self.claim(f"and a reload keeps them in {view}", kept, page.evaluate(there))
            for _ in first:
                page.go_back()
            self.claim(f"the way back takes them back in {view}", visitor.soon(lambda first=first: page.evaluate(there) == first), page.evaluate(there))
            for _ in first:
                page.go_forward()
            self.claim(f"and the way forward chooses them again in {view}", visitor.soon(lambda chosen=chosen: page.evaluate(there) == chosen), page.evaluate(there))
        visitor.go("#/now")
        visitor.settles()
        self.calm(visitor, "every control")

    def same_day(self, one, other):
        """Browsers in New York and Auckland show the home's day."""
        told = []
        for each in (one, other):
            each.go("#/trends?metric=latency_ms&period=custom&from=2026-01-01T00:00&to=2026-01-02T00:00&bucket=hour&plmn=62401")
            each.soon(lambda each=each: each.page.locator(".chart-legend li").count() == 1 and "Jan" in each.text("#trend-title"))
            each.page.click(".chart-rows summary")
            each.shows(".chart-rows tbody tr")
            told.append((each.page.input_value("#from"), each.text("#trend-title").split("·")[2], each.page.locator(".chart-rows tbody tr td:first-child").all_inner_texts()))
        self.claim("two browsers in different zones show the same day", told[0] == told[1] and len(told[0][2]) == 24, told)
        # Without measurements every hour is a gap.
        values = one.page.locator(".chart-rows tbody tr td:nth-child(3)").all_inner_texts()
        self.claim("what was not measured is a gap", set(values) == {"–"}, values)
        runs = one.page.evaluate("async () => { const { runs } = await import('/chart/paint.js'); return runs([1, 2, null, 3].map((value) => ({ value }))).map((run) => run.length); }")
        self.claim("a line ends at a gap and begins anew", runs == [2, 1], runs)
        thinned = one.page.evaluate("""async () => {
            const { thinned } = await import("/chart/paint.js"), place = { x: (at) => at / 100 };
            const points = Array.from({ length: 1000 }, (_, from) => ({ from, to: from + 1, value: from === 503 ? 99 : from === 731 ? -99 : from % 7 }));
            return [thinned(points, place), thinned(points.slice(0, 9), { x: (at) => at })].map((kept) => kept.map(({ from }) => from));
        }""")
        few = thinned[0] == sorted(set(thinned[0])) and len(thinned[0]) <= 41 and {0, 503, 731, 999} <= set(thinned[0])
        self.claim("of points that share a column of pixels each end and extreme is drawn", few and thinned[1] == list(range(9)), thinned)

    def zoom(self, visitor):
        """Whoever zooms has the server count anew; nothing is averaged in the browser."""
        page, asked = visitor.page, []
        visitor.go("#/trends?metric=latency_ms&period=day&plmn=62401")
        visitor.soon(lambda: page.locator(".chart-legend li").count() == 1)
        page.on("request", lambda request: asked.append(request.url) if "/v1/kpis" in request.url else None)
        box = page.locator(".chart-canvas").bounding_box()
        page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 80)
        self.claim("the pointer says what a point is", visitor.shows(".chart-tip:visible"))
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 80, steps=4)
        page.mouse.up()
        finer = visitor.soon(lambda: any("bucket=5min" in url for url in asked))
        self.claim("zooming asks the server for finer buckets", finer and "period=custom" in page.url, asked)
        page.click("#zoom-out")
        self.claim("and back", visitor.soon(lambda: "period=day" in page.url and "from=" not in page.url), page.url)
        page.focus(".chart-canvas")
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        said = page.evaluate("document.querySelector('.chart [aria-live]').textContent")
        self.claim("the arrows say points to those who do not see them", "MTN" in said, said)
        self.calm(visitor, "zooming")

    def axe(self):
        """What axe-core is, as a script; None where it is not installed, which is said."""
        found = importlib.util.find_spec("axe_playwright_python")
        if found is not None:
            return next(pathlib.Path(found.origin).parent.rglob("axe.min.js")).read_text()
        print('    axe is missing, so that was not checked; "make setup-page" installs axe-playwright-python', flush=True)
        return None

    @staticmethod
    def violations(visitor, script, view):
        """What axe takes for serious or critical in what is shown."""
        visitor.page.evaluate(script)
        # What fades in has less contrast than what is there.
        visitor.page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished.catch(() => null))).then(() => null)")
        ask = "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)"
        serious = [each for each in visitor.page.evaluate(ask) if each["impact"] in ("serious", "critical")]
        return [f"{view}: {each['id']} {[node['target'] for node in each['nodes']][:3]}" for each in serious]
