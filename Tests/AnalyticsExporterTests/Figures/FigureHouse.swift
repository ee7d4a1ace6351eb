import Foundation
import HTTPTypes
import Models
import QoE
import ServiceKit
import TemporaryFiles

/// An exporter and an aggregator that have read the same rows of a few days, for tests of figures.
struct FigureHouse {
    /// Local midnight in Douala, two days before ``TestExporter/now``.
    static let midnight = TestExporter.now / 86_400_000 * 86_400_000 - 2 * 86_400_000 - 3_600_000
    private let directory: TemporaryDirectory
    let exporter: TestExporter
    /// What the exporter has read of `rollups`, to be gone on with; nil: nothing.
    private(set) var rollups: TestLane?

    init(_ rows: [TestRow], settings: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory, settings: settings)
        let aggregator = try TestAggregator()
        var lane = TestLane(.batch)
        for (_, rows) in Dictionary(grouping: rows, by: \.kind.id).sorted(by: { $0.key < $1.key }) {
            for part in stride(from: 0, to: rows.count, by: 500) {
                let block = try lane.block(Array(rows[part..<min(part + 500, rows.count)]))
                try exporter.take([block])
                let cells = try aggregator.take([block])
                try exporter.take(cells)
                if let last = cells.last { rollups = TestLane(after: last) }
            }
        }
    }

    func answer(_ path: String, headers: HTTPFields? = nil) async throws -> JSONValue {
        try JSONValue(bytes: try await exporter.request(path, headers: headers).bytes())
    }

    /// A row of a phone at a place in Douala, or elsewhere.
    static func row(
        _ device: Int64, at captured: Int64, network: Int64 = 1, seq: Int64, latitude: Int64 = 40_500_000,
        longitude: Int64 = 97_000_000, _ values: [UInt8: Int64]
    ) -> TestRow {
        TestRow(
            device: device, received: TestExporter.now - 1_000, captured: captured, seq: seq,
            values: [
                ColumnID.mcc: 624, ColumnID.mnc: network, ColumnID.latitude: latitude, ColumnID.longitude: longitude,
                ColumnID.networkType: NetworkType.lte.rawValue,
            ].merging(values) { $1 })
    }
}

extension JSONValue {
    /// A number, whole or not.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}
