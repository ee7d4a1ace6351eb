import Foundation
import Models
import PipelineTesting
import QoE
import ReferenceCells
import Testing

/// An owner's map of field recordings, of which every third phone does not share.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct OwnerCellsEndToEndTests {
    @Test func `every cell, bucket and metric of an owner is that of its raw rows`() throws {
        let pack = try ServicePack()
        try pack.start()
        let load = try FieldLoad(pack, seed: 624, size: 100, naming: true) { $0 % 3 == 0 ? ["operator_sharing"] : [] }
        load.fleet.start(threads: 4, pause: 0)
        load.expectSent()
        try PipelineCheck.expectRowsAndStatistics(pack, load.model)
        let all = try RawRowsPage.read(pack).values.flatMap(\.self)
        let owner = try TenantAccess.added("owner", [try Self.commonest(all)], in: pack)
        let rows = try RawRowsPage.rows(pack, token: owner.token)
        let isOwn = all.count { row in owner.networks!.contains(Self.network(row, "mcc", "mnc") ?? "") }
        #expect(rows.count > isOwn / 3 && rows.count < isOwn, "\(rows.count) of \(isOwn)")
        let expected = OwnerCells(rows, networks: owner.networks!).cells
        let metrics = Metric.allCases.filter { metric in
            metric != .event && rows.contains { $0[metric.name] is NSNumber }
        }
        var compared = 0
        for (grid, cells) in expected {
            for metric in metrics {
                let found = try Self.cells(pack, owner, grid, metric)
                #expect(Set(found.keys) == Set(cells.keys), "\(grid) \(metric)")
                for (quadkey, cell) in cells {
                    let figures = OwnerCells.figures(of: cell, metric), told = found[quadkey] ?? [:]
                    let quantiles = ["p10", "p50", "p90"].compactMap { told[$0] as? Double }
                    #expect(
                        told["samples"] as? Int == figures.samples && quantiles == figures.quantiles ?? [],
                        "\(grid) \(quadkey) \(metric): \(told)")
                    compared += 1
                }
            }
        }
        print("cells of an owner: \(compared) compared, \(rows.count) rows of \(isOwn)")
    }

    /// The network of most rows.
    private static func commonest(_ rows: [[String: Any]]) throws -> String {
        let counts = Dictionary(grouping: rows.compactMap { network($0, "mcc", "mnc") }) { $0 }.mapValues(\.count)
        return try #require(counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key)
    }

    private static func network(_ row: [String: Any], _ mcc: String, _ mnc: String) -> String? {
        guard let country = Int("\(row[mcc] ?? "")"), let network = Int("\(row[mnc] ?? "")") else { return nil }
        return PLMN(mcc: Int64(country), mnc: Int64(network)).text
    }

    private static func cells(
        _ pack: ServicePack, _ owner: TenantAccess, _ grid: OwnerCells.Grid, _ metric: Metric
    ) throws -> [String: [String: Any]] {
        let from = grid.start * 1_000, to = (grid.start + grid.seconds) * 1_000
        let answer = try HTTPExchange.send(
            "GET", "/v1/heatmap?level=\(grid.level)&from=\(from)&to=\(to)&metric=\(metric.name)",
            port: pack.exporterPort, headers: ["Authorization": "Bearer \(owner.token)"], timeout: 60)
        guard answer.status == 200 else { throw Refused(status: answer.status, text: answer.text) }
        let map = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let properties = (map?["features"] as? [[String: Any]] ?? []).compactMap { $0["properties"] as? [String: Any] }
        return Dictionary(uniqueKeysWithValues: properties.map { ($0["quadkey"] as? String ?? "", $0) })
    }
}
