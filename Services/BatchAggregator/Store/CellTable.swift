import GRDB
import Models
import Storage

/// The cells in the store: each is read, added to and written back.
///
///     cells(key BLOB, samples, device_count, devices BLOB, histograms BLOB)
///
/// Confined to the thread that writes the database.
final class CellTable {
    private let select: PreparedStatement
    private let upsert: PreparedStatement
    private var key = [UInt8](repeating: 0, count: CellStoreKey.length)
    private var devices = DeviceSet()
    private var histograms = CellHistogramWriter()
    private static let noHistograms: [UInt8] = CellHistograms().encoded()

    init(_ db: Database) throws {
        select = try PreparedStatement(db, "SELECT samples, devices, histograms FROM cells WHERE key = ?")
        upsert = try PreparedStatement(
            db,
            """
            INSERT INTO cells (key, samples, device_count, devices, histograms) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (key) DO UPDATE SET samples = excluded.samples, device_count = excluded.device_count,
                devices = excluded.devices, histograms = excluded.histograms
            """)
    }

    /// Adds a sum to a cell, whether it was there or not, and lends what the cell is now.
    func add(
        _ sum: CellSum, to cell: CellKey,
        _ body: (_ samples: Int64, _ devices: Int, _ histograms: UnsafeRawBufferPointer) -> Void
    ) throws {
        key.withUnsafeMutableBytes { CellStoreKey.write(cell, to: $0) }
        let samples = try sum.samples + merge(sum, cell)
        try key.withUnsafeBytes { key in
            try devices.bytes.withUnsafeBytes { deviceBytes in
                try histograms.withBytes { histogramBytes in
                    upsert.bind(key, 1)
                    upsert.bind(samples, 2)
                    upsert.bind(Int64(devices.count), 3)
                    upsert.bind(deviceBytes, 4)
                    upsert.bind(histogramBytes, 5)
                    try upsert.run()
                    body(samples, devices.count, histogramBytes)
                }
            }
        }
    }

    /// Merges a sum with what is stored; returns the samples stored.
    private func merge(_ sum: CellSum, _ cell: CellKey) throws -> Int64 {
        defer { select.reset() }
        let isStored = try key.withUnsafeBytes { key in
            select.bind(key, 1)
            return try select.step()
        }
        let isSound = CellTable.noHistograms.withUnsafeBytes { none in
            let storedDevices = isStored ? select.bytes(1) : UnsafeRawBufferPointer(start: nil, count: 0)
            let storedHistograms = isStored ? select.bytes(2) : none
            return devices.unite(storedDevices, sum.devices)
                && sum.entries.withUnsafeBufferPointer {
                    CellHistograms.merge(storedHistograms, adding: $0, into: &histograms)
                }
        }
        guard isSound else { throw AggregatorError.cellCorrupt("\(cell)") }
        return isStored ? select.integer(0) : 0
    }
}
