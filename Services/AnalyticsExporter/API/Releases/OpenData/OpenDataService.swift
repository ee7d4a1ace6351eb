package import ExporterStores
package import ExporterSupport
internal import HTTPTypes
internal import Hummingbird
package import Models
internal import NIOCore
internal import OpenFormats
internal import ServiceKit
internal import Wire

/// `GET /v1/releases/{id}/open-data.csv.gz` and `.parquet`: a release by the columns that readers of open data know. Made while it is sent,
/// a group of lines at a time; the same release gives the same bytes.
package struct OpenDataService: Sendable {
    enum Format: String, CaseIterable {
        case csv = "csv.gz"
        case parquet

        var mediaType: String { self == .csv ? "application/gzip" : "application/vnd.apache.parquet" }
    }

    /// Lines of a group.
    private static let group = 4_096

    let state: StateReaders
    let programmes: Programmes
    /// Under which whoever gets it may use it; without one nothing is given.
    let licence: String?
    let permits: Permits

    package init(state: StateReaders, programmes: Programmes, licence: String?, permits: Permits) {
        self.state = state
        self.programmes = programmes
        self.licence = licence
        self.permits = permits
    }

    func file(_ id: String, _ format: Format, _ request: Request) async throws -> Response {
        guard let licence else {
            throw ExporterAPIError(
                .notFound, "no_licence", "no licence of open data is set here (NKUL_RELEASES_LICENCE)")
        }
        guard let found = try await state.read({ try ReleaseStore.find(id, $0) }),
            let programme = programmes.all.first(where: { $0.name == found.document.head.programme }),
            let table = OpenDataTable(found.document.head, programme, licence: licence)
        else { throw ExporterAPIError.notFound }
        // Of the release, the form of the file, and what stands in each line of it.
        let tag = "\"\(found.document.sha256.prefix(32))-1-\(Hexadecimal.text(Array(licence.utf8)))\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=86400"]
        if EntityTag(tag).isKnown(to: request.headers) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = format.mediaType
        headers[.contentDisposition] = "attachment; filename=\"\(id).\(format.rawValue)\""
        let seat = try permits.seat(), state = state
        return Response(
            status: .ok, headers: headers,
            body: .init { writer in
                defer { withExtendedLifetime(seat) {} }
                var rows = try await OpenDataRows(found.number, table, state)
                var file = OpenDataFile(format, table)
                while true {
                    let group = try await rows.next(atMost: Self.group)
                    let bytes = try file.append(group)
                    if !bytes.isEmpty { try await writer.write(ByteBuffer(bytes: bytes)) }
                    if group.isEmpty { break }
                }
                try await writer.finish(nil)
            })
    }
}

/// Writes lines in one of the formats.
private struct OpenDataFile {
    private let format: OpenDataService.Format
    private let table: OpenDataTable
    private var parquet = ParquetFile()
    private var deflater = Deflater(format: .gzip)
    private var hasBegun = false
    /// Around all cells: west, south, east, north.
    private var box: [Double]?

    init(_ format: OpenDataService.Format, _ table: OpenDataTable) {
        self.format = format
        self.table = table
    }

    /// The bytes of some more lines; without lines those of the end.
    mutating func append(_ rows: [OpenDataTable.Row]) throws -> [UInt8] {
        defer { hasBegun = true }
        switch format {
        case .csv:
            var out: [UInt8] = []
            let columns = table.columns(of: rows, hasGeometry: false)
            try deflater.append(OpenDataTable.csv(columns, hasNames: !hasBegun), into: &out)
            if rows.isEmpty { try deflater.finish(into: &out) }
            return out
        case .parquet:
            for bounds in rows.compactMap(\.cell?.bounds) {
                let old = box ?? [bounds.west, bounds.south, bounds.east, bounds.north]
                box = [
                    min(old[0], bounds.west), min(old[1], bounds.south), max(old[2], bounds.east),
                    max(old[3], bounds.north),
                ]
            }
            let group = try parquet.append(table.columns(of: rows, hasGeometry: true))
            return rows.isEmpty ? group + parquet.footer([("geo", Geometry.metadata(box: box))]) : group
        }
    }
}
