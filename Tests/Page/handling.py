"""What contacts do to an alarm on the page: take, hand over, comment, shelve and clear it, and look how it went."""

import json
import time
import urllib.request

from claims import Claims
from visitor import Visitor

ALARM = '#alarm-list > li:has-text("emergency reported")'
ACTS = ["acknowledge", "handover", "comment", "shelve", "clear", "useful", "useless"]


class Handling(Claims):
    def handling(self, visitor):
        """An emergency that a phone reports now, and three people: who has the page open, a colleague, one who looks."""
        visitor.go("#/now")
        colleague = self.contact("ann", "engineer")
        self.report_emergency()
        self.claim("an alarm raised now comes into the list", visitor.shows(ALARM, 20), visitor.text("#view"))
        self.choose_alarm(visitor)
        self.take(visitor)
        self.say(visitor)
        self.hand_over(visitor, colleague)
        self.filters(visitor, colleague)
        self.refusals(colleague)
        self.shelve(colleague)
        self.by_keyboard(colleague)
        self.handling_in_french(colleague)
        self.only_looks()
        self.clear(visitor, colleague)
        self.history(visitor)
        self.several(visitor, colleague)
        colleague.page.click("#logout")
        colleague.context.close()

    def contact(self, name, role):
        """Somebody else of the regulator, logged in on a screen of their own."""
        token = self.house.admin("contact", "add", "regulator", name, "--role", role)["token"]
        visitor = Visitor(self.browser, self.house.url)
        visitor.open()
        visitor.log_in(token)
        visitor.shows("#board")
        return visitor

    def report_emergency(self, latitude=9.3, longitude=13.39):
        url = f"http://{self.house.environment['NKUL_INGEST_HTTP']}/v1/"
        consent = {"measurement": True, "location_precise": True, "call_events": True}
        device = {"platform": "android", "app_version": "1.0", "policy_version": "1", "consent": consent}
        token = self.post(url + "devices", device)["token"]
        report = {"seq": 1, "captured_at_ms": int(time.time() * 1000), "latitude": latitude, "longitude": longitude}
        report |= {"accuracy_m": 12, "network_type": "LTE", "mcc": "624", "mnc": "01", "event": "emergency"}
        self.post(url + "reports", [report], {"Authorization": f"Bearer {token}"})

    def several(self, visitor, colleague):
        """Two emergencies more, both of which are taken, commented and handed over together, by keys."""
        page = visitor.page
        for latitude, longitude in ((4.578, 13.685), (2.9, 11.15)):
            self.report_emergency(latitude, longitude)
        both = [f'#alarm-list > li:has-text("{town}")' for town in ("Bertoua", "Ebolowa")]
        self.claim("two more come into the list", all(visitor.shows(each, 20) for each in both))
        page.check(both[0] + " .tick input")
        page.check(both[1] + " .tick input")
        self.claim("alarms that are ticked are shown together", visitor.shows('#alarm-title:has-text("2 alarms chosen")'))
        page.focus(both[1] + " button.alarm")
        page.keyboard.press("t")
        taken = visitor.soon(lambda: all(page.is_visible(each + " .tag.owner") for each in both))
        self.claim("a key takes them both", taken, visitor.text("#alarm"))
        page.keyboard.press("c")
        visitor.shows('#alarm-form [name="text"]')
        page.keyboard.type("=cmd|' /C calc'!A0")
        page.keyboard.press("Enter")
        said = visitor.soon(lambda: "Comment: 2 / 2 done" in visitor.text("#alarm-answer"))
        self.claim("a comment is said to both, and how many took it", said, visitor.text("#alarm"))
        self.shot(visitor, "alarms-together")
        page.keyboard.press("Escape")
        self.report_emergency(2.938, 9.91)
        third = '#alarm-list > li:has-text("Kribi")'
        self.claim("and a third", visitor.shows(third, 20))
        self.take_and_tell(visitor, colleague, third)
        page.click("#alarm-close")
        self.calm(visitor, "several alarms at once")

    @staticmethod
    def post(url, body, headers=None):
        headers = {"Content-Type": "application/json", **(headers or {})}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    @staticmethod
    def acts(visitor):
        return visitor.page.eval_on_selector_all("#alarm-acts button", "all => all.map((each) => each.dataset.act)")

    @staticmethod
    def press(visitor, name):
        """Presses the button of an act, once the one before is decided."""
        visitor.page.wait_for_selector('#alarm-acts:not(:has([aria-disabled="true"]))')
        visitor.page.click(f'#alarm-acts [data-act="{name}"]')

    def act(self, visitor, name, **members):
        """Opens an act's form, fills it in and sends it."""
        self.press(visitor, name)
        if members:
            visitor.shows(f'#alarm-form [name="{next(iter(members))}"]')
        for member, value in members.items():
            field = f'#alarm-form [name="{member}"]'
            if visitor.page.eval_on_selector(field, "field => field.tagName") == "SELECT":
                visitor.page.select_option(field, value)
            else:
                visitor.page.fill(field, value)
        if visitor.page.is_visible("#alarm-form"):
            visitor.page.click('#alarm-form button[type="submit"]')

    def choose_alarm(self, visitor):
        visitor.page.click(ALARM + " button.alarm")
        self.claim(
            "an alarm that is chosen is shown with what can be done to it",
            self.stands(visitor, "Nobody has it") and self.acts(visitor) == ACTS,
            visitor.text("#alarm"),
        )
        self.shot(visitor, "alarm")

    def stands(self, visitor, text):
        return visitor.soon(lambda: text in visitor.text("#alarm-standing"))

    def take(self, visitor):
        self.act(visitor, "acknowledge", for_minutes="60")
        self.claim("it can be taken", self.stands(visitor, "regulator has it until"), visitor.text("#alarm"))
        self.claim("and the list says who has it", visitor.shows(ALARM + ':has-text("with\u00a0regulator")'))
        self.claim("what was done is said", visitor.soon(lambda: "Take: done" in visitor.text("#alarm-answer")))
        self.claim("and may be given back", self.acts(visitor)[0] == "unacknowledge", self.acts(visitor))

    def say(self, visitor):
        words = "Gendarmes are on the way <b>now</b> <img src=x onerror=alert(1)>"
        self.act(visitor, "comment", text=words)
        self.claim(
            "a comment stands there as it was written, by whom",
            visitor.soon(lambda: all(each in visitor.text("#alarm-comments") for each in (words, "regulator ·"))),
            visitor.text("#alarm"),
        )
        self.claim("and is nothing but text", visitor.page.locator("#alarm-comments b b, #alarm-comments img").count() == 0)

    def hand_over(self, visitor, colleague):
        self.press(visitor, "handover")
        visitor.shows('#alarm-form [name="to"]')
        offered = visitor.page.eval_on_selector_all("#alarm-form select option", "all => all.map((each) => each.value)")
        self.claim("it can be handed over to those who may have it", offered == ["ann"], offered)
        self.press(visitor, "handover")
        self.act(visitor, "handover", to="ann", note="my shift ends")
        self.claim("an offer is told", self.stands(visitor, "offers it to ann: my shift ends"), visitor.text("#alarm"))
        self.claim("it can be withdrawn", visitor.soon(lambda: "Withdraw the offer" in visitor.text("#alarm-acts")))
        colleague.page.select_option("#state", "offered")
        self.claim("the other finds what is offered", colleague.shows(ALARM) and self.count(colleague) == 1)
        colleague.page.click(ALARM + " button.alarm")
        self.act(colleague, "accept", for_minutes="480")
        self.claim("who accepts has it", self.stands(colleague, "ann has it until"), colleague.text("#alarm"))
        self.claim("the one who offered it sees that without asking", self.stands(visitor, "ann has it until"))
        self.shot(visitor, "alarm-handed-over")

    @staticmethod
    def count(visitor):
        return visitor.page.locator("#alarm-list > li:not(.divider)").count()

    def filters(self, visitor, colleague):
        colleague.page.select_option("#state", "")
        everything = self.count(colleague)
        colleague.page.select_option("#owner", "ann")
        self.claim("the list can be of one owner", self.count(colleague) == 1 and colleague.shows(ALARM))
        colleague.page.select_option("#owner", "")
        colleague.page.select_option("#state", "taken")
        self.claim("of what somebody has", self.count(colleague) == 1 and colleague.shows(ALARM))
        colleague.page.select_option("#state", "nobodys")
        self.claim("of what nobody has", not colleague.page.is_visible(ALARM))
        colleague.page.select_option("#state", "over")
        cleared = colleague.page.locator('#alarm-list > li[data-severity="cleared"]').count()
        self.claim("of what is over", 0 < cleared == self.count(colleague), self.count(colleague))
        colleague.page.select_option("#state", "")
        colleague.page.click('#severities [data-severity="critical"]')
        self.claim("and without a severity", not colleague.page.is_visible(ALARM))
        colleague.page.click('#severities [data-severity="critical"]')
        self.claim("or of all", self.count(colleague) == everything, everything)
        self.calm(visitor, "handing over")

    def refusals(self, visitor):
        """What the router refuses is said in words; a page that knows an older version of the alarm is made up."""

        def old(route):
            members = json.loads(route.request.post_data) | {"version": 0}
            route.continue_(post_data=json.dumps(members))

        visitor.page.route("**/v1/alarms/*/comment?wait=2", old)
        self.act(visitor, "comment", text="too late")
        self.claim(
            "what is refused is said in words",
            visitor.soon(lambda: "Comment: somebody else was quicker" in visitor.text("#alarm-answer")),
            visitor.text("#alarm-answer"),
        )
        self.claim("and the words are not lost", visitor.page.input_value('#alarm-form [name="text"]') == "too late")
        visitor.page.unroute("**/v1/alarms/*/comment?wait=2")
        visitor.page.click("#alarm-form button:has-text('Cancel')")
        visitor.page.route("**/v1/alarms/*/unacknowledge?wait=2", lambda route: route.abort())
        self.act(visitor, "unacknowledge")
        self.claim(
            "and so is a server that does not answer",
            visitor.soon(lambda: "does not answer" in visitor.text("#alarm-answer")),
            visitor.text("#alarm-answer"),
        )
        visitor.page.unroute("**/v1/alarms/*/unacknowledge?wait=2")
        told = visitor.taken_troubles()
        self.claim("nothing else was wrong", all("unacknowledge" in each for each in told), told)

    def shelve(self, visitor):
        self.press(visitor, "shelve")
        visitor.page.click('#alarm-form button[type="submit"]')
        self.claim("shelving asks for a reason", visitor.page.is_visible("#alarm-form"))
        visitor.page.fill('#alarm-form [name="reason"]', "known fault, masts are repaired")
        visitor.page.click('#alarm-form button[type="submit"]')
        self.claim("a shelved alarm leaves the list", visitor.soon(lambda: not visitor.page.is_visible(ALARM)))
        self.claim("and says why and until when", self.stands(visitor, "(ann): known fault"), visitor.text("#alarm"))
        visitor.page.select_option("#state", "shelved")
        self.claim("those that are shelved can be seen", visitor.shows(ALARM) and self.count(visitor) == 1)
        self.shot(visitor, "alarm-shelved")
        self.act(visitor, "unshelve")
        visitor.page.select_option("#state", "")
        self.claim("it comes back", visitor.shows(ALARM))
        self.calm(visitor, "shelving")

    def by_keyboard(self, visitor):
        page, keyboard = visitor.page, visitor.page.keyboard

        def focus():
            return page.evaluate("(({ dataset, id, name }) => dataset.act || id || name)(document.activeElement)")

        page.click("#alarm-close")
        self.claim("an alarm can be left", not page.is_visible("#alarm"))
        page.focus(ALARM + " button.alarm")
        keyboard.press("Enter")
        self.claim("Enter opens an alarm and goes there", visitor.soon(lambda: focus() == "alarm-title"), focus())
        stops = []
        while len(stops) < 8 and "comment" not in stops:
            keyboard.press("Tab")
            stops.append(focus())
        wanted = ["alarm-close", "unacknowledge", "handover", "comment"]
        self.claim("Tab goes through what can be done", stops == wanted, stops)
        keyboard.press("Enter")
        self.claim("a form begins at its first field", focus() == "text", focus())
        keyboard.type("by keyboard alone")
        keyboard.press("Enter")
        self.claim("Enter sends it", visitor.soon(lambda: "by keyboard alone" in visitor.text("#alarm-comments")))
        self.claim("the focus is where it was", visitor.soon(lambda: focus() == "comment"), focus())
        keyboard.press("Enter")
        keyboard.press("Escape")
        self.claim("Escape leaves the form", not page.is_visible("#alarm-form") and focus() == "comment", focus())
        keyboard.press("Escape")
        on_entry = "document.activeElement.matches('#alarm-list button.alarm')"
        self.claim("and then the alarm, back to the list", not page.is_visible("#alarm") and page.evaluate(on_entry))
        self.calm(visitor, "an alarm by keyboard")

    def handling_in_french(self, visitor):
        page = visitor.page
        page.click(ALARM + " button.alarm")
        page.click("#language")
        self.press(visitor, "shelve")
        said = visitor.text("#alarm") + visitor.text("#filters")
        wanted = ["s’en charge jusqu’à", "Commenter", "Mettre de côté", "Raison", "Pendant", "Annuler", "Historique"]
        wanted.append("À qui")
        missing = [word for word in wanted if word not in said]
        self.claim("an alarm and its forms are in French", not missing, f"{missing} in {said}")
        english = [word for word in ("Take", "has it", "Shelve", "Reason", "hour", "History", "Close") if word in said]
        self.claim("and not in English", not english, english)
        self.shot(visitor, "alarm-french")
        page.click("#language")
        self.claim("a form that is open changes its language", "Reason" in visitor.text("#alarm-form"))
        page.keyboard.press("Escape")
        page.click("#alarm-close")

    def only_looks(self):
        """Who may only look sees who has it and nothing to press."""
        viewer = self.contact("vera", "viewer")
        viewer.shows(ALARM)
        viewer.page.click(ALARM + " button.alarm")
        self.claim(
            "who may only look sees who has it and cannot do anything",
            self.stands(viewer, "ann has it until") and self.acts(viewer) == [],
            viewer.text("#alarm"),
        )
        viewer.page.set_viewport_size({"width": 360, "height": 740})
        self.claim("nothing of an alarm is cut off on a small screen", not viewer.overflows(), viewer.overflows())
        self.shot(viewer, "alarm-360", full_page=True)
        self.calm(viewer, "looking at an alarm")
        viewer.page.click("#logout")
        viewer.context.close()

    def clear(self, visitor, colleague):
        colleague.page.click(ALARM + " button.alarm")
        self.press(colleague, "clear")
        self.claim("clearing asks again", "ends for everybody" in colleague.text("#alarm-form"))
        colleague.page.click('#alarm-form button[type="submit"]')
        self.claim("who clears it is told", self.stands(colleague, "Cleared by hand by ann"), colleague.text("#alarm"))
        self.claim("it is over for others, too", self.stands(visitor, "Cleared by hand by ann"), visitor.text("#alarm"))
        self.claim("then it can only be commented", visitor.soon(lambda: self.acts(visitor) == ["comment", "useful", "useless"]))
        self.claim("the list says so", visitor.shows(ALARM + '[data-severity="cleared"]'))
        self.calm(colleague, "clearing")

    def history(self, visitor):
        told = ["Critical", "regulator: Take", "regulator: Comment “Gendarmes", "regulator: Hand over → ann"]
        told += ["ann: Accept", "(Comment: somebody else was quicker", "ann: Shelve", "ann: Unshelve", "ann: Clear"]

        def is_complete():
            said = visitor.text("#history-lines")
            places = [said.find(each) for each in told]
            return -1 not in places and places == sorted(places)

        is_told = visitor.soon(is_complete)
        self.claim("its history tells all in order, what failed too", is_told, visitor.text("#history-lines"))
        self.shot(visitor, "alarm-history")
        visitor.page.click("#alarm-close")
        self.calm(visitor, "handling an alarm")
