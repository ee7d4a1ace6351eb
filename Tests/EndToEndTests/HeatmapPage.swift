import Foundation
import PipelineTesting

/// The heat map as the regulator gets it.
enum HeatmapPage {
    /// The cells of every network and of all together, of the days around a time, each with its figures in a fixed order.
    ///
    /// - Parameter now: Unix milliseconds.
    static func read(_ pack: ServicePack, plmns: [String], around now: Int) throws -> [String] {
        let day = 86_400_000, from = (now / day - 3) * day
        let token = try RawRowsPage.regulatorToken(pack)
        var cells: [String] = []
        for (plmn, level) in ([""] + plmns.map { "&plmn=\($0)" }).flatMap({ plmn in [8, 12, 16].map { (plmn, $0) } }) {
            let answer = try HTTPExchange.send(
                "GET", "/v1/heatmap?metric=download_kbps&level=\(level)&from=\(from)&to=\(from + 5 * day)\(plmn)",
                port: pack.exporterPort, headers: ["Authorization": "Bearer \(token)"], timeout: 60)
            guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
            let map = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
            for cell in map?["features"] as? [Any] ?? [] {
                let text = try JSONSerialization.data(withJSONObject: cell, options: .sortedKeys)
                cells.append("level \(level)\(plmn) " + String(decoding: text, as: UTF8.self))
            }
        }
        return cells.sorted()
    }
}
