internal import ExporterSupport
internal import Models
internal import ServiceKit
internal import Statistics

/// Writes a heat map as GeoJSON (RFC 7946), with what is not known said as such.
struct HeatmapDocument {
    let query: HeatmapQuery
    /// When it was asked for.
    let asOf: UnixMilliseconds
    /// Everything acknowledged to phones before this moment counts; nil if that is not known.
    let completeTo: UnixMilliseconds?

    /// The FeatureCollection, cells in order of their quadkeys, and an entity tag of what it shows: the same while only the
    /// moment to which it is complete is another.
    func text(of cells: [UInt64: MetricSum]) -> (text: [UInt8], tag: String) {
        var out: [UInt8] = []
        out.reserveCapacity(600 + 640 * cells.count)
        appendFeatures(cells, to: &out)
        let tag = EntityTag(weaklyOf: out).text
        var head = Array("{\"type\":\"FeatureCollection\",".utf8)
        appendHead(to: &head)
        return (head + out, tag)
    }

    private func appendFeatures(_ cells: [UInt64: MetricSum], to out: inout [UInt8]) {
        out.append(contentsOf: Array("\"features\":[".utf8))
        for (index, code) in cells.keys.sorted().enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            append(cells[code]!.figures, at: Quadkey(level: query.cells.level, code: code), to: &out)
        }
        out.append(contentsOf: Array("]}\n".utf8))
    }

    private func appendHead(to out: inout [UInt8]) {
        let cells = query.cells, seconds = cells.seconds
        let period = BucketCover.rounded(from: seconds.from, to: seconds.to)
        appendMember("programme", cells.programme.name, to: &out)
        appendMember("metric", query.metric.name, to: &out)
        appendMember("unit", field?.unit ?? "", to: &out)
        let stratum = cells.stratum.map { cells.programme.strata.name($0) }
        if cells.cellScope == .networks {
            appendMember("plmn", cells.scope.map { $0.number == 0 ? "unknown" : $0.name }, to: &out)
            appendMember("technology", stratum, to: &out)
        } else {
            appendMember("scope", cells.scope?.text, to: &out)
            appendMember("stratum", stratum, to: &out)
        }
        appendNumber("level", Int64(cells.level), to: &out)
        appendNumber("from_ms", period.from * 1000, to: &out)
        appendNumber("to_ms", period.to * 1000, to: &out)
        appendMember("complete_to", completeTo.map(SystemTime.text), to: &out)
        appendNumber("complete_to_ms", completeTo, to: &out)
        appendMember("as_of", SystemTime.text(asOf), to: &out)
        appendNumber("as_of_ms", asOf, to: &out)
        appendMember("release", "live", to: &out)
        appendMember("method", "cells-1", to: &out)
        appendNumber("quantile", Int64(query.figures.permille), scale: 1_000, to: &out)
        appendNumber(
            "below", query.figures.below.map { metricScale.values(of: $0...$0).lowerBound }, scale: scale, to: &out)
        out.append(contentsOf: Array("\"notes\":{".utf8))
        for (name, note) in Self.notes { appendMember(name, note, to: &out) }
        appendMember(
            "period", "from_ms and to_ms are the period asked for, moved outwards to whole 5 minutes", to: &out)
        out[out.count - 1] = UInt8(ascii: "}")
        out.append(UInt8(ascii: ","))
    }

    private static let notes = [
        (
            "value",
            "the quantile (the median, unless quantile says otherwise): the first bin up to which so much of the weight lies: rounded down to 1 dB, 0.1 % or one rating; of speeds and times the middle of a bin that is at most 1/64 of its value wide"
        ),
        (
            "samples",
            "values of the metric; a cell whose rows have none is no_data; an operator's are those of subscribers who share with operators, a regulator's all"
        ),
        (
            "devices",
            "with values of the metric (in cells that an older version made: with any row); null where that is not known, as where several buckets, networks, technologies or the like were added up and devices may repeat; devices_at_least is a lower bound; a device that changed its consent to share with operators within the bucket counts twice for who sees both"
        ),
        (
            "weights",
            "no device counts for more than a fifth of a stored cell: with n samples of a device and T the largest number for which 5·T is at most the sum of all min(n, T), each sample weighs min(n, T)/n"
        ),
        (
            "interval",
            "between what value lies with 95 %, by order statistics of effective_devices, bins included; null where these are under \(OrderInterval.fewest) or too few for the quantile, or not known"
        ),
        (
            "effective_devices",
            "(sum of W)²/(sum of W²), W the weight of a device: so many independent devices would be as sure; null where that is not known"
        ),
        (
            "method",
            "of effective_devices: exact; bound: so many at least, as several stored cells were added up in which devices may repeat, or there are more than \(DeviceSpread.mostApart) devices in one; unknown: an older version made the cells"
        ),
        (
            "state",
            "no_data: no row has a value; dominated: fewer than \(DeviceCap.devices) devices, or one of very many may have more than a fifth: not capped; low_density: fewer than \(CellFigures.fewDevices) devices or \(OrderInterval.fewest) effective ones, too few to speak for the place; ok"
        ),
        (
            "below",
            "of the values, the share below the threshold, which is moved down to the begin of its bin; below_interval by Wilson, of effective_devices"
        ),
        ("complete_to", "everything acknowledged to phones before this moment counts; null while that is not known"),
    ]

    private func append(_ cell: CellFigures, at place: Quadkey, to out: inout [UInt8]) {
        out.append(
            contentsOf: Array("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[".utf8))
        let (west, south, east, north) = place.bounds
        let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)]
        for (index, corner) in ring.enumerated() {
            out.append(contentsOf: Array((index == 0 ? "[" : ",[").utf8))
            DecimalText.append(Int64((corner.0 * 1e7).rounded()), scale: 10_000_000, to: &out)
            out.append(UInt8(ascii: ","))
            DecimalText.append(Int64((corner.1 * 1e7).rounded()), scale: 10_000_000, to: &out)
            out.append(UInt8(ascii: "]"))
        }
        out.append(contentsOf: Array("]]},\"properties\":{".utf8))
        appendProperties(cell, place, to: &out)
        out.append(contentsOf: Array("}}".utf8))
    }

    private func appendProperties(_ cell: CellFigures, _ place: Quadkey, to out: inout [UInt8]) {
        let permille = query.figures.permille
        let quantile = { (permille: Int) in cell.quantile(permille: permille).map(metricScale.value(of:)) }
        appendMember("quadkey", place.text, to: &out)
        appendMember("state", cell.state.rawValue, to: &out)
        appendNumber("value", quantile(permille), scale: scale, to: &out)
        appendNumber("p10", quantile(100), scale: scale, to: &out)
        appendNumber("p50", quantile(500), scale: scale, to: &out)
        appendNumber("p90", quantile(900), scale: scale, to: &out)
        appendNumber("samples", cell.samples, to: &out)
        appendNumber("devices", cell.devices, to: &out)
        appendNumber("devices_at_least", cell.devicesAtLeast, to: &out)
        appendNumber(
            "effective_devices", cell.effectiveDevices.map { Int64(($0 * 100).rounded(.down)) }, scale: 100, to: &out)
        appendMember("method", cell.method.rawValue, to: &out)
        let interval = cell.interval(permille: permille).map(metricScale.values(of:))
        appendRange("interval", interval, scale: scale, to: &out)
        if let threshold = query.figures.below { appendShare(of: cell, below: threshold, to: &out) }
        appendMember("release", "live", to: &out)
        out.removeLast()
    }

    private func appendShare(of cell: CellFigures, below threshold: Int32, to out: inout [UInt8]) {
        let tenThousandths = { (part: Double) in Int64((part * 10_000).rounded()) }
        let share = cell.share(below: threshold)
        appendNumber("below", share.map(tenThousandths), scale: 10_000, to: &out)
        let interval = share.flatMap(cell.interval(ofShare:)).map {
            tenThousandths($0.lowerBound)...tenThousandths($0.upperBound)
        }
        appendRange("below_interval", interval, scale: 10_000, to: &out)
    }

    private var metricScale: MetricScale { MetricScale(query.metric, field) }

    private var field: Field? { query.cells.programme.field(of: query.metric) }

    private var scale: Int64 { field?.scale ?? 1 }

    private func appendMember(_ name: String, _ value: String?, to out: inout [UInt8]) {
        JSONWriter.appendString(name.utf8, to: &out)
        out.append(UInt8(ascii: ":"))
        if let value {
            JSONWriter.appendString(value.utf8, to: &out)
        } else {
            out.append(contentsOf: Array("null".utf8))
        }
        out.append(UInt8(ascii: ","))
    }

    private func appendNumber(_ name: String, _ value: Int64?, scale: Int64 = 1, to out: inout [UInt8]) {
        JSONWriter.appendString(name.utf8, to: &out)
        out.append(UInt8(ascii: ":"))
        if let value {
            DecimalText.append(value, scale: scale, to: &out)
        } else {
            out.append(contentsOf: Array("null".utf8))
        }
        out.append(UInt8(ascii: ","))
    }

    private func appendRange(_ name: String, _ range: ClosedRange<Int64>?, scale: Int64, to out: inout [UInt8]) {
        guard let range else { return appendMember(name, nil, to: &out) }
        JSONWriter.appendString(name.utf8, to: &out)
        out.append(contentsOf: Array(":[".utf8))
        DecimalText.append(range.lowerBound, scale: scale, to: &out)
        out.append(UInt8(ascii: ","))
        DecimalText.append(range.upperBound, scale: scale, to: &out)
        out.append(contentsOf: Array("],".utf8))
    }
}
