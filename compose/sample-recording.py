#!/usr/bin/env python3
"""Makes the sample recording: forty simulated phones for two hours in five towns of Cameroon.

Everything in it is invented except the towns' coordinates and the operators' codes. The same script gives the same
rows: no clock, no hash order, no random source but the generator below.

    python3 compose/sample-recording.py > compose/sample.csv.gz
"""
import gzip
import io
import math
import sys

TOWNS = [  # name, latitude, longitude, phones, how good the network is (0...1)
    ("Douala", 4.0511, 9.7679, 14, 0.75),
    ("Yaounde", 3.8480, 11.5021, 12, 0.8),
    ("Bafoussam", 5.4778, 10.4176, 6, 0.5),
    ("Garoua", 9.3265, 13.3938, 5, 0.35),
    ("Kribi", 2.9373, 9.9077, 3, 0.3),
]
OPERATORS = [("624", "01", 0.05), ("624", "02", 0.0), ("624", "04", -0.1)]
FIRST = 1_749_981_600_000  # 2025-06-15T10:00:00Z
STEP = 60_000
STEPS = 120
COLUMNS = (
    "device,kind,seq,captured_at_ms,latitude,longitude,accuracy_m,location_source,speed_mps,network_type,mcc,mnc,"
    "cell_id,area_code,pci,channel,rsrp_dbm,rsrq_db,sinr_db,download_kbps,upload_kbps,latency_ms,jitter_ms,loss_pct,"
    "event,rating,comment,trigger"
).split(",")


class Source:
    """A 64-bit linear congruential generator, so that no version of Python matters."""

    def __init__(self, seed):
        self.state = seed

    def unit(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) / 2**31

    def between(self, low, high):
        return low + (high - low) * self.unit()

    def bell(self):
        return sum(self.unit() for _ in range(6)) - 3


def phone(source, number, town):
    name, latitude, longitude, _, quality = town
    mcc, mnc, bonus = OPERATORS[int(source.unit() * len(OPERATORS))]
    quality += bonus + source.bell() * 0.08
    spread = 0.03
    place = [latitude + source.bell() * spread / 2, longitude + source.bell() * spread / 2]
    moving = source.unit() < 0.6
    heading = source.between(0, 2 * math.pi)
    sequence = 0
    for step in range(STEPS):
        when = FIRST + step * STEP + number * 1_237 % STEP
        speed = source.between(3, 14) if moving and source.unit() < 0.8 else 0.0
        heading += source.bell() * 0.3
        if math.dist(place, (latitude, longitude)) > spread:
            heading = math.atan2(longitude - place[1], latitude - place[0])
        place[0] += math.cos(heading) * speed * 60 / 111_320
        place[1] += math.sin(heading) * speed * 60 / 111_320
        if source.unit() < 0.25:
            continue  # asleep
        sequence += 1
        row = report(source, number, sequence, when, place, speed, quality, mcc, mnc, name)
        yield row
        if row.get("event") or source.unit() < 0.02:
            sequence += 1
            yield feedback(source, row, sequence)


def report(source, number, sequence, when, place, speed, quality, mcc, mnc, town):
    hole = town in ("Garoua", "Kribi") and int(place[0] * 200) % 5 == 0
    strength = quality + source.bell() * 0.08 - (0.35 if hole else 0)
    row = {
        "device": f"phone-{number:02d}", "kind": "report", "seq": sequence, "captured_at_ms": when,
        "latitude": f"{place[0]:.5f}", "longitude": f"{place[1]:.5f}", "accuracy_m": int(source.between(4, 30)),
        "location_source": "gps", "speed_mps": f"{speed:.1f}", "mcc": mcc, "mnc": mnc,
    }
    if strength < 0.02:
        row |= {"network_type": "NONE", "event": "no_service"}
        return row
    tower = int(place[0] * 90) * 1_000 + int(place[1] * 90)
    row |= {"cell_id": tower % 2**27, "area_code": 1_000 + tower % 97}
    rsrp = max(-139, min(-60, int(-122 + strength * 55)))
    if strength < 0.25:
        row |= {"network_type": "HSPA_PLUS", "rssi_dbm": "", "download_kbps": int(source.between(300, 3_000))}
        row |= {"upload_kbps": int(source.between(80, 700)), "latency_ms": f"{source.between(90, 400):.1f}"}
    else:
        row |= {
            "network_type": "LTE", "pci": tower % 504, "channel": 1_300 + tower % 3 * 50, "rsrp_dbm": rsrp,
            "rsrq_db": int(source.between(-15, -7)), "sinr_db": int(strength * 28 - 5 + source.bell() * 2),
            "download_kbps": int(800 + strength**2 * source.between(20_000, 70_000)),
            "upload_kbps": int(300 + strength**2 * source.between(5_000, 20_000)),
            "latency_ms": f"{source.between(25, 60) + (1 - strength) * 60:.1f}",
        }
    row |= {"jitter_ms": f"{source.between(1, 18):.1f}", "loss_pct": f"{max(0, source.bell() * 0.8):.2f}"}
    if strength < 0.3 and source.unit() < 0.08:
        row["event"] = "call_drop"
    return row


def feedback(source, row, sequence):
    bad = bool(row.get("event"))
    rating = 1 + int(source.unit() * 2) if bad else 3 + int(source.unit() * 3)
    words = {1: "appel coupe", 2: "very slow here", 3: "", 4: "", 5: "ca marche bien"}
    return {
        "device": row["device"], "kind": "feedback", "seq": sequence, "captured_at_ms": row["captured_at_ms"] + 20_000,
        "latitude": row["latitude"], "longitude": row["longitude"], "accuracy_m": row["accuracy_m"],
        "network_type": row["network_type"], "mcc": row["mcc"], "mnc": row["mnc"], "rating": rating,
        "comment": words[rating], "trigger": "prompt",
    }


def main():
    source = Source(624)
    rows = []
    number = 0
    for town in TOWNS:
        for _ in range(town[3]):
            number += 1
            rows += list(phone(source, number, town))
    rows.sort(key=lambda row: (row["captured_at_ms"], row["device"]))
    lines = [
        "# nkul-recording 1 made_by=compose/sample-recording.py real=nothing simulated=everything seed=624 phones=40",
        ",".join(COLUMNS),
    ]
    lines += [",".join(str(row.get(column, "")) for column in COLUMNS) for row in rows]
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=9) as file:
        file.write(("\n".join(lines) + "\n").encode())
    sys.stdout.buffer.write(packed.getvalue())
    print(f"{len(rows)} rows, {len(packed.getvalue())} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
