import Foundation
import PipelineTesting

/// Raw rows as the exporter gives them to the regulator.
enum RawRowsPage {
    /// All rows, by record id; the number of times each came is kept, for it must be 1.
    static func read(_ pack: ServicePack) throws -> [String: [[String: Any]]] {
        let token = try String(contentsOfFile: pack.home.path("home/keys/regulator.token"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let answer = try HTTPExchange.send(
            "GET", "/v1/reports.ndjson", port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"],
            timeout: 120)
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        var rows: [String: [[String: Any]]] = [:]
        for line in answer.body.split(separator: 10) {
            let row = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] ?? [:]
            rows[row["id"] as? String ?? "", default: []].append(row)
        }
        return rows
    }
}
