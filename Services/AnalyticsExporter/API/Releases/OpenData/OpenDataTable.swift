internal import Models
internal import OpenFormats
internal import Releases
internal import ServiceKit

/// Open data of a release: what its atoms say of download, upload and latency, side by side, by the columns of Ookla's open data and some more.
struct OpenDataTable {
    /// The metrics with columns of their own, and what these are called.
    static let metrics = [("download_kbps", "d_kbps"), ("upload_kbps", "u_kbps"), ("latency_ms", "lat_ms")]

    /// A line: a cell, in releases by hour and technology one of each.
    struct Row {
        let key: Key
        let cell: Quadkey?
        /// In the order of ``OpenDataTable/metrics``; nil where the release has no atom of the metric there.
        var figures: [AtomFigures?]
    }

    /// Where a line stands.
    struct Key: Comparable {
        let hour, stratum: UInt8
        let order: UInt64

        init(_ atom: ReleasedAtom) {
            (hour, stratum, order) = (atom.hour, atom.stratum, Carry.order(of: atom.cell))
        }

        static func < (left: Key, right: Key) -> Bool {
            (left.hour, left.stratum, left.order) < (right.hour, right.stratum, right.order)
        }
    }

    let head: ReleaseHead
    let programme: Programme
    let licence: String
    /// The number of each of ``metrics``, with its bins and how many stored units are one of its name.
    let columns: [(number: UInt8, bins: BinTable, scale: Int64)]

    /// Nil for a programme without these metrics.
    init?(_ head: ReleaseHead, _ programme: Programme, licence: String) {
        self.head = head
        self.programme = programme
        self.licence = licence
        columns = Self.metrics.compactMap { name, _ in
            programme.metrics.first { $0.name == name }.map { metric in
                (metric.number, metric.bins, programme.field(of: metric)?.scale ?? 1)
            }
        }
        guard columns.count == Self.metrics.count else { return nil }
    }

    private var isByHour: Bool { head.releaseClass == ReleaseClass.technology.name }

    /// The columns of some lines, in the order of the file.
    ///
    /// - Parameter hasGeometry: with the cells as well-known binary, behind the others.
    func columns(of rows: [Row], hasGeometry: Bool) -> [ParquetFile.Column] {
        let bounds = rows.map(\.cell?.bounds)
        var found: [ParquetFile.Column] = [
            .init("quadkey", .text(rows.map(\.cell?.text))), .init("tile", .text(bounds.map { $0.map(Self.polygon) })),
            .init("tile_x", .double(bounds.map { $0.map { ($0.west + $0.east) / 2 } })),
            .init("tile_y", .double(bounds.map { $0.map { ($0.south + $0.north) / 2 } })),
        ]
        for (place, metric) in Self.metrics.enumerated() {
            let scale = 100 * columns[place].scale
            found.append(
                .init(
                    "avg_\(metric.1)",
                    .int64(
                        rows.map { row in
                            row.figures[place].flatMap(\.meanHundredths).map { Self.rounded($0, by: scale) }
                        })))
        }
        // Each is a lower end, so the greatest of them is one too.
        found.append(.init("tests", .int64(rows.map { $0.figures.compactMap { $0?.samples }.max() })))
        found.append(.init("devices", .int64(rows.map { $0.figures.compactMap { $0?.devices }.max() })))
        for place in Self.metrics.indices { found += columns(of: place, rows) }
        found += [
            .init("hour", .text(rows.map { isByHour ? Self.hour(head, $0.key.hour) : nil })),
            .init("technology", .text(rows.map { isByHour ? programme.strata.name($0.key.stratum) : nil })),
            .init("network", .text(rows.map { _ in head.network })),
            .init("release", .text(rows.map { _ in head.id })), .init("licence", .text(rows.map { _ in licence })),
        ]
        guard hasGeometry else { return found }
        return found + [
            .init(
                "geometry",
                .bytes(
                    bounds.map { bounds in
                        bounds.map {
                            Geometry.rectangle(west: $0.west, south: $0.south, east: $0.east, north: $0.north)
                        }
                    }))
        ]
    }

    /// What one metric says of itself.
    private func columns(of place: Int, _ rows: [Row]) -> [ParquetFile.Column] {
        let (name, column) = (Self.metrics[place].1, columns[place])
        let ends = rows.map { $0.figures[place]?.medianEnds(column.bins) }
        func shown(_ end: Int64?) -> Double? { end.map { Double($0) / Double(column.scale) } }
        return [
            .init("p50_\(name)_low", .double(ends.map { shown($0?.low) })),
            .init("p50_\(name)_high", .double(ends.map { shown($0?.high) })),
            .init("tests_\(name)", .int64(rows.map { $0.figures[place]?.samples })),
            .init("devices_\(name)", .int64(rows.map { $0.figures[place]?.devices })),
        ]
    }

    /// As text of a spreadsheet: RFC 4180, what is missing is empty.
    static func csv(_ columns: [ParquetFile.Column], hasNames: Bool) -> [UInt8] {
        var out: [UInt8] = []
        func line(_ values: [String]) {
            out += Array(values.map(quoted).joined(separator: ",").utf8) + [13, 10]
        }
        if hasNames { line(columns.map(\.name)) }
        let values = columns.map { texts($0.values) }
        for row in 0..<(values.first?.count ?? 0) { line(values.map { $0[row] }) }
        return out
    }

    private static func texts(_ values: ParquetFile.Column.Values) -> [String] {
        switch values {
        case .int64(let values): values.map { $0.map { "\($0)" } ?? "" }
        case .double(let values): values.map { $0.map { "\($0)" } ?? "" }
        case .text(let values): values.map { $0 ?? "" }
        case .bytes(let values): values.map { _ in "" }
        }
    }

    private static func quoted(_ text: String) -> String {
        text.contains(where: { ",\"\r\n".contains($0) })
            ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// Well-known text of a cell.
    private static func polygon(
        _ bounds: (west: Double, south: Double, east: Double, north: Double)
    ) -> String {
        let (west, south, east, north) = bounds
        return "POLYGON((\(west) \(north), \(east) \(north), \(east) \(south), \(west) \(south), \(west) \(north)))"
    }

    private static func hour(_ head: ReleaseHead, _ hour: UInt8) -> String {
        SystemTime.text(head.fromMs + Int64(hour) * 3_600_000)
    }

    /// Rounded half away from zero.
    private static func rounded(_ value: Int64, by scale: Int64) -> Int64 {
        (value + (value < 0 ? -scale : scale) / 2) / scale
    }
}
