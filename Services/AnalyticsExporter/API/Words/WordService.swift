package import ExporterRows
internal import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/words`: of which words the comments of bad ratings are, as far as enough phones wrote them.
package struct WordService: Sendable {
    /// Names of the parameters.
    static let parameters =
        ["rating"] + FigureSelection.parameters.filter { !["programme", "scope", "stratum"].contains($0) }
    /// A rating that is bad still.
    private static let worst: Int64 = 2

    let source: FigureSource
    let rows: RawRowFiles.Opener
    let permits: Permits
    private let thread = ReadingThread("words")

    /// - Parameter permits: of downloads, whose files it reads.
    package init(_ source: FigureSource, rows: RawRowFiles.Opener, permits: Permits) {
        self.source = source
        self.rows = rows
        self.permits = permits
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: Self.parameters)
        let shown = source.networkProgrammes.filter { Self.kind(of: $0) != nil }
        let selection = try FigureSelection(parameters, shown, source.regions, of: "comments", now: now)
        let worst = try parameters.integer("rating", in: 1...5).map(Int64.init) ?? Self.worst
        let cells = selection.cells
        guard let kind = Self.kind(of: cells.programme) else { throw ExporterAPIError.notFound }
        let comments = RawRowComments(
            RawRowScan(
                of: kind, rows.layout, period: cells.period, scope: scope,
                networks: try scope.narrowed(to: cells.scope), isWanted: selection.rowFilter), upTo: worst)
        let answer = FigureAnswer(now: now, completeTo: source.cells.freshness.completeTo(.rows))
        // Held here, and not by the thread, which may give it back only after the next one was asked for.
        let seat = try permits.seat()
        defer { withExtendedLifetime(seat) {} }
        let (found, words) = try await thread.run { [rows] in
            let found = try comments.read(rows)
            return (found, CommentWords(found.comments))
        }
        var members = FigureAnswer.head(selection, from: 0, to: 0)
        members["from_ms"] = .integer(cells.period.lowerBound)
        members["to_ms"] = .integer(cells.period.upperBound)
        members["plmn"] = cells.scope.map { .string(FigureAnswer.name(of: PLMN(rawValue: $0.number))) } ?? .null
        members["method"] = "words-1"
        members["rating_at_most"] = .integer(worst)
        members["ratings"] = .integer(Int64(found.ratings))
        members["comments"] = .integer(Int64(found.comments.count))
        members["devices_of_a_word"] = .integer(Int64(CommentWords.fewestDevices))
        members["words"] = .array(
            words.words.map { ["word": .string($0.text), "devices": .integer(Int64($0.devices))] })
        return try answer.response(members, to: request)
    }

    /// Whose rows have a rating and a comment.
    private static func kind(of programme: Programme) -> RecordKind? {
        programme.kinds.first { kind in
            kind.isRawRow && kind.kind.field(ColumnID.rating) != nil && kind.kind.field(ColumnID.comment) != nil
        }?.kind
    }
}
