internal import Access
internal import Models

/// The copy of everything that is held about a device, as NDJSON, piece by piece: a summary, the schema of each kind, the lines
/// of every service, and an end by which it is known to be whole.
actor AccessDocument: AnswerStream {
    /// Services that give parts; ingest adds its own lines.
    static let givers = [
        "alert-router", "analytics-exporter", "batch-aggregator", "privacy-worker", "reward-dispatcher",
    ]
    private static let service = "ingest"

    private enum Stage {
        case head
        case parts(giver: Int, index: Int)
        /// Ingest's own lines, after a place.
        case own(String?)
        case over
    }

    private let ticket: AccessTicket
    private let key: [UInt8]
    private let parts: [String: Int]
    private let copies: CopiesReader
    private let directory: DeviceDirectory
    private let contact: String?
    private let permit: Downloads.Permit
    private var stage = Stage.head
    private var lines = 0
    private var isCutShort = false

    /// - Parameters:
    ///   - key: the private key of the request.
    ///   - parts: the number of the last part of each giver.
    ///   - contact: whom to ask; nil says "the operator of this service".
    ///   - permit: held as long as the copy is read.
    init(
        _ ticket: AccessTicket, key: [UInt8], parts: [String: Int], copies: CopiesReader, directory: DeviceDirectory,
        contact: String?, permit: Downloads.Permit
    ) {
        self.ticket = ticket
        self.key = key
        self.parts = parts
        self.copies = copies
        self.directory = directory
        self.contact = contact
        self.permit = permit
    }

    func next() async throws -> [UInt8]? {
        switch stage {
        case .head:
            stage = .parts(giver: 0, index: 1)
            return try await head()
        case .parts(let giver, _) where giver == Self.givers.count:
            stage = .own(nil)
            return []
        case .parts(let giver, let index):
            // The last part of each was told in the summary.
            guard index < parts[Self.givers[giver]] ?? 0 else {
                stage = .parts(giver: giver + 1, index: 1)
                return []
            }
            stage = .parts(giver: giver, index: index + 1)
            return try await copies.accessPart(ticket.request, Self.givers[giver], index, key: key)
        case .own(let place): return try await own(after: place)
        case .over: return nil
        }
    }

    private func head() async throws -> [UInt8] {
        var all = [try await ownContents()]
        for giver in Self.givers {
            let last = try await copies.accessPart(ticket.request, giver, parts[giver] ?? 0, key: key)
            all.append(try AccessContents(bytes: last))
        }
        lines = all.dropFirst().reduce(0) { $0 + $1.lines }
        isCutShort = all.contains(where: \.isCutShort)
        let device = try await directory.identifier(of: ticket.device).map { RecordIdentifier(bytes: $0).text } ?? ""
        var out = try AccessSummary(ticket, device: device, contents: all, contact: contact).line
        for contents in all {
            for held in contents.kinds where held.count > 0 {
                out += try held.kind.schemaLine(of: contents.service) + [UInt8(ascii: "\n")]
            }
        }
        return out
    }

    private func ownContents() async throws -> AccessContents {
        var contents = AccessContents(service: Self.service, kinds: HeldKind.ofDevice), place: String?
        repeat {
            let page = try await directory.heldPage(of: ticket.device, after: place)
            for line in page.lines { contents.count(line) }
            place = page.next
        } while place != nil
        return contents
    }

    private func own(after place: String?) async throws -> [UInt8] {
        let page = try await directory.heldPage(of: ticket.device, after: place)
        var out: [UInt8] = []
        for line in page.lines { line.write(of: Self.service, to: &out) }
        lines += page.lines.count
        if let next = page.next {
            stage = .own(next)
        } else {
            stage = .over
            out +=
                "{\"kind\":\"end\",\"service\":\"\(Self.service)\",\"lines\":\(lines),\"complete\":\(!isCutShort)}\n"
                .utf8
        }
        return out
    }
}
