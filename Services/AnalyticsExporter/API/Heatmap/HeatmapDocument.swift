internal import Crypto
internal import ExporterSupport
internal import Models
internal import ServiceKit

/// Writes a heat map as GeoJSON (RFC 7946), with what is not known said as such.
struct HeatmapDocument {
    let query: HeatmapQuery
    /// Everything acknowledged to phones before this moment counts; nil if that is not known.
    let completeTo: UnixMilliseconds?

    /// The FeatureCollection, cells in order of their quadkeys, and an entity tag of what it shows: the same while only the
    /// moment to which it is complete is another.
    func text(of cells: [UInt64: HeatmapCell]) -> (text: [UInt8], tag: String) {
        var out: [UInt8] = []
        out.reserveCapacity(600 + 480 * cells.count)
        appendFeatures(cells, to: &out)
        let digest = Hexadecimal.text(Array(SHA256.hash(data: out).prefix(12)))
        var head = Array("{\"type\":\"FeatureCollection\",".utf8)
        appendHead(to: &head)
        return (head + out, "W/\"\(digest)\"")
    }

    private func appendFeatures(_ cells: [UInt64: HeatmapCell], to out: inout [UInt8]) {
        out.append(contentsOf: Array("\"features\":[".utf8))
        for (index, code) in cells.keys.sorted().enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            append(cells[code]!, at: Quadkey(level: query.cells.level, code: code), to: &out)
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
        appendMember("release", "live", to: &out)
        out.append(contentsOf: Array("\"notes\":{".utf8))
        appendMember(
            "value",
            "the median (p50): the value of the bin at rank ceil(samples/2): rounded down to 1 dB, 0.1 % or one rating; of speeds and times the middle of a bin that is at most 1/64 of its value wide",
            to: &out)
        appendMember(
            "samples",
            "values of the metric; a cell whose rows have none is no_data; an operator's are those of subscribers who share with operators, a regulator's all",
            to: &out)
        appendMember(
            "devices",
            "null where several buckets, networks, technologies or the like were added up and devices may repeat; devices_at_least is a lower bound; a device that changed its consent to share with operators within the bucket counts twice for who sees both",
            to: &out)
        appendMember(
            "state",
            "no_data: no row has a value; dominated: fewer than \(HeatmapCell.fewDevices) devices, or as many are not known: too few to speak for the place; ok",
            to: &out)
        appendMember(
            "complete_to", "everything acknowledged to phones before this moment counts; null while that is not known",
            to: &out)
        appendMember("interval", "null: 95 % intervals are not computed by this version", to: &out)
        appendMember(
            "period", "from_ms and to_ms are the period asked for, moved outwards to whole 5 minutes", to: &out)
        out[out.count - 1] = UInt8(ascii: "}")
        out.append(UInt8(ascii: ","))
    }

    private func append(_ cell: HeatmapCell, at place: Quadkey, to out: inout [UInt8]) {
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

    private func appendProperties(_ cell: HeatmapCell, _ place: Quadkey, to out: inout [UInt8]) {
        let values = cell.quantiles(
            [10, 50, 90], table: query.metric.bins, range: field?.range ?? .min ... .max)
        appendMember("quadkey", place.text, to: &out)
        appendMember("state", values == nil ? "no_data" : cell.isDominated ? "dominated" : "ok", to: &out)
        appendNumber("value", values?[1], scale: scale, to: &out)
        appendNumber("p10", values?[0], scale: scale, to: &out)
        appendNumber("p50", values?[1], scale: scale, to: &out)
        appendNumber("p90", values?[2], scale: scale, to: &out)
        appendNumber("samples", cell.samples, to: &out)
        appendNumber("devices", cell.devices, to: &out)
        appendNumber("devices_at_least", cell.mostDevices, to: &out)
        appendNumber("interval", nil, to: &out)
        appendMember("release", "live", to: &out)
        out.removeLast()
    }

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
}
