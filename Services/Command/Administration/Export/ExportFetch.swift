import Foundation
import Models
import ServiceKit

/// Fetches what a signed list has, file by file.
actor ExportFetch {
    private let client: ExportClient
    private let keys: PublicKeys
    private let directory: String
    private let replaces: Bool
    private let query: [(name: String, value: String)]
    private let progress: ExportProgress
    private var tenant = ""
    private var at: Int64 = 0
    private var listed = 0
    private var outcomes: [(name: String, outcome: ExportDownload.Outcome)] = []
    private var isComplete = false

    /// Pages of a list that are taken at most; a thousand files each.
    private static let mostPages = 100

    /// - Parameters:
    ///   - directory: of the files; made if need be.
    ///   - query: of the list.
    /// - Throws: `ServiceError` naming the directory.
    init(
        client: ExportClient, keys: PublicKeys, directory: String, replaces: Bool,
        query: [(name: String, value: String)], progress: ExportProgress
    ) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw ServiceError(.failed, "cannot make \(directory): \(error.localizedDescription)") }
        (self.client, self.keys, self.directory, self.replaces) = (client, keys, directory, replaces)
        (self.query, self.progress) = (query, progress)
    }

    /// - Throws: `ServiceError` if a list is not signed, or nobody answers; `CancellationError`.
    func run() async throws {
        var cursor: String?
        for number in 1...Self.mostPages {
            let page = try await page(number, after: cursor)
            for file in page.files { try await fetch(file) }
            guard let next = page.next else {
                isComplete = true
                return
            }
            cursor = next
        }
        throw ServiceError(
            .failed, "the list has more than \(Self.mostPages) pages: ask for a shorter time (--from, --to)")
    }

    /// A page whose signature holds, which is kept.
    private func page(_ number: Int, after cursor: String?) async throws -> ListedExports {
        let text = try await client.list(query + (cursor.map { [("cursor", $0)] } ?? []))
        guard let signed = CompactJWS(text), ListedExports.isSigned(signed, by: keys) else {
            throw ServiceError(.failed, "the list of \(client.base) does not hold: none of the keys has signed it")
        }
        guard let page = ListedExports(signed) else {
            throw ServiceError(.failed, "\(client.base) answered no list of exports")
        }
        let path = directory + "/list" + (number == 1 ? "" : "-\(number)") + ".jws"
        do { try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw ServiceError(.failed, "cannot write \(path): \(error.localizedDescription)")
        }
        (tenant, at) = (page.tenant, page.at_ms)
        listed += page.files.count
        progress.expect(files: page.files.count, bytes: page.files.reduce(0) { $0 + ($1.bytes ?? 0) })
        return page
    }

    private func fetch(_ file: ListedExports.File) async throws {
        try Task.checkCancellation()
        guard file.isPlain else {
            throw ServiceError(
                .failed, "the list names a file \"\(file.name.prefix(80))\", which is none that can be written")
        }
        var outcome = ExportDownload.Outcome.rewriting
        if let sha256 = file.sha256, let bytes = file.bytes {
            outcome = try await ExportDownload(
                directory: directory, name: file.name, sha256: sha256, bytes: bytes, replaces: replaces,
                progress: progress
            ).fetch(client)
        }
        outcomes.append((file.name, outcome))
        progress.finishFile()
    }

    func summary(wasInterrupted: Bool) -> ExportSummary {
        ExportSummary(
            tenant: tenant, at: at, listed: listed, outcomes: outcomes, isComplete: isComplete,
            wasInterrupted: wasInterrupted)
    }
}

/// What became of the files of a list.
struct ExportSummary: Encodable {
    struct File: Encodable {
        let name: String
        let state: ExportDownload.Outcome
    }

    /// Whether every listed file is there as listed, but for those that are being rewritten.
    let sound: Bool
    let tenant: String
    let at_ms: Int64
    let listed: Int
    let fetched, same, replaced: Int
    let interrupted: Bool
    /// All but those that were there already.
    let files: [File]

    init(
        tenant: String, at: Int64, listed: Int, outcomes: [(name: String, outcome: ExportDownload.Outcome)],
        isComplete: Bool, wasInterrupted: Bool
    ) {
        let bad: Set<ExportDownload.Outcome> = [.different, .gone, .damaged]
        let count = { (wanted: ExportDownload.Outcome) in outcomes.count { $0.outcome == wanted } }
        sound = isComplete && !wasInterrupted && !outcomes.contains { bad.contains($0.outcome) }
        (self.tenant, at_ms, self.listed, interrupted) = (tenant, at, listed, wasInterrupted)
        (fetched, same, replaced) = (count(.fetched), count(.same), count(.replaced))
        files = outcomes.filter { $0.outcome != .same }.map { File(name: $0.name, state: $0.outcome) }
    }

    var text: String {
        let told = files.filter { $0.state != .fetched && $0.state != .replaced }.map { file in
            switch file.state {
            case .different: "\(file.name): is there with other bytes; --force replaces it"
            case .rewriting: "\(file.name): is being rewritten; ask again later"
            case .gone: "\(file.name): went since it was listed"
            default: "\(file.name): its bytes are not those of the list"
            }
        }
        let counts = "\(fetched) fetched, \(replaced) replaced, \(same) there already, of \(listed) listed"
        return (told + [interrupted ? counts + "; interrupted: the same command goes on" : counts]).joined(
            separator: "\n")
    }
}
