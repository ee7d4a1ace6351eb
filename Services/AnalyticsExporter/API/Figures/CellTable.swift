internal import ExporterSupport
internal import Models
internal import ServiceKit

/// The heat map as flat rows, one a cell, with the place of its middle.
struct CellTable {
    enum Format: String { case json, csv }

    private static let names = [
        "quadkey", "latitude", "longitude", "state", "value", "p10", "p50", "p90", "interval_low", "interval_high",
        "samples", "devices", "devices_at_least", "below", "release",
    ]

    let format: Format
    let query: HeatmapQuery

    /// The rows in order of their quadkeys: lines of CSV below their names, or objects of JSON in brackets.
    func text(of cells: [UInt64: MetricSum]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(200 + (format == .json ? 330 : 120) * cells.count)
        out.append(
            contentsOf: format == .json ? Array("[".utf8) : Array((Self.names.joined(separator: ",") + "\r\n").utf8))
        for (index, code) in cells.keys.sorted().enumerated() {
            if format == .json, index > 0 { out.append(UInt8(ascii: ",")) }
            append(cells[code]!.figures, Quadkey(level: query.cells.level, code: code), to: &out)
        }
        if format == .json { out.append(UInt8(ascii: "]")) }
        return out
    }

    private enum Cell {
        case text(String)
        case number(Int64?, scale: Int64)
    }

    private func append(_ figures: CellFigures, _ place: Quadkey, to out: inout [UInt8]) {
        for (index, cell) in row(figures, place).enumerated() {
            if format == .json {
                out.append(UInt8(ascii: index == 0 ? "{" : ","))
                JSONWriter.appendString(Self.names[index].utf8, to: &out)
                out.append(UInt8(ascii: ":"))
            } else if index > 0 {
                out.append(UInt8(ascii: ","))
            }
            append(cell, to: &out)
        }
        out.append(contentsOf: format == .json ? Array("}".utf8) : Array("\r\n".utf8))
    }

    private func row(_ figures: CellFigures, _ place: Quadkey) -> [Cell] {
        let field = query.cells.programme.field(of: query.metric)
        let values = MetricScale(query.metric, field), scale = field?.scale ?? 1
        let quantile = { permille in
            Cell.number(figures.quantile(permille: permille).map { values.value(of: $0) }, scale: scale)
        }
        let ends = figures.interval(permille: query.figures.permille).map { values.values(of: $0) }
        let (west, south, east, north) = place.bounds
        let middle = { (one: Double, other: Double) in
            Cell.number(Int64(((one + other) / 2 * 1e7).rounded()), scale: 10_000_000)
        }
        let below = query.figures.below.flatMap { figures.share(below: $0) }.map { Int64(($0 * 10_000).rounded()) }
        return [
            .text(place.text), middle(south, north), middle(west, east), .text(figures.state.rawValue),
            quantile(query.figures.permille), quantile(100), quantile(500), quantile(900),
            .number(ends?.lowerBound, scale: scale),
            .number(ends?.upperBound, scale: scale), .number(figures.samples, scale: 1),
            .number(figures.devices, scale: 1), .number(figures.devicesAtLeast, scale: 1),
            .number(below, scale: 10_000), .text("live"),
        ]
    }

    /// What is not known is null in JSON and nothing in CSV. Texts are quadkeys and words.
    private func append(_ cell: Cell, to out: inout [UInt8]) {
        switch cell {
        case .text(let text):
            if format == .json {
                JSONWriter.appendString(text.utf8, to: &out)
            } else {
                out.append(contentsOf: text.utf8)
            }
        case .number(let value?, let scale): DecimalText.append(value, scale: scale, to: &out)
        case .number(nil, _): if format == .json { out.append(contentsOf: "null".utf8) }
        }
    }
}
