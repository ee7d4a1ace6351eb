"""What is published of one metric of a cell, counted anew: the cap of a fifth a device, effective devices, quantiles, shares and
their 95 % intervals, with nothing of the services' own code. What holds is written in docs/figures.md.
"""

import collections
import decimal
import math

# Unit in which a value is stored, the least and the greatest value, and how exact a published quantile is: to a step, or, of
# speeds and times, to a 64th of the value.
METRICS = {
    "download_kbps": ("1", 0, 10_000_000, None),
    "upload_kbps": ("1", 0, 10_000_000, None),
    "latency_ms": ("0.1", 0, 60_000, None),
    "jitter_ms": ("0.1", 0, 60_000, None),
    "loss_pct": ("0.01", 0, 100, "0.1"),
    "rsrp_dbm": ("0.1", -156, -31, "1"),
    "rsrq_db": ("0.1", -43, 20, "1"),
    "sinr_db": ("0.1", -23, 40, "1"),
    "rssi_dbm": ("0.1", -121, -25, "1"),
    "rating": ("1", 1, 5, "1"),
}

WHOLE = 1 << 20
# Of stored cells with more devices nobody keeps apart what each contributed.
MOST_APART = 24
FEW_DEVICES = 10
FEWEST = 6


def bin_of(metric, value):
    """The bin of a value, as a number that ascends with it."""
    unit, _, _, step = METRICS[metric]
    if step is not None:
        return math.floor(value / decimal.Decimal(step))
    units = int(value / decimal.Decimal(unit))
    if units < 128:
        return units
    exponent = units.bit_length() - 7
    return 64 * exponent + (units >> exponent)


def ends_of(metric, number):
    """The least and the greatest value of a bin, as far as they are plausible."""
    unit, least, greatest, step = METRICS[metric]
    unit = decimal.Decimal(unit)
    if step is not None:
        low = number * decimal.Decimal(step)
        high = low + decimal.Decimal(step) - unit
    elif number < 128:
        low = high = number * unit
    else:
        exponent = number // 64 - 1
        start = (number - 64 * exponent) << exponent
        low, high = start * unit, (start + (1 << exponent) - 1) * unit
    return max(low, decimal.Decimal(least)), min(high, decimal.Decimal(greatest))


def threshold(counts):
    """The most samples by which a device counts; None if there are fewer than five."""
    if len(counts) < 5:
        return None
    low, high = 0, max(counts)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if 5 * middle <= sum(min(count, middle) for count in counts) else (low, middle - 1)
    return low


class Part:
    """A stored cell: what its samples weigh, and how they are spread over devices."""

    def __init__(self, metric, entries):
        rows = collections.Counter(entry.device for entry in entries)
        bins = {}
        for entry in entries:
            if metric in entry.values:
                bins.setdefault(entry.device, []).append(bin_of(metric, entry.values[metric]))
        self.samples = sum(len(values) for values in bins.values())
        self.weights = collections.Counter()
        if len(rows) > MOST_APART and len(rows) != len(entries):
            self.bound(rows, bins, len(entries))
            return
        self.devices = self.at_least = len(bins)
        counts = [len(values) for values in bins.values()]
        self.most = max(counts, default=0)
        capped = threshold(counts)
        if capped is not None:
            self.most = min(self.most, capped)
        for values in bins.values():
            weight = WHOLE * self.most // len(values) if len(values) > self.most else WHOLE
            for number in values:
                self.weights[number] += weight
        counted = [min(count, self.most) for count in counts]
        self.sum, self.squares = sum(counted), sum(count * count for count in counted)

    def bound(self, rows, bins, count):
        """Only the rows of each device are known: the worst is that those with the most have all the samples they can."""
        for values in bins.values():
            for number in values:
                self.weights[number] += WHOLE
        self.sum = self.samples
        largest = sorted(rows.values(), reverse=True)
        rest, self.at_least, self.squares = self.samples, 0, 0
        for most in largest[:4]:
            taken = min(most, rest)
            self.at_least += 1 if taken else 0
            self.squares += taken * taken
            rest -= taken
        self.at_least += -(-rest // largest[3])
        self.squares = min(self.squares + rest * largest[3], sum(most * most for most in largest))
        self.most = min(largest[0], self.samples)
        self.devices = None
        if self.samples == count:
            self.devices = self.at_least = len(rows)


class Sum:
    """Stored cells that are added up."""

    def __init__(self, metric):
        self.metric, self.parts = metric, []

    def add(self, entries):
        part = Part(self.metric, entries)
        if part.samples:
            self.parts.append(part)

    def figures(self, permille, below):
        """All that a cell of the map says; quantiles and intervals are bins, the share a pair of weights."""
        even = [part for part in self.parts if 5 * part.most <= part.sum]
        uneven = [part for part in self.parts if 5 * part.most > part.sum]
        scale = WHOLE
        if even and uneven:
            room = sum(part.sum for part in even) - 5 * sum(part.most for part in even)
            scale = min(WHOLE, WHOLE * room // (4 * sum(part.sum for part in uneven)))
        weights = sum((part.weights for part in even), collections.Counter())
        for number, weight in sum((part.weights for part in uneven), collections.Counter()).items():
            weights[number] += weight * scale // WHOLE
        self.bins = sorted((number, weight) for number, weight in weights.items() if weight > 0)
        self.total = sum(weight for _, weight in self.bins)
        effective = self.effective(even, uneven, scale / WHOLE)
        at_least = max((part.at_least for part in self.parts), default=0)
        state = "ok"
        if not self.parts:
            state = "no_data"
        elif not even or at_least < 5:
            state = "dominated"
        elif at_least < FEW_DEVICES or effective < FEWEST:
            state = "low_density"
        is_exact = len(self.parts) < 2 and all(part.devices is not None for part in self.parts)
        found = {
            "samples": sum(part.samples for part in self.parts),
            "devices": 0 if not self.parts else self.parts[0].devices if len(self.parts) == 1 else None,
            "devices_at_least": at_least,
            "effective_devices": effective,
            "method": "exact" if is_exact else "bound",
            "state": state,
            "interval": self.interval(effective, permille),
            "value": self.quantile(permille),
        }
        for percent in (10, 50, 90):
            found[f"p{percent}"] = self.quantile(10 * percent)
        if below is not None:
            share = None
            if self.total:
                limit = bin_of(self.metric, decimal.Decimal(below))
                share = sum(weight for number, weight in self.bins if number < limit) / self.total
            found["below"] = share
            found["below_interval"] = None if share is None else wilson(share, math.floor(effective))
        return found

    @staticmethod
    def effective(even, uneven, scale):
        """Minkowski: the root of the sum's squares is at most the sum of the roots."""
        total = sum(part.sum for part in even) + scale * sum(part.sum for part in uneven)
        roots = math.fsum(math.sqrt(part.squares) for part in even)
        roots += scale * math.fsum(math.sqrt(part.squares) for part in uneven)
        count = (total / roots) ** 2 if roots else 0
        return round(count) if abs(count - round(count)) < 1e-6 else count

    def reaching(self, part, parts, beyond=False):
        weight = 0
        for number, more in self.bins:
            weight += more
            if weight * parts > part * self.total if beyond else weight * parts >= part * self.total:
                return number
        return self.bins[-1][0] if self.bins else None

    def quantile(self, permille):
        return self.reaching(permille, 1000)

    def interval(self, effective, permille):
        ranks = ranks_of(math.floor(effective), permille / 1000)
        if ranks is None or not self.bins:
            return None
        count = math.floor(effective)
        first, last = self.reaching(ranks[0], count), self.reaching(ranks[1] - 1, count, beyond=True)
        return first, max(first, last)


def ranks_of(count, q):
    """The ranks between which the q-quantile of so many independent values lies with 95 %; None if they are too few."""
    if count < FEWEST:
        return None
    if count <= 500:
        chance = [math.comb(count, k) * q**k * (1 - q) ** (count - k) for k in range(count + 1)]
        low = max((rank for rank in range(count + 1) if math.fsum(chance[:rank]) <= 0.025), default=0)
        high = min((rank for rank in range(count + 1) if math.fsum(chance[rank:]) <= 0.025), default=count + 1)
    else:
        reach = 1.959964 * math.sqrt(count * q * (1 - q))
        low, high = math.floor(count * q - reach), math.ceil(count * q + reach) + 1
    return (low, high) if low >= 1 and high <= count else None


def wilson(share, count):
    """The 95 % interval of a share (Wilson 1927); None if there are too few values."""
    if count < FEWEST:
        return None
    z = 1.959964
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(0, middle - reach), min(1, middle + reach)


def is_same(name, metric, counted, published):
    """Whether what is published is what was counted, as exactly as is promised."""
    if counted is None or published is None:
        return counted is published
    if name in ("value", "p10", "p50", "p90"):
        low, high = ends_of(metric, counted)
        # Rounded down to the step; of speeds and times the middle of the bin.
        shown = decimal.Decimal(str(published))
        return low <= shown <= high and (METRICS[metric][3] is None or shown == low)
    if name == "interval":
        shown = [decimal.Decimal(str(end)) for end in published]
        return shown == [ends_of(metric, counted[0])[0], ends_of(metric, counted[1])[1]]
    if name == "effective_devices":
        return abs(counted - published) <= 0.0101
    if name == "below":
        return abs(counted - published) <= 0.000051
    if name == "below_interval":
        return all(abs(one - other) <= 0.000051 for one, other in zip(counted, published))
    return counted == published
