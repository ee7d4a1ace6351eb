"""Answers that are made up: as large as the API lets them be (10 000 cells, 1 000 open alarms, 90 days by five minutes), and of everything that campaigns can have."""

import datetime
import json
import math
import time
from urllib.parse import parse_qs, urlsplit

CELLS, ALARMS, DAYS = 10_000, 1_000, 90
FIVE_MINUTES = 300_000


def place(number):
    """Column and row of one of the cells, which lie side by side around Yaoundé."""
    return 8716 - 50 + number % 100, 8016 - 50 + number // 100


def quadkey(number, level=14):
    column, row = place(number)
    return "".join(str(((column >> bit) & 1) + 2 * ((row >> bit) & 1)) for bit in range(level - 1, -1, -1))


def ring(number, level=14):
    """The corners of a cell, as GeoJSON has them."""
    column, row = place(number)
    west, east = (round((each / 2**level - 0.5) * 360, 7) for each in (column, column + 1))
    north, south = (round(math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * each / 2**level)))), 7) for each in (row, row + 1))
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


def heatmap(turn=0):
    """`GET /v1/heatmap`; each time with other values."""
    states = ["ok", "ok", "ok", "low_density", "dominated"]
    features = [
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": ring(n)},
         "properties": {"quadkey": quadkey(n), "state": states[n % 5], "value": 1000 + (n * 9 + turn * 700) % 90_000, "p10": 500, "p50": 1000 + n * 9, "p90": 99000, "samples": 90,
                        "devices": 12, "devices_at_least": 12, "effective_devices": 9.25, "method": "exact", "interval": [900, 120000], "release": "live"}}
        for n in range(CELLS)
    ]
    return json.dumps({"type": "FeatureCollection", "release": "live", "as_of_ms": int(time.time() * 1000), "features": features}, separators=(",", ":"))


def alarms():
    now, severities = int(time.time()), ["critical", "major", "minor", "warning"]
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    found = [
        {"id": f"62401-{quadkey(n)}-{now}{n:04}", "perceivedSeverity": severities[n % 4], "state": "raised", "ackState": "unacknowledged", "alarmRaisedTime": moment,
         "alarmChangedTime": moment, "plmn": f"6240{1 + n % 4}", "rule": "built-in.latency", "cell": quadkey(n * 7 % CELLS), "devices": 10, "records": 10, "handlingVersion": 0}
        for n in range(ALARMS)
    ]
    return json.dumps({"alarms": found, "last_event_id": 0, "complete_to": moment, "complete_to_ms": now * 1000})


def series(url):
    """`GET /v1/kpis` by five minutes, for the period that is asked for; one bucket in a hundred has no values."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    shift, points = int(asked["plmn"]), []
    for begin in range(int(asked["from"]) // FIVE_MINUTES * FIVE_MINUTES, int(asked["to"]), FIVE_MINUTES):
        index = begin // FIVE_MINUTES
        value = None if index % 101 == 0 else round(50 + 40 * math.sin(index / 300 + shift) + index % 7, 2)
        points.append({"from_ms": begin, "to_ms": begin + FIVE_MINUTES, "value": value, "interval": None if value is None else [value - 9, value + 9],
                       "n": 0 if value is None else 40, "devices": 0 if value is None else 12, "state": "no_data" if value is None else "ok", "complete": True})
    return json.dumps({"metric": asked["metric"], "bucket": "5min", "points": points, "annotations": [], "release": "live", "as_of_ms": int(time.time() * 1000)})


def campaigns(url):
    """`GET /v1/campaigns`: three campaigns, of one network each and of any; days without grants, without a price, and a reason that no page knows."""
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    zone, day = datetime.timezone(datetime.timedelta(hours=1)), datetime.timedelta(days=1)
    first = datetime.datetime.fromtimestamp(int(asked["from"]) / 1000, zone).date()
    last = datetime.datetime.fromtimestamp(int(asked["to"]) / 1000 if "to" in asked else time.time(), zone).date()
    dates = [first + index * day for index in range((last - first).days + 1)]
    found = []
    for place, (name, networks, document) in enumerate((
        ("-1+1", ["62401"], {"id": "-1+1", "amount_xaf": 25, "from_ms": 0, "to_ms": 1 << 52, "active": True, "operators": ["62401"], "budget_xaf": 2_000_000}),
        ("littoral-4g", ["62402"], {"id": "littoral-4g", "amount_xaf": 50, "from_ms": 0, "to_ms": 1 << 52, "active": False, "operators": ["62402"]}),
        ("spring", [], None),
    )):
        days = [campaign_day(date, index + 7 * place, 25 * (place + 1)) for index, date in enumerate(dates) if (index + place) % 9 != 4]
        counts = [each for each in days[0] if each not in ("day", "devices", "refused", "cost_per_useful_xaf")]
        total = {each: sum(one[each] for one in days) for each in counts}
        total["refused"] = {reason: sum(one["refused"].get(reason, 0) for one in days) for reason in ("daily_maximum", "budget_exhausted", "not_known_here")}
        total["cost_per_useful_xaf"] = round(total["spent_xaf"] / total["useful"], 1)
        ever = {"grants": total["grants"], "spent_xaf": total["spent_xaf"], "devices": total["new_devices"]}
        found.append({"campaign": name, "networks": networks, **({"document": document} if document else {}), "ever": ever, "total": total, "days": days})
    told = {"from": f"{first}", "to": f"{last}", "time_zone": "Africa/Douala", "coverage": {"level": 13, "days": 28}, "campaigns": found}
    return json.dumps(told)


def campaign_day(date, number, amount):
    grants = 40 + (number * 37) % 90
    held, rejected = number % 5, number % 3
    paid, useful = grants - held - rejected, 0 if number % 11 == 5 else grants - held - rejected - 2
    spent = amount * (grants - rejected)
    return {"day": f"{date}", "grants": grants, "granted_xaf": amount * grants, "paid": paid, "paid_xaf": amount * paid, "open": held, "open_xaf": amount * held, "held": held,
            "rejected": rejected, "reversed": number % 2, "spent_xaf": spent, "refused": {"daily_maximum": number % 7, "budget_exhausted": 3, "not_known_here": 1},
            "devices": grants // 2, "new_devices": number % 6, "useful": useful, "cost_per_useful_xaf": round(spent / useful, 1) if useful else None, "new_cells": number % 8}
