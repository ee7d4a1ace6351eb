"""A phone that closes the app by force, again and again, in the middle of sending: nothing that was thanked for is lost or counts twice."""

import collections
import json
import os
import pathlib
import random
import re
import signal

TIMES = 100
# Of these the whole browser is killed, not the page's process alone.
WHOLE = 10

# Answers with one star more than the last time and a word of its own, waits, and says whether it was thanked for by then.
ANSWER = """
async ([star, comment, milliseconds]) => {
  const find = (id) => document.getElementById(id), begin = performance.now();
  const before = find("notice").textContent;
  find("stars").children[star - 1].click();
  const isThanked = () => find("notice").className === "good" && find("notice").textContent !== "";
  find("comment").value = comment;
  find("details").requestSubmit();
  while (performance.now() - begin < milliseconds) await new Promise((soon) => setTimeout(soon, 1));
  return isThanked();
}
"""


def processes(profile, kind):
    """The browser's processes of a kind (`renderer`, or `` for the browser itself), by the profile that only it has."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int(re.search(r"^PPid:\s+(\d+)", (entry / "status").read_text(), re.M)[1])
        except (OSError, TypeError):
            continue
        types = [word for word in words if word.startswith(b"--type=")]
        found.append((int(entry.name), parent, types[0].decode() if types else "", words))
    main = {pid for pid, _, type_, words in found if not type_ and f"--user-data-dir={profile}".encode() in words}
    if not kind:
        return main
    family, grown = set(main), True
    while grown:
        grown = {pid for pid, parent, _, _ in found if parent in family} - family
        family |= grown
    return {pid for pid, _, type_, _ in found if type_ == f"--type={kind}" and pid in family}


def close_by_force(walk):
    """Kills the page's process, or the browser, at random moments of 100 answers; then the copy tells what arrived."""
    person, chance = walk.person, random.Random(46)
    before, thanked, given = walk.accepted(), set(), set()
    for number in range(TIMES):
        comment = f"closing {number}"
        given.add(comment)
        if person.page.evaluate(ANSWER, [number % 5 + 1, comment, chance.randrange(0, 120)]):
            thanked.add(comment)
        kill(person, whole=number % (TIMES // WHOLE) == 5)
        person.open()
        person.page.wait_for_selector("#stars:visible")
    walk.claim("NFR-009: after 100 force-closings nothing is unsent", person.soon(lambda: not person.unsent(), 60), person.unsent())
    arrived = walk.accepted() - before
    walk.claim("NFR-009: the closings met answers at each stage", 10 < len(thanked) < TIMES and arrived >= len(thanked),
               f"{len(thanked)} thanked for, {arrived} arrived")
    walk.closings = (thanked, given)
    person.taken_troubles()
    print(f"    {TIMES} closings: {len(thanked)} answers had been thanked for, {arrived} arrived")


def kill(person, whole):
    victims = processes(person.profile, "" if whole else "renderer")
    for pid in victims:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if not whole:
        person.renew()
        return
    try:
        person.context.close()
    except Exception:  # noqa: BLE001: the browser is gone, which is what was wanted
        pass
    person.start()


def compare(walk, lines):
    """Each answer that was thanked for is in the copy once, and none twice."""
    thanked, given = walk.closings
    told = collections.Counter(
        comment for line in lines for comment in re.findall(r"closing \d+", json.dumps(line)) if comment in given)
    lost, twice = thanked - set(told), [comment for comment, count in told.items() if count > 1]
    walk.claim("NFR-009: each answer that was thanked for was accepted, exactly once", not lost and not twice,
               f"lost {sorted(lost)}, twice {sorted(twice)}")
