#!/usr/bin/env python3
"""Draws the distributions of a simulated recording beside those of field recordings; needs Python's own library only.

    nkul import TRAFFIC/gnettrack/*.csv TRAFFIC/feedback/*.csv.gz -o real.csv.gz
    nkul simulate --devices 300 --hours 24 --seed 7 -o simulated.csv.gz
    python3 docs/simulation/compare.py real.csv.gz simulated.csv.gz docs/simulation

writes one SVG for each metric, and the table of docs/simulation.md to stdout.
"""
import csv
import gzip
import math
import sys

NEWER = {"LTE", "LTE_CA", "NR_NSA", "NR_SA"}
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 480, 260, 44, 28, 12, 40
COLOURS = {"field": "#1f6feb", "survey": "#d4760a", "simulated": "#7d3cb5"}


def rows(path):
    with gzip.open(path, "rt", newline="") as file:
        file.readline()
        yield from csv.DictReader(file)


def is_survey(row):
    return row["device"].startswith("cameroon_qoe_feedback")


def is_newer(row):
    return row["network_type"] in NEWER and row["mock_location"] != "true"


def is_bulk(row):
    """Speed is the network's only while something large is fetched."""
    return row["device"].startswith("Download") and float(row["download_kbps"] or 0) > 0


METRICS = [  # column, title, unit, low, high, logarithmic, sources
    ("rsrp_dbm", "RSRP on LTE and NR", "dBm", -125, -55, False, ("field",)),
    ("rsrq_db", "RSRQ on LTE and NR", "dB", -20, 0, False, ("field",)),
    ("sinr_db", "SINR on LTE and NR", "dB", -12, 30, False, ("field",)),
    ("download_kbps", "Download on LTE and NR", "kbit/s", 100, 300_000, True, ("field", "survey")),
    ("latency_ms", "Latency on LTE and NR", "ms", 20, 2_000, True, ("field", "survey")),
]


def values(column, source, real, simulated):
    if source == "simulated":
        chosen = (row for row in simulated if is_newer(row))
    elif source == "survey":
        chosen = (row for row in real if is_survey(row) and is_newer(row))
    else:
        chosen = (row for row in real if not is_survey(row) and is_newer(row))
        if column == "download_kbps":
            chosen = (row for row in chosen if is_bulk(row))
    return sorted(float(row[column]) for row in chosen if row[column])


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def ticks(low, high, logarithmic):
    if logarithmic:
        first = math.ceil(math.log10(low) - 1e-9)
        return [10**power for power in range(first, int(math.log10(high)) + 1)]
    step = 20 if high - low > 60 else 10 if high - low > 30 else 5
    return list(range(math.ceil(low / step) * step, int(high) + 1, step))


def picture(title, unit, low, high, logarithmic, curves):
    scale = math.log10 if logarithmic else float

    def across(value):
        share = (scale(min(high, max(low, value))) - scale(low)) / (scale(high) - scale(low))
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def up(share):
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/><text x="{LEFT}" y="17" font-size="13">{title}</text>',
    ]
    for share in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<path d="M{LEFT} {up(share)}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{up(share) + 4}" text-anchor="end">{round(share * 100)} %</text>')
    for value in ticks(low, high, logarithmic):
        parts.append(f'<path d="M{across(value)} {up(0)}V{up(1)}" stroke="#eee"/>')
        parts.append(f'<text x="{across(value)}" y="{up(0) + 15}" text-anchor="middle">{value:,}</text>')
    parts.append(f'<text x="{WIDTH - RIGHT}" y="17" text-anchor="end">share of values up to so many {unit}</text>')
    for number, (source, ordered) in enumerate(curves):
        points = " ".join(f"{across(quantile(ordered, n / 100))},{up(n / 100)}" for n in range(101))
        dash = "" if source == "simulated" else ' stroke-dasharray="5 3"'
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[source]}" stroke-width="2"{dash}/>')
        parts.append(
            f'<text x="{LEFT + number * 130}" y="{HEIGHT - 6}" fill="{COLOURS[source]}">{source} ({len(ordered):,})</text>'
        )
    return "\n".join(parts + ["</svg>", ""])


def main(real_path, simulated_path, folder):
    real, simulated = list(rows(real_path)), list(rows(simulated_path))
    print("| | source | values | p5 | p25 | median | p75 | p95 |\n|---|---|---|---|---|---|---|---|")
    for column, title, unit, low, high, logarithmic, sources in METRICS:
        curves = [(source, values(column, source, real, simulated)) for source in (*sources, "simulated")]
        with open(f"{folder}/{column}.svg", "w") as file:
            file.write(picture(title, unit, low, high, logarithmic, curves))
        for source, ordered in curves:
            figures = " | ".join(f"{quantile(ordered, share):,.0f}" for share in (0.05, 0.25, 0.5, 0.75, 0.95))
            print(f"| `{column}` | {source} | {len(ordered):,} | {figures} |")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
