"""Series, comparisons and scores of networks, counted anew from the entries of heatmap.py; the figures themselves are those of
figures.py. What holds is written in docs/kpis.md; the profiles stand here a second time, so that a slip in one of the two is seen.
"""

import math

import figures

HIGHER = {"download_kbps", "upload_kbps", "rsrp_dbm", "rsrq_db", "sinr_db", "rssi_dbm", "rating"}


def stored_cells(entries, bucket_of, area=None, plmn=None, technology=None):
    """Entries by network and bucket, then by stored cell: one technology, one cell of the area (a list of quadkeys; None: level 6
    and what has no place)."""
    groups = {}
    for entry in entries:
        bucket = bucket_of(entry.second)
        if bucket is None or plmn not in (None, entry.network) or technology not in (None, entry.technology):
            continue
        if area is None:
            key = entry.place[:6]
        else:
            key = next((cell for cell in area if entry.place.startswith(cell)), None)
            if key is None:
                continue
        cells = groups.setdefault((entry.network, bucket), {})
        cells.setdefault((entry.technology, key), []).append(entry)
    return groups


def added(metric, groups):
    """The sum of the stored cells of some groups."""
    total = figures.Sum(metric)
    for cells in groups:
        for entries in cells.values():
            total.add(entries)
    return total


def series(entries, metric, begins, length, area, plmn, permille, below):
    """Figures by the begin of the bucket, of buckets that have entries."""
    starts = set(begins)
    bucket_of = lambda second: start if (start := begins[0] + (second - begins[0]) // length * length) in starts else None
    groups, found = stored_cells(entries, bucket_of, area, plmn), {}
    for (_, bucket), cells in groups.items():
        found.setdefault(bucket, []).append(cells)
    return {bucket: added(metric, cells).figures(permille, below) for bucket, cells in found.items()}


def comparison(entries, metric, bucket_of, area, networks, permille=500):
    """The figures of each network, and its rank."""
    groups = stored_cells(entries, bucket_of, area)
    found = []
    for name in networks:
        found.append(added(metric, [cells for (network, _), cells in groups.items() if network == name]).figures(permille, None))
    ends = []
    for one in found:
        interval = one["interval"] if one["state"] == "ok" else None
        ends.append(
            interval and (figures.ends_of(metric, interval[0])[0], figures.ends_of(metric, interval[1])[1])
        )
    ranks = []
    for one in ends:
        others = [other for other in ends if other is not one]
        if one is None or any(other is None or not (one[0] > other[1] or one[1] < other[0]) for other in others):
            ranks.append(None)
            continue
        is_better = lambda other: other[0] > one[1] if metric in HIGHER else other[1] < one[0]
        ranks.append(1 + sum(is_better(other) for other in others))
    return found, ranks


def value_of(metric, number):
    """What stands for a bin: its least value, or of speeds and times its middle, rounded down to a whole unit."""
    unit, _, _, step = figures.METRICS[metric]
    low, high = figures.ends_of(metric, number)
    if step is not None:
        return float(low)
    first, last = int(low / figures.decimal.Decimal(unit)), int(high / figures.decimal.Decimal(unit))
    return float((first + (last - first) // 2) * figures.decimal.Decimal(unit))


class Measured:
    """Statistics of one network, by name: ("download_kbps", "p50")."""

    def __init__(self, groups):
        self.groups, self.sums = groups, {}

    def get(self, metric, statistic):
        if metric not in self.sums:
            total = added(metric, self.groups)
            total.figures(500, None)
            self.sums[metric] = total
        total = self.sums[metric]
        if not total.total:
            return None
        if statistic == "mean":
            return sum(weight * value_of(metric, number) for number, weight in total.bins) / total.total
        return value_of(metric, total.quantile(10 * int(statistic[1:])))


def between(value, bad, good):
    return 100 * min(1, max(0, (value - bad) / (good - bad)))


def weighted(items):
    """The mean of (weight, points) without those that were not measured; None if none was."""
    items = [(weight, points) for weight, points in items if points is not None]
    total = sum(weight for weight, _ in items)
    return sum(weight * points for weight, points in items) / total if items else None


def etsi(measured):
    items = []
    for metric, statistic, weight, bad, good in (
        ("download_kbps", "mean", 0.035, 1000, 100_000), ("download_kbps", "p10", 0.045, 1000, 40_000),
        ("download_kbps", "p90", 0.0175, 10_000, 240_000), ("upload_kbps", "mean", 0.035, 500, 50_000),
        ("upload_kbps", "p10", 0.045, 500, 30_000), ("upload_kbps", "p90", 0.0175, 5000, 100_000),
    ):
        value = measured.get(metric, statistic)
        items.append((weight, None if value is None else between(value, bad, good)))
    return weighted(items)


def crc(measured):
    items = []
    for metric, weight, bad, good in (
        ("download_kbps", 0.375, 5000, 25_000), ("upload_kbps", 0.258, 2600, 12_500), ("latency_ms", 0.184, 100, 25),
        ("jitter_ms", 0.09, 50, 0), ("loss_pct", 0.093, 100, 0),
    ):
        value = measured.get(metric, "p50")
        items.append((weight, None if value is None else between(value, bad, good)))
    return weighted(items)


def iqb(measured):
    """Down and up in Mbit/s, latency in ms and loss in %, each with its weight."""
    uses = []
    for down, up, latency, loss in (
        ((10, 3), (10, 2), (100, 4), (1, 4)), ((25, 4), (10, 2), (100, 4), (1, 4)), ((10, 4), (5, 1), (100, 3), (1, 4)),
        ((25, 4), (25, 4), (50, 4), (0.5, 4)), ((10, 4), (25, 4), (100, 2), (1, 4)), ((25, 4), (25, 4), (10, 5), (0.5, 4)),
    ):
        items = []
        for metric, (bar, weight) in (("download_kbps", down), ("upload_kbps", up)):
            value = measured.get(metric, "p95")
            items.append((weight, None if value is None else 100 * (value >= 1000 * bar)))
        for metric, (bar, weight) in (("latency_ms", latency), ("loss_pct", loss)):
            value = measured.get(metric, "p5")
            items.append((weight, None if value is None else 100 * (value <= bar)))
        uses.append((1, weighted(items)))
    return weighted(uses)


def voice_mos(measured):
    latency, loss = measured.get("latency_ms", "p50"), measured.get("loss_pct", "mean")
    if latency is None or loss is None:
        return None
    delay = latency / 2
    rating = 94.2 - 0.024 * delay - (0.11 * (delay - 177.3) if delay > 177.3 else 0) - 11 - 40 * math.log(1 + loss / 10)
    return 1 if rating <= 0 else max(1, 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating))


RTR = {
    "voip": ((300, 200, 100), (300, 200, 100), (25, 50, 100)),
    "video_sd": ((4000, 1000, 300), (400, 100, 100), (100, 200, 500)),
    "video_hd": ((10_000, 4000, 2000), (1000, 400, 200), (50, 100, 250)),
    "video_conferencing": ((20_000, 6000, 3000), (20_000, 6000, 3000), (25, 50, 100)),
    "messaging": ((500, 200, 100), (500, 200, 100), (50, 100, 250)),
    "web": ((50_000, 20_000, 10_000), (25_000, 10_000, 5000), (15, 20, 60)),
    "gaming": ((8000, 4000, 2000), (8000, 4000, 2000), (10, 10, 50)),
}


def rtr(measured):
    """The class of each use."""
    found = {}
    values = [measured.get(metric, "p50") for metric in ("download_kbps", "upload_kbps", "latency_ms")]
    for use, bars in RTR.items():
        classes = []
        for value, bar, is_speed in zip(values, bars, (True, True, False)):
            if value is not None:
                met = [place for place, limit in enumerate(bar) if (value >= limit if is_speed else value <= limit)]
                classes.append(4 - met[0] if met else 1)
        found[use] = min(classes) if len(classes) == 3 else None
    return found


SCORES = {"etsi": etsi, "crc": crc, "iqb": iqb, "voice_mos": voice_mos}
