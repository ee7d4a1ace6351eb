package import IngestSupport
internal import Models
internal import SubjectRights

/// The copy of everything that is held about a device, as NDJSON, piece by piece: a summary, the schema of each kind, the lines
/// of every service, and an end by which it is known to be whole.
package actor AccessDocument: AnswerStream {
    /// Services that give parts; ingest adds its own lines.
    package static let givers = [
        "alert-router", "analytics-exporter", "batch-aggregator", "privacy-worker", "reward-dispatcher",
    ]
    private static let service = "ingest"

    private let ticket: AccessTicket
    private let key: [UInt8]
    private let parts: [String: Int]
    private let copies: CopiesReader
    private let directory: DeviceDirectory
    private let contact: String?
    private let permit: Downloads.Permit?
    private var stage: AccessStage
    /// Lines of others, and whether they are all; nil until somebody has looked.
    private var others: (lines: Int, areAll: Bool)?

    /// - Parameters:
    ///   - key: the private key of the request.
    ///   - parts: the number of the last part of each giver.
    ///   - contact: whom to ask; nil says "the operator of this service".
    ///   - permit: held as long as the copy is read.
    ///   - stage: where it goes on.
    package init(
        _ ticket: AccessTicket, key: [UInt8], parts: [String: Int], copies: CopiesReader, directory: DeviceDirectory,
        contact: String?, permit: Downloads.Permit?, from stage: AccessStage = .head
    ) {
        self.stage = stage
        self.ticket = ticket
        self.key = key
        self.parts = parts
        self.copies = copies
        self.directory = directory
        self.contact = contact
        self.permit = permit
    }

    package func next() async throws -> [UInt8]? {
        switch stage {
        case .head:
            stage = .parts(giver: 0, index: 1)
            return try await head()
        case .parts(let giver, _) where giver == Self.givers.count:
            stage = .own(lines: 0, after: nil)
            return []
        case .parts(let giver, let index):
            // The last part of each was told in the summary.
            guard index < parts[Self.givers[giver]] ?? 0 else {
                stage = .parts(giver: giver + 1, index: 1)
                return []
            }
            stage = .parts(giver: giver, index: index + 1)
            return try await copies.accessPart(ticket.request, Self.givers[giver], index, key: key)
        case .own(let lines, let place): return try await own(lines, after: place)
        case .over: return nil
        }
    }

    /// Where the next piece begins; nil if there is none.
    package var place: String? { stage.text }

    private func head() async throws -> [UInt8] {
        let all = [try await ownContents()] + (try await contentsOfOthers())
        let device = try await directory.identifier(of: ticket.device).map { RecordIdentifier(bytes: $0).text } ?? ""
        var out = try AccessSummary(ticket, device: device, contents: all, contact: contact).line
        for contents in all {
            for held in contents.kinds where held.count > 0 {
                out += try held.kind.schemaLine(of: contents.service) + [UInt8(ascii: "\n")]
            }
        }
        return out
    }

    /// What the last part of each giver says.
    private func contentsOfOthers() async throws -> [AccessContents] {
        var all: [AccessContents] = []
        for giver in Self.givers {
            let last = try await copies.accessPart(ticket.request, giver, parts[giver] ?? 0, key: key)
            all.append(try AccessContents(bytes: last))
        }
        others = (all.reduce(0) { $0 + $1.lines }, !all.contains(where: \.isCutShort))
        return all
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

    private func own(_ before: Int, after place: String?) async throws -> [UInt8] {
        let page = try await directory.heldPage(of: ticket.device, after: place)
        var out: [UInt8] = []
        for line in page.lines { line.write(of: Self.service, to: &out) }
        let lines = before + page.lines.count
        stage = page.next.map { .own(lines: lines, after: $0) } ?? .over
        guard page.next == nil else { return out }
        if others == nil { _ = try await contentsOfOthers() }
        let (told, areAll) = others ?? (0, false)
        out +=
            "{\"kind\":\"end\",\"service\":\"\(Self.service)\",\"lines\":\(told + lines),\"complete\":\(areAll)}\n".utf8
        return out
    }
}
