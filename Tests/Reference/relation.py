"""Ratings held against what was measured in the same record, counted anew; what holds is written in docs/kpis.md."""

# Of these a lower value is better.
LESS_IS_BETTER = {"latency_ms", "jitter_ms", "loss_pct"}


def pairs(entries, x):
    """(measurement, rating, device) of the records that have both, and how many ratings came without the measurement."""
    rated = [entry for entry in entries if "rating" in entry.values]
    found = [(entry.values[x], entry.values["rating"], entry.device) for entry in rated if x in entry.values]
    return found, len(rated) - len(found)


def spearman(found, x):
    """Spearman's rank correlation, ties at their mean rank; positive if better goes with better. None where all are the same."""
    first = ranks([value for value, _, _ in found])
    second = ranks([rating for _, rating, _ in found])
    middle = (len(found) + 1) / 2
    both = sum((a - middle) * (b - middle) for a, b in zip(first, second))
    one, other = (sum((rank - middle) ** 2 for rank in some) for some in (first, second))
    if one == 0 or other == 0:
        return None
    return both / (one * other) ** 0.5 * (-1 if x in LESS_IS_BETTER else 1)


def ranks(values):
    order = sorted(range(len(values)), key=lambda place: values[place])
    ranks, begin = [0.0] * len(values), 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for place in order[begin:end]:
            ranks[place] = (begin + 1 + end) / 2
        begin = end
    return ranks


def is_capped(found):
    """Whether a device has more than a fifth of the pairs."""
    counts = {}
    for _, _, device in found:
        counts[device] = counts.get(device, 0) + 1
    return 5 * max(counts.values(), default=0) > len(found)
