"""A person who turns a passkey on, with the authenticator that Chromium plays (WebAuthn)."""

import json


def uses_a_passkey(walk):
    """UC: FR-008.3. A copy and an erasure need the person; somebody else at the phone gets neither."""
    person = walk.arrive("dora", url=walk.house.environment["NKUL_INGEST_PASSKEYS"] + "/")
    tool = person.context.new_cdp_session(person.page)
    tool.send("WebAuthn.enable")
    number = tool.send("WebAuthn.addVirtualAuthenticator", {"options": {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True}})["authenticatorId"]
    is_owner = lambda known: tool.send("WebAuthn.setUserVerified", {"authenticatorId": number, "isUserVerified": known})
    person.begins("measurement")
    person.open("#privacy")
    person.page.wait_for_selector("#passkey")
    person.tap("#passkey .row button")
    walk.claim("FR-008.3: a passkey is turned on in one tap", person.says("It is on from now"), person.text("#notice"))
    kept = tool.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"]
    walk.claim("FR-008.3: the authenticator has made one for this place", [one["rpId"] for one in kept] == ["localhost"], kept)
    walk.has_no_fault("privacy with a passkey", person)
    walk.calm(person, "a passkey")

    is_owner(False)
    person.tap("#copy .row button")
    walk.claim("FR-008.3: who is not the person gets no copy", person.says("did not say who you are")
               and person.page.is_visible("#copy .row button"), person.text("#notice"))
    refused = person.page.evaluate(
        "import('/server.js').then((server) => server.ask('POST', '/v1/me/data')).then(() => 'taken', (problem) => problem.code)")
    walk.claim("FR-008.3: nor without the passkey, with token and key of the phone", refused == "passkey_required", refused)
    person.taken_troubles()

    is_owner(True)
    person.tap("#copy .row button")
    walk.claim("FR-008.3: the person gets the copy", person.soon(lambda: person.page.is_visible("#copy a"), 60), person.text("#copy"))
    used = tool.send("WebAuthn.getCredentials", {"authenticatorId": number})["credentials"][0]["signCount"]
    with person.page.expect_download() as download:
        person.tap("#copy a")
    lines = [json.loads(line) for line in open(download.value.path()) if line.strip()]
    walk.claim("FR-008.3: the copy says that there is a passkey, and nothing of it",
               any("passkey_made_at_ms" in json.dumps(line) for line in lines) and used > kept[0]["signCount"], used)
    walk.calm(person, "a copy with a passkey")
    turns_it_off_and_on(walk, person)

    is_owner(False)
    erases(person)
    walk.claim("FR-008.3: who is not the person erases nothing", person.says("did not say who you are")
               and not person.page.is_visible("#erasure"))
    is_owner(True)
    person.open("#home")
    person.open("#privacy")
    person.page.wait_for_selector("#erase")
    erases(person)
    walk.claim("FR-008.3: the person erases", person.soon(lambda: person.page.is_visible("#erasure"), 20), person.text("#notice"))
    walk.claim("FR-008.3: it is done", person.soon(lambda: "State: done" in person.text("#privacy"), 90), person.text("#privacy"))
    walk.calm(person, "an erasure with a passkey")
    person.context.close()


def turns_it_off_and_on(walk, person):
    person.tap("#passkey .row button")
    walk.claim("FR-008.3: it is turned off by the passkey", person.says("It is off from now"), person.text("#notice"))
    person.tap("#passkey .row button")
    walk.claim("FR-008.3: and on again", person.says("It is on from now"), person.text("#notice"))


def erases(person):
    person.tap("#erase .row:not([hidden]) button")
    person.tap("#erase .row:not([hidden]) button")
