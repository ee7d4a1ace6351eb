import Foundation
import PipelineTesting

/// Exports as an operator fetches them.
struct ExportsPage: Decodable {
    struct File: Decodable {
        let name, content, period, state: String
        let version: Int
        let rows: Int?
    }

    let files: [File]
    private let complete_to_ms: Int64?

    static func read(_ pack: ServicePack, _ token: String) throws -> ExportsPage {
        try JSONDecoder().decode(ExportsPage.self, from: Data(fetch("/v1/exports", pack, token)))
    }

    /// Every row that was received before is in the files of hours.
    var complete: Int64 { complete_to_ms ?? 0 }

    /// What stands at a path, which must be there.
    static func fetch(_ path: String, _ pack: ServicePack, _ token: String) throws -> [UInt8] {
        let headers = ["Authorization": "Bearer \(token)"]
        let answer = try HTTPExchange.send("GET", path, port: pack.exporterPort, headers: headers, timeout: 120)
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        return answer.body
    }

    var isCurrent: Bool { files.allSatisfy { $0.state == "current" } }

    /// Raw rows in files of hours.
    var rows: Int { files.reduce(0) { $0 + ($1.isHourOfRows ? $1.rows ?? 0 : 0) } }

    /// Lines in files of statistics.
    var figures: Int { files.reduce(0) { $0 + ($1.content == "statistics" ? $1.rows ?? 0 : 0) } }

    /// Fetches the signed list and every file into a directory, and checks them with `nkul` and with the system's programs.
    ///
    /// The list comes first: a file that is made meanwhile is fetched and not listed, never the other way round.
    ///
    /// - Returns: the lines of all files of hours, without those of names, and before when rows of them were received.
    static func fetched(
        _ pack: ServicePack, _ token: String, to directory: String
    ) throws -> (lines: [String], end: Int64) {
        try? FileManager.default.removeItem(atPath: directory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        func keep(_ bytes: [UInt8], _ name: String) throws -> String {
            try Data(bytes).write(to: URL(filePath: "\(directory)/\(name)"))
            return "\(directory)/\(name)"
        }
        let list = try keep(fetch("/v1/exports.jws", pack, token), "list.jws")
        let page = try read(pack, token)
        let keys = try HTTPExchange.send("GET", "/.well-known/nkul-keys.json", port: pack.ingestPort)
        let keyFile = try keep(keys.body, "keys.json")
        var lines: [String] = []
        for file in page.files {
            let path = try keep(fetch("/v1/exports/\(file.name)", pack, token), file.name)
            guard try SystemProgram.run("/usr/bin/gunzip", ["--keep", path]) else {
                throw Refused(status: 0, text: "\(file.name) is no gzip")
            }
            guard file.isHourOfRows else { continue }
            let text = try String(contentsOfFile: String(path.dropLast(3)), encoding: .utf8)
            lines += text.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty }
        }
        _ = try pack.answer("nkul", ["admin", "exports", "verify", list, "--keys", keyFile, "--in", directory])
        // The command that does all of this by itself, over what is there already.
        let contact = try keep(Array(token.utf8), "contact")
        _ = try pack.answer(
            "nkul",
            [
                "export", directory, "--url", "http://127.0.0.1:\(pack.exporterPort)", "--token", contact, "--keys",
                keyFile,
                "--force",
            ])
        return (lines, page.complete)
    }
}

extension ExportsPage.File {
    fileprivate var isHourOfRows: Bool { content == "reports" && period == "hour" }
}
