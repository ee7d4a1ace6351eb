"""UC-002 where it does not go as it should: no place, a wrong code, no network, a browser that is closed in the middle."""


def begins_badly(walk):
    person = walk.arrive("esther")
    person.open()
    person.tap("#next")
    person.page.check("input[value='16-17']")
    person.tap("#next")
    for purpose in ["measurement", "location_precise"]:
        person.page.check(f"#allow-{purpose}")
    person.tap("#next")
    person.page.wait_for_selector("#sim")
    person.tap("#next")
    person.page.wait_for_selector("#place-ask")
    person.tap("#place-ask")
    walk.claim("UC-002 4a: who gives the browser no place is told that it goes on without", person.says("You can go on without a place"),
               person.text("#notice"))
    person.page.fill("#code", "7K3M-Q9TX-0WEB-4HZZ")
    person.tap("#next")
    walk.claim("UC-002 5a: a code with a slip is told as one, and nobody is enrolled", person.says("code")
               and not person.page.is_visible("#stars"), person.text("#notice"))
    person.page.fill("#code", "")
    person.taken_troubles()

    person.controlled()
    person.context.set_offline(True)
    person.tap("#next")
    walk.claim("UC-002 5b: without network it says so, and nothing that was said is lost", person.says("There is no network")
               and person.page.is_visible("#code"), person.text("#notice"))
    person.context.set_offline(False)
    person.taken_troubles()
    person.tap("#next")
    walk.claim("UC-002 5b: with a network the same tap enrols", person.soon(lambda: person.page.is_visible("#stars")))
    walk.claim("UC-002 4a: the app says that there is no place", person.soon(lambda: "place" in person.text("#place").lower()),
               person.text("#place"))
    before = walk.accepted()
    person.tap("#stars button:nth-child(5)")
    person.tap("#send")
    walk.claim("UC-002 4a: and answers go without one", person.says("Your answer is in") and walk.accepted() == before + 1)
    walk.calm(person, "a beginning without a place")
    person.context.close()

    person = walk.arrive("felix")
    person.open()
    person.tap("#next")
    person.context.close()
    person.start()
    person.open()
    walk.claim("UC-002: a beginning that was broken off begins anew, and nobody was enrolled",
               person.page.is_visible(".policy") and person.page.evaluate("nkul.store.get('token')") is None)
    person.context.close()
