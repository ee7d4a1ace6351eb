internal import ExporterStores
package import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
package import Models
internal import NIOCore
internal import OpenFormats
internal import Releases
internal import ServiceKit

/// `GET /v1/releases/{id}/tiles/{z}/{x}/{y}`: the atoms of one metric of a release as a Mapbox vector tile, for whoever has a map.
///
/// A tile of zoom z is a cell of level z. It has the atoms whose cells lie inside it, up to eight levels finer, and those around it, which
/// cover all of it. Coarser ones come first, so that a map paints what lies inside over them.
package struct ReleaseTiles: Sendable {
    static let parameters = ["metric", "hour", "technology"]
    /// Levels below that of the tile.
    static let depth = 8
    static let zooms = 0...Quadkey.deepestLevel
    /// Most cells of a tile.
    private static let mostCells = 10_000

    let state: StateReaders
    let programmes: Programmes
    let permits: Permits

    package init(state: StateReaders, programmes: Programmes, permits: Permits) {
        self.state = state
        self.programmes = programmes
        self.permits = permits
    }

    func tile(_ id: String, zoom: String, column: String, row: String, _ request: Request) async throws -> Response {
        guard let found = try await state.read({ try ReleaseStore.find(id, $0) }),
            let programme = programmes.all.first(where: { $0.name == found.document.head.programme })
        else { throw ExporterAPIError.notFound }
        let place = try Self.place(zoom, column, row)
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: Self.parameters)
        let metrics = HeatmapQuery.metrics(of: programme)
        let name = try parameters.choice("metric", of: metrics.map(\.name))
        let hour = try parameters.integer("hour", in: 0...25)
        let technology = try parameters.choice("technology", of: programme.strata.names)
        guard let metric = name.map({ name in metrics.first { $0.name == name } }) ?? metrics.first else {
            throw ExporterAPIError.notFound
        }
        let head = found.document.head, isByHour = head.releaseClass == ReleaseClass.technology.name
        for (field, isGiven) in [("hour", hour != nil), ("technology", technology != nil)] where isGiven != isByHour {
            throw ParameterFault(
                field,
                isByHour ? "needed for a release of class technology" : "only releases of class technology have it")
        }
        // Of the release, and the form of the tile.
        let tag = "\"\(found.document.sha256.prefix(32))-tile-1\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable"]
        if EntityTag(tag).isKnown(to: request.headers) { return Response(status: .notModified, headers: headers) }
        let seat = try permits.seat()
        defer { withExtendedLifetime(seat) {} }
        let atoms = try await state.read { db in
            try ReleaseStore.atoms(of: found.number, metric: metric.number, db) { atom in
                Self.isShown(atom.cell, in: place) && hour.map { $0 == Int(atom.hour) } ?? true
                    && technology.map { programme.strata.name(atom.stratum) == $0 } ?? true
            }
        }
        guard atoms.count <= Self.mostCells else {
            throw ParameterFault(
                "z", "more than \(Self.mostCells) cells; ask for a finer zoom", code: "too_many_cells")
        }
        var tile = VectorTile(layer: "cells")
        for atom in atoms.sorted(by: { ($0.cell?.level ?? 0) < ($1.cell?.level ?? 0) }) {
            guard let cell = atom.cell else { continue }
            Self.append(cell, atom, metric, head, programme, to: &tile, of: place)
        }
        headers[.contentType] = "application/vnd.mapbox-vector-tile"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: tile.bytes)))
    }

    /// - Throws: ``ParameterFault`` naming the part of the path.
    private static func place(_ zoom: String, _ column: String, _ row: String) throws(ParameterFault) -> Quadkey {
        guard let level = Int(zoom), zooms.contains(level) else {
            throw ParameterFault("z", "\"\(zoom.prefix(20))\": expected 0…\(zooms.upperBound)")
        }
        let last = (1 << level) - 1
        guard let x = Int(column), 0...last ~= x else {
            throw ParameterFault("x", "\"\(column.prefix(20))\": expected 0…\(last) at zoom \(level)")
        }
        guard let y = Int(row), 0...last ~= y else {
            throw ParameterFault("y", "\"\(row.prefix(20))\": expected 0…\(last) at zoom \(level)")
        }
        var code: UInt64 = 0
        for bit in 0..<level {
            code |= UInt64(x >> bit & 1) << UInt64(2 * bit) | UInt64(y >> bit & 1) << UInt64(2 * bit + 1)
        }
        return Quadkey(level: level, code: code)
    }

    private static func isShown(_ cell: Quadkey?, in tile: Quadkey) -> Bool {
        guard let cell else { return false }
        if cell.level < tile.level { return tile.parent(at: cell.level) == cell }
        return cell.level <= tile.level + depth && cell.parent(at: tile.level) == tile
    }

    private static func append(
        _ cell: Quadkey, _ atom: ReleasedAtom, _ metric: ProgrammeMetric, _ head: ReleaseHead, _ programme: Programme,
        to tile: inout VectorTile, of place: Quadkey
    ) {
        let scale = Double(programme.field(of: metric)?.scale ?? 1), figures = atom.figures
        var properties: [(key: String, value: VectorTile.Value)] = [
            ("quadkey", .text(cell.text)), ("metric", .text(metric.name)), ("network", .text(head.network)),
            ("devices_at_least", .integer(figures.devices)), ("samples_at_least", .integer(figures.samples)),
        ]
        if let mean = figures.meanHundredths { properties.append(("mean", .double(Double(mean) / (100 * scale)))) }
        let ends = figures.medianEnds(metric.bins)
        if let low = ends.low { properties.append(("p50_low", .double(Double(low) / scale))) }
        if let high = ends.high { properties.append(("p50_high", .double(Double(high) / scale))) }
        if head.releaseClass == ReleaseClass.technology.name {
            properties.append(("hour", .text(SystemTime.text(head.fromMs + Int64(atom.hour) * 3_600_000))))
            properties.append(("technology", .text(programme.strata.name(atom.stratum))))
        }
        guard cell.level >= place.level else {
            return tile.append(column: 0, row: 0, side: VectorTile.extent, properties)
        }
        let finer = cell.level - place.level, side = VectorTile.extent >> finer
        let mask = (1 << finer) - 1
        tile.append(column: (cell.column & mask) * side, row: (cell.row & mask) * side, side: side, properties)
    }
}
