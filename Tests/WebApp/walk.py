"""The walk of a subscriber through the app: UC-002 first, then UC-001, then what is theirs by right."""

import hashlib
import json
import pathlib
import re
import time
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from claims import Claims
from closings import close_by_force, compare
from older import meets_an_older_app
from beginnings import begins_badly
from passkeys import uses_a_passkey
from person import Person, rows
from questions import is_asked
from playwright.sync_api import sync_playwright

PURPOSES = ["measurement", "location_precise", "location_coarse", "call_events", "rewards", "operator_sharing", "research", "standings"]
DOUALA = {"latitude": 4.0511, "longitude": 9.7679, "accuracy": 20}
WORDS = pathlib.Path(__file__).resolve().parents[2] / "Services/Ingest/WebApp/words/english.js"


class Walk(Claims):
    def __init__(self, house, chromium, pictures, directory):
        super().__init__(house, chromium, pictures, None, 0)
        self.url = "http://" + house.environment["NKUL_INGEST_HTTP"] + "/"
        self.metrics = house.environment["NKUL_ADMIN_INGEST"]
        self.directory = directory

    def run(self):
        with sync_playwright() as playwright:
            self.playwright = playwright
            self.person = self.arrive("amina", geolocation=DOUALA, permissions=["geolocation"])
            self.begins()
            self.answers()
            self.loses_the_network()
            self.is_closed_without_warning()
            self.loses_an_answer()
            close_by_force(self)
            self.uses_the_keyboard()
            self.measures_speed()
            self.looks_around()
            self.is_refused_in_part()
            self.has_rights()
            self.person.context.close()
            self.begins_in_french()
            self.is_quick()
            begins_badly(self)
            meets_an_older_app(self)
            uses_a_passkey(self)
            is_asked(self)
        self.reads_easily()
        return self.failures

    def arrive(self, name, url=None, **more):
        return Person(self.playwright, self.chromium, self.directory / name, url or self.url, **more)

    def accepted(self):
        return rows(self.metrics, "accepted")

    def peek(self, name, person=None):
        (person or self.person).page.screenshot(path=str(self.pictures / f"{name}.png"), full_page=True)

    # MARK: UC-002

    def begins(self):
        person = self.person
        person.open()
        policy = json.load(urllib.request.urlopen(self.url + "v1/policy?lang=en"))
        shown = person.page.text_content(".policy")
        self.claim("UC-002 1: the policy is shown, and its hash is that of the text",
                   shown == policy["text"] and hashlib.sha256(shown.encode()).hexdigest() == policy["sha256"]
                   and policy["sha256"] in person.text("#welcome-body"))
        self.peek("welcome-policy")
        person.tap("#next")
        person.tap("#next")
        self.claim("UC-002 2: nobody goes on without an age", person.says("Say how old you are"))
        person.page.check("input[value=under_16]")
        person.tap("#next")
        self.claim("UC-002 2a: a child needs a guardian", person.says("parent or guardian must agree"))
        person.page.check("input[value='18+']")
        self.peek("welcome-age")
        person.tap("#next")
        boxes = person.page.query_selector_all("#welcome-body input[type=checkbox]")
        self.claim("UC-002 3: every purpose is asked for, and all are off",
                   len(boxes) == len(PURPOSES) and not any(box.is_checked() for box in boxes))
        person.tap("#next")
        self.claim("UC-002 3a: without measuring there is nothing to take part in", person.says("Without measuring"))
        for purpose in ["measurement", "location_precise", "rewards"]:
            person.page.check(f"#allow-{purpose}")
        self.peek("welcome-consent")
        person.tap("#next")
        person.page.wait_for_selector("#sim")
        person.tap("#back")
        person.page.wait_for_selector("#allow-measurement")
        self.claim("UC-002: one step back, what was chosen is still chosen", person.page.is_checked("#allow-rewards"))
        person.tap("#next")
        person.page.select_option("#sim", label="MTN")
        self.peek("welcome-operator")
        person.tap("#next")
        person.tap("#place-ask")
        self.claim("UC-002 4: the browser is asked for the place", person.says("With your place"))
        self.peek("welcome-place")
        person.tap("#next")
        person.page.wait_for_selector("#stars:visible")
        told = person.page.evaluate(
            "nkul.store.get('token').then((token) => fetch('/v1/me/consent', {headers: {Authorization: `Bearer ${token}`}}))"
            ".then((answer) => answer.json())")
        allowed = [name for name, value in told["consent"].items() if value]
        self.claim("UC-002 5: the server knows what was allowed, and of which text",
                   sorted(allowed) == ["location_precise", "measurement", "rewards"]
                   and told["policy_version"] == policy["version"], told)
        self.calm(person, "the welcome")

    # MARK: UC-001

    def answers(self):
        person, before = self.person, self.accepted()
        person.controlled()
        self.peek("home")
        person.soon(lambda: "With your place" in person.text("#place"))
        person.taps, began = 0, time.monotonic()
        person.tap("#stars button:nth-child(4)")
        self.peek("home-stars")
        person.tap("#send")
        self.claim("UC-001: an answer is two taps", person.says("Your answer is in") and person.taps == 2)
        self.claim("UC-001: it takes less than 10 seconds", time.monotonic() - began < 10)
        self.claim("UC-001: it is with the server", self.accepted() == before + 1)
        person.taps = 0
        person.tap("#stars button:nth-child(2)")
        person.tap("#faces button:nth-child(1)")
        person.page.fill("#comment", "Slow again 👩🏽‍🚒")
        self.claim("UC-001: a comment is counted as people count", "12 of 50" in person.text("#comment-count"),
                   person.text("#comment-count"))
        person.tap("#send")
        self.claim("UC-001: with a face it is three taps", person.says("Your answer is in") and person.taps == 3)
        person.tap("#stars button:nth-child(3)")
        person.page.fill("#comment", "x" * 51)
        self.claim("UC-001: what is too long is said, and not sent", person.page.is_disabled("#send"))
        person.tap("#cancel")
        person.taps = 0
        person.tap("#emergency-ask")
        person.tap("#emergency-send")
        self.claim("UC-001 3: an emergency is two taps, at any time",
                   person.says("emergency is reported") and person.taps == 2)
        self.claim("UC-001: all of it counts once", self.accepted() == before + 3)
        self.calm(person, "answers")

    # MARK: NFR-005

    def loses_the_network(self):
        person, before = self.person, self.accepted()
        person.context.set_offline(True)
        for star in [1, 2, 3]:
            person.tap(f"#stars button:nth-child({star})")
            person.tap("#send")
            person.soon(lambda: not person.page.is_visible("#details"))
        self.claim("NFR-005: without network an answer is kept, and it is said", person.says("goes out by itself"))
        self.claim('NFR-005: "3 unsent" is to be seen', person.soon(lambda: person.unsent() == "3 unsent"), person.unsent())
        self.peek("home-offline")
        person.page.reload()
        person.page.wait_for_selector("#stars:visible")
        self.claim("NFR-005: the app opens without network, and has lost nothing",
                   person.soon(lambda: person.unsent() == "3 unsent"), person.unsent())
        person.page.wait_for_timeout(15_000)
        person.context.set_offline(False)
        self.claim("NFR-005: after 15 seconds without network all of it goes out by itself",
                   person.soon(lambda: not person.unsent(), 20) and self.accepted() == before + 3, self.accepted() - before)
        person.taken_troubles()

    def is_closed_without_warning(self):
        person, before = self.person, self.accepted()
        person.context.set_offline(True)
        for _ in range(2):
            person.tap("#stars button:nth-child(5)")
            person.tap("#send")
            person.soon(lambda: not person.page.is_visible("#details"))
        person.context.close()
        person.start()
        person.open()
        self.claim("NFR-009: what was kept outlives the browser, and goes out when it is opened",
                   person.soon(lambda: self.accepted() == before + 2, 20), self.accepted() - before)
        person.taken_troubles()

    def loses_an_answer(self):
        """The server commits and its answer is lost: sent again, it counts once."""
        person, before, lost = self.person, self.accepted(), []

        def lose(route):
            route.fetch()
            lost.append(route.request.post_data)
            route.abort()

        person.page.route("**/v1/feedback", lose)
        person.tap("#stars button:nth-child(4)")
        person.tap("#send")
        self.claim("a lost receipt leaves the answer unsent", person.soon(lambda: lost and person.unsent() == "1 unsent"))
        person.page.unroute("**/v1/feedback")
        person.tap("#unsent")
        self.claim("sent again it counts once", person.soon(lambda: not person.unsent())
                   and self.accepted() == before + 1, self.accepted() - before)
        person.taken_troubles()

    # MARK: everybody

    def uses_the_keyboard(self):
        person, before = self.person, self.accepted()
        person.open()
        person.page.focus("#stars button:nth-child(1)")
        for key in ["Tab", "Tab", "Enter"]:
            person.page.keyboard.press(key)
        person.page.focus("#comment")
        person.page.keyboard.type("by keyboard")
        person.page.keyboard.press("Enter")
        self.claim("an answer needs no pointer", person.says("Your answer is in") and self.accepted() == before + 1)

    def bytes_of_tests(self):
        with urllib.request.urlopen(f"http://{self.metrics}/metrics") as answer:
            return int(re.search(r"^nkul_ingest_speed_test_bytes_total (\d+)", answer.read().decode(), re.M)[1])

    # MARK: FR-012

    def measures_speed(self):
        person, before, moved = self.person, rows(self.metrics, "accepted", "report"), self.bytes_of_tests()
        person.open("#speed")
        person.page.wait_for_selector("#test-start")
        self.claim("FR-012: what a test may take is shown before it, and nothing has begun",
                   "At most 2 MB" in person.text("#speed") and person.page.is_checked("#budget-10000000")
                   and self.bytes_of_tests() == moved)
        person.page.check("#budget-2000000")
        person.taps = 0
        person.tap("#test-start")
        self.claim("FR-012: a test is one tap", person.soon(lambda: person.page.is_visible("#test-result"), 60)
                   and person.taps == 1, person.text("#speed"))
        self.peek("speed-result")
        shown = person.text("#test-result")
        self.claim("FR-012: speed both ways, latency idle and loaded, jitter", all(
            name in shown for name in ["Download", "Upload", "Latency", "while it gets data", "Jitter", "Taken"]), shown)
        taken = self.bytes_of_tests() - moved
        self.claim("FR-012: it took what it was given, and no more", 1_000_000 < taken <= 2_000_000, taken)
        self.claim("FR-012: the result is a report, and it is with the server", person.says("What was measured is in")
                   and person.soon(lambda: rows(self.metrics, "accepted", "report") == before + 1), person.text("#notice"))
        person.page.check("#budget-50000000")
        person.tap("#test-start")
        person.page.wait_for_selector("#test-stop:visible")
        person.tap("#test-stop")
        self.claim("FR-012: a test that is stopped leaves nothing", person.says("was stopped")
                   and rows(self.metrics, "accepted", "report") == before + 1)
        person.context.set_offline(True)
        person.tap("#test-start")
        self.claim("FR-012: without network it says so", person.says("There is no network"))
        person.context.set_offline(False)
        person.taken_troubles()

    def looks_around(self):
        person = self.person
        for width, dark in [(320, False), (390, True)]:
            person.page.set_viewport_size({"width": width, "height": 700})
            person.page.emulate_media(color_scheme="dark" if dark else "light")
            for language in ["en", "fr"]:
                for page in ["home", "speed", "rewards", "privacy"]:
                    person.open(f"#{page}")
                    person.soon(lambda: person.page.evaluate(f"!document.getElementById('{page}').hidden"))
                    if page == "home":
                        person.tap("#stars button:nth-child(2)")
                    else:
                        person.page.wait_for_selector(f"#{page}-body .card")
                    name = f"{page}-{language}-{width}{'-dark' if dark else ''}"
                    self.peek(name)
                    self.claim(f"{name} is no wider than the screen", person.width_beyond() <= 0, person.width_beyond())
                    self.has_no_fault(name)
                person.tap("#language")
        person.page.emulate_media(color_scheme="light")
        person.page.set_viewport_size({"width": 390, "height": 780})
        self.calm(person, "a look at every page")

    def is_refused_in_part(self):
        """Four calls bring the page "Rewards": what one of them does not tell, the others do."""
        person, problem = self.person, json.dumps({"type": "urn:nkul:problem:busy", "title": "busy", "detail": "come again"})
        for call, title in [("rewards", "balance"), ("impact", "impact"), ("progress", "streak"), ("standings", "standings")]:
            person.page.route(f"**/v1/**/{call}*", lambda route: route.fulfill(
                status=503, content_type="application/problem+json", body=problem))
            person.open("#home")
            person.open("#rewards")
            shown = "[...document.querySelectorAll('#rewards-body .card')].map((card) => card.textContent)"
            title = person.page.evaluate(f"import('/words.js').then((words) => words.word('{title}'))")
            # What the page had before is to be seen until it has asked again.
            person.soon(lambda: any("come again" in card and title in card for card in person.page.evaluate(shown)))
            cards = person.page.evaluate(shown)
            refused = [card for card in cards if "come again" in card]
            self.claim(f'what "{call}" does not tell is said, and the rest is shown',
                       len(refused) == 1 and title in refused[0] and len(cards) >= 5, cards)
            person.page.unroute(f"**/v1/**/{call}*")
        person.taken_troubles()

    def has_no_fault(self, name, person=None):
        found = Axe().run((person or self.person).page).response["violations"]
        serious = [f"{each['id']}: {[node['target'] for node in each['nodes']][:3]}" for each in found
                   if each["impact"] in ("serious", "critical")]
        self.claim(f"axe finds no serious fault: {name}", not serious, "; ".join(serious))

    # MARK: rights

    def has_rights(self):
        person = self.person
        person.open("#privacy")
        person.page.wait_for_selector("#allow-operator_sharing")
        person.page.check("#allow-operator_sharing")
        person.tap("#consents .row button")
        self.claim("FR-008.1: a consent is changed on the page", person.says("holds from now on"))
        person.tap("#key .row button")
        person.page.wait_for_selector("#key .code")
        self.sends_with_the_key(person.text("#key .code"))
        self.takes_a_copy()
        person.taps = 0
        person.tap("#erase .row:not([hidden]) button")
        person.tap("#erase .row:not([hidden]) button")
        self.claim("FR-008.2: an erasure is asked for in two taps", person.soon(
            lambda: person.page.is_visible("#erasure")) and person.taps == 2)
        self.claim("FR-008.2: it is done, and every service has signed",
                   person.soon(lambda: "State: done" in person.text("#privacy"), 90)
                   and person.text("#privacy").count("The signature is right") == 7, person.text("#privacy"))
        self.peek("erased")
        self.has_no_fault("erasure")
        person.tap("#erasure > .row button")
        self.claim("then the app begins again", person.soon(lambda: person.page.is_visible("#welcome")))
        self.claim("and the phone has forgotten everything", person.page.evaluate(
            "Promise.all([nkul.store.get('token'), nkul.store.get('key'), nkul.store.count()])") == [None, None, 0])
        self.calm(person, "rights")

    def sends_with_the_key(self, url):
        before = rows(self.metrics, "accepted", "report")
        item = {"timestamp": int(time.time() * 1000), "position": {"latitude": 4.05, "longitude": 9.76},
                "cellTowers": [{"radioType": "lte", "mobileCountryCode": 624, "mobileNetworkCode": 1, "cellId": 5, "serving": 1}]}
        request = urllib.request.Request(
            url, json.dumps({"items": [item]}).encode(), {"Content-Type": "application/json"}, method="POST")
        with urllib.request.urlopen(request) as answer:
            self.claim("an app sends with the key of the page", answer.read() == b"{}"
                       and rows(self.metrics, "accepted", "report") == before + 1)

    def takes_a_copy(self):
        person = self.person
        person.tap("#copy .row button")
        self.claim("FR-008: a copy is ready soon", person.soon(lambda: person.page.is_visible("#copy a"), 60))
        with person.page.expect_download() as download:
            person.tap("#copy a")
        lines = [json.loads(line) for line in open(download.value.path()) if line.strip()]
        compare(self, lines)
        self.claim("FR-008: it has the comment that was written, and says what the key was",
                   any("Slow again" in json.dumps(line, ensure_ascii=False) for line in lines)
                   and any("upload_key_made_at_ms" in json.dumps(line) for line in lines), len(lines))

    # MARK: French, speed, words

    def begins_in_french(self):
        person = self.arrive("boris", locale="fr-FR")
        person.page.emulate_media(color_scheme="dark")
        person.open()
        self.claim("FR-007: a French browser is spoken to in French", "Vos données" in person.text("#welcome-title"))
        self.peek("welcome-french-dark", person)
        self.has_no_fault("welcome", person)
        person.tap("#next")
        person.page.check("input[value=under_16]")
        person.page.check("#guardian")
        person.tap("#next")
        person.page.check("#allow-measurement")
        person.tap("#next")
        person.page.wait_for_selector("#sim")
        person.tap("#next")
        person.page.wait_for_selector("#code")
        self.claim("FR-008: no place is asked for that was not allowed", not person.page.is_visible("#place-ask"))
        person.tap("#next")
        person.page.wait_for_selector("#stars:visible")
        self.claim("FR-008: a child with a guardian takes part, without a place", "Sans position" in person.text("#place"))
        self.calm(person, "the welcome in French")
        person.context.close()

    def is_quick(self):
        """NFR-002, NFR-006: a phone is four times slower."""
        person = self.arrive("boris", locale="fr-FR")
        person.open()
        person.controlled()
        person.context.new_cdp_session(person.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        began = time.monotonic()
        person.page.reload()
        person.page.wait_for_selector("#stars button:visible")
        took = time.monotonic() - began
        self.claim("the main screen is there in less than 2 s on a processor four times slower", took < 2, f"{took:.2f} s")
        print(f"    {took:.2f} s")
        person.context.close()

    def reads_easily(self):
        texts = re.findall(r': "([^"]+)"', WORDS.read_text())
        sentences = " ".join(text for text in texts if text.endswith((".", "?", "!")))
        grade = self.grade(sentences)
        self.claim("the words are for eight years of school", grade <= 8, f"grade {grade:.1f}")
        policy = (WORDS.parents[1] / "policy/en.txt").read_text()
        grade = self.grade(policy)
        self.claim("so is the policy", grade <= 8, f"grade {grade:.1f}")

    @staticmethod
    def grade(text):
        """Years of school that a text asks for: the automated readability index (Senter and Smith, 1967)."""
        words, sentences = re.findall(r"[A-Za-z0-9’']+", text), re.findall(r"[.?!]+(?=\s|$)", text)
        return 4.71 * sum(map(len, words)) / len(words) + 0.5 * len(words) / len(sentences) - 21.43
