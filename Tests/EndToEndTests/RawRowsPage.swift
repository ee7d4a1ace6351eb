import Foundation
import PipelineTesting
import TemporaryFiles

/// Raw rows as the exporter gives them to somebody who may look.
enum RawRowsPage {
    /// The built-in regulator's token.
    static func regulatorToken(_ pack: ServicePack) throws -> String {
        try String(contentsOfFile: pack.home.path("home/keys/regulator.token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The regulator's rows, by record id; the number of times each came is kept, for it must be 1.
    static func read(_ pack: ServicePack) throws -> [String: [[String: Any]]] {
        Dictionary(grouping: try rows(pack, token: regulatorToken(pack))) { $0["id"] as? String ?? "" }
    }

    /// Every row that the owner of a token may see.
    static func rows(_ pack: ServicePack, token: String) throws -> [[String: Any]] {
        let answer = try HTTPExchange.send(
            "GET", "/v1/reports.ndjson", port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"],
            timeout: 120)
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        return try answer.body.split(separator: 10).map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
        }
    }
}
