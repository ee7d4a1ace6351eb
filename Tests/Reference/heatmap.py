"""The heat map, counted anew from a recording: every row in every cell, with nothing of the services' own code.

What holds is written in docs/testing.md, "The figures, counted anew"; names and units are those of recordings
(`device,kind,captured_at_ms,…`).
"""

import collections
import csv
import datetime
import decimal
import gzip
import math
import zoneinfo

import figures

LEVELS = range(6, 17)

# Counted for the network of the SIM; what radio measures counts for the one that serves.
OF_SIM = {"rating", "event"}

TECHNOLOGIES = {
    "": "UNKNOWN",
    "UNKNOWN": "UNKNOWN",
    "GSM": "2G",
    "GPRS": "2G",
    "EDGE": "2G",
    "UMTS": "3G",
    "HSPA": "3G",
    "HSPA_PLUS": "3G",
    "LTE": "4G",
    "LTE_CA": "4G",
    "NR_NSA": "5G",
    "NR_SA": "5G",
    "WIFI": "WIFI",
    "ETHERNET": "ETHERNET",
    "NONE": "NONE",
}

# A row as it counts for one network. `place` is the quadkey by which it enters, "" without one; `values` has what counts there.
Entry = collections.namedtuple("Entry", "second device network technology place values")


def rows(path):
    """The rows of a recording, each a dictionary of what is not empty."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        note = file.readline()
        assert note.startswith("# nkul-recording 1"), f"{path}: no recording of format 1"
        for row in csv.DictReader(file):
            yield {name: cell for name, cell in row.items() if cell}


def quadkey(latitude, longitude, level):
    """The tile of a place: spherical Web Mercator, split in four at each level (Bing Maps Tile System)."""
    sine = math.sin(math.radians(latitude))
    x = (longitude + 180) / 360
    y = 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)
    side = 1 << level
    column = min(max(int(x * side), 0), side - 1)
    row = min(max(int(y * side), 0), side - 1)
    return "".join(str((column >> bit & 1) + 2 * (row >> bit & 1)) for bit in reversed(range(level)))


def width(level, latitude):
    """Of a cell from west to east, in metres."""
    return 40_075_016.686 * math.cos(math.radians(latitude)) / 2**level


def place(row):
    """The quadkey by which a row enters: the finest level whose cells are as wide as the position is unsure."""
    if "latitude" not in row or "longitude" not in row:
        return ""
    latitude, longitude = float(row["latitude"]), float(row["longitude"])
    accuracy = float(row.get("accuracy_m", 0))
    if abs(latitude) > 85.05 or accuracy > 10_000 or float(row.get("speed_mps", 0)) > 50:
        return ""
    level = LEVELS[-1]
    # Accuracies are kept to 0.1 m, rounded up.
    while level > LEVELS[0] and math.ceil(width(level, latitude) * 10) < round(accuracy * 10):
        level -= 1
    return quadkey(latitude, longitude, level)


def network(mcc, mnc):
    """A network as the heat map names it."""
    return f"{int(mcc):03d}{int(mnc):02d}" if mcc is not None and mnc is not None else "unknown"


def stored(name, text):
    """A value as services keep it: in whole units, half of one rounded away from zero."""
    unit = decimal.Decimal(figures.METRICS[name][0])
    return (decimal.Decimal(text) / unit).quantize(decimal.Decimal(1), rounding=decimal.ROUND_HALF_UP) * unit


def entries(recordings):
    """What each row counts for.

    `recordings` are pairs of a path and the milliseconds that its rows were moved by.
    """
    for number, (path, shift) in enumerate(recordings):
        for row in rows(path):
            if row["kind"] not in ("report", "feedback") or row.get("mock_location", "").lower() in ("true", "1"):
                continue
            second = (int(row["captured_at_ms"]) + shift) // 1000
            technology = TECHNOLOGIES[row.get("network_type", "")]
            sim = network(row.get("mcc"), row.get("mnc"))
            serving = network(row.get("serving_mcc"), row.get("serving_mnc"))
            if serving == "unknown":
                serving = sim
            values = {name: stored(name, row[name]) for name in figures.METRICS if name in row}
            if "event" in row:
                values["event"] = row["event"]
            common = (second, (number, row["device"]))
            where = place(row)
            if serving == sim:
                yield Entry(*common, sim, technology, where, values)
                continue
            radio = {name: value for name, value in values.items() if name not in OF_SIM}
            felt = {name: value for name, value in values.items() if name in OF_SIM}
            yield Entry(*common, serving, technology, where, radio)
            if felt or technology == "NONE":
                yield Entry(*common, sim, technology, where, felt)


def outwards(first, last):
    """A period in seconds with its ends moved to whole 5 minutes."""
    return first // 300 * 300, -(-last // 300) * 300


def buckets(first, last, zone):
    """The fewest of days (of the zone), hours (of UTC) and 5 minutes that are the period together: pairs of begin and end."""
    first, last = outwards(first, last)
    now = first
    while now < last:
        local = datetime.datetime.fromtimestamp(now, zone)
        tomorrow = datetime.datetime.combine(local.date() + datetime.timedelta(days=1), datetime.time(), zone)
        next_day = int(tomorrow.timestamp())
        midnight = int(datetime.datetime.combine(local.date(), datetime.time(), zone).timestamp())
        if now == midnight and next_day <= last:
            end = next_day
        elif now % 3600 == 0 and now + 3600 <= min(last, next_day):
            end = now + 3600
        else:
            end = now + 300
        yield now, end
        now = end


class Reference:
    """Cells of a period, from entries."""

    def __init__(self, all_entries, first, last, zone):
        begins = {}
        for begin, end in buckets(first, last, zoneinfo.ZoneInfo(zone)):
            for second in range(begin, end, 300):
                begins[second] = begin
        # Each with the bucket that it is counted in.
        self.entries = [
            (begins[entry.second // 300 * 300], entry) for entry in all_entries if entry.second // 300 * 300 in begins
        ]
        self.grouped = {}

    def stored(self, level):
        """Entries by network and technology, then quadkey, then bucket; those without a place under "" at level 0."""
        if level not in self.grouped:
            groups = {}
            for bucket, entry in self.entries:
                if len(entry.place) >= level if level else not entry.place:
                    cells = groups.setdefault((entry.network, entry.technology), {})
                    cells.setdefault(entry.place[:level], {}).setdefault(bucket, []).append(entry)
            self.grouped[level] = groups
        return self.grouped[level]

    def cells(self, level, metric, plmn=None, technology=None, permille=500, below=None):
        """Figures by quadkey (`figures.Sum`)."""
        sums = {}
        for (network_name, technology_name), cells in self.stored(level).items():
            if plmn not in (None, network_name) or technology not in (None, technology_name):
                continue
            for key, parts in cells.items():
                for part in parts.values():
                    sums.setdefault(key, figures.Sum(metric)).add(part)
        return {key: cell.figures(permille, below) for key, cell in sums.items()}

    def events(self, level, plmn=None):
        """Counts by quadkey ("" without a place), network and kind: n, devices and devices_at_least of the cell."""
        counts, devices = collections.Counter(), {}
        for depth in (0, level):
            for (name, _), cells in self.stored(depth).items():
                if plmn not in (None, name):
                    continue
                for key, parts in cells.items():
                    for part in parts.values():
                        devices.setdefault((key, name), []).append(len({entry.device for entry in part}))
                        for entry in part:
                            if "event" in entry.values:
                                counts[key, name, entry.values["event"]] += 1
        return {
            (key, name, event): {
                "n": count,
                "devices": devices[key, name][0] if len(devices[key, name]) == 1 else None,
                "devices_at_least": max(devices[key, name]),
            }
            for (key, name, event), count in counts.items()
        }
