import AggregatorCells
import Foundation
import GRDB
import Lanes
import Models
import Storage

/// Makes anonymous sums of cells whose buckets are closed: devices are forgotten, their number stays; cells of fewer devices
/// than the least go, and readers of `rollups` are told.
///
/// Days come before hours before 5 minutes and within a size a cell before those inside it, the opposite of ``CellSink``: a
/// reference is judged by its source, which is still as it was. Confined to the thread that writes the database.
final class CellSealing {
    /// In the order in which cells are looked at.
    private static let sizes: [CellKey.Bucket] = [.day, .hour, .fiveMinutes]

    private let select, find, forget, copy, figures, delete: PreparedStatement

    /// A cell as the table has it.
    private struct StoredCell {
        let key: [UInt8]
        let devices: Int64
        let hasNames: Bool
        let source: [UInt8]
    }

    init(_ db: Database) throws {
        select = try PreparedStatement(
            db,
            """
            SELECT key, device_count, length(devices), source FROM cells WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT ?
            """)
        find = try PreparedStatement(db, "SELECT device_count, source FROM cells WHERE key = ?")
        forget = try PreparedStatement(db, "UPDATE cells SET devices = x'' WHERE key = ?")
        copy = try PreparedStatement(
            db,
            """
            UPDATE cells SET (samples, device_count, histograms) =
                (SELECT samples, device_count, histograms FROM cells WHERE key = ?2), devices = x'', source = NULL
            WHERE key = ?1
            """)
        figures = try PreparedStatement(db, "SELECT samples, devices, histograms FROM cells WHERE key = ?")
        delete = try PreparedStatement(db, "DELETE FROM cells WHERE key = ?")
    }

    /// Closes the buckets that begin before a time, inside the caller's transaction: the state is at the last of their cells.
    ///
    /// An hour across midnight is closed with the first of its days and may refer to 5 minutes of the second, which stay
    /// open: it takes the figures over, so that what becomes of its source is none of its business from now on.
    func close(
        before through: Int64, minimumDevices: Int, _ state: inout SealingState, _ db: Database, _ emit: inout Emission
    ) throws {
        (state.since, state.through, state.minimum) = (state.through, through, minimumDevices)
        state.place = CellStoreKey.bound(Self.sizes[0], through)
        guard through % 3_600 != 0 else { return }
        var emitter = CellEmitter()
        let first = CellStoreKey.bound(.hour, through - through % 3_600)
        for cell in try cells(from: first, before: CellStoreKey.bound(.hour, through), .max) where !cell.source.isEmpty
        {
            guard try Self.read(cell.source).bucketStart >= through else {
                continue
            }
            try takeFigures(cell, Self.read(cell.key), &emitter)
            try emitter.emitIfFull(to: &emit)
        }
        try emitter.emit(to: &emit)
    }

    /// Looks at the next cells inside the caller's transaction, and moves the state's place on.
    func slice(
        _ state: inout SealingState, cells limit: Int, _ db: Database, _ emit: inout Emission
    ) throws -> SealedCells {
        guard let place = state.place,
            let size = Self.sizes.first(where: { place.starts(with: CellStoreKey.bound($0)) })
        else {
            throw AggregatorError.cellCorrupt("place of sealing")
        }
        let stored = try cells(from: CellStoreKey.bound(size, state.since), before: place, limit)
        var sealed = SealedCells(), emitter = CellEmitter()
        for cell in stored {
            if try devices(of: cell) >= state.minimum {
                sealed.kept += 1
                if cell.hasNames { try Self.run(forget, cell.key) }
            } else {
                sealed.removed += 1
                try Self.run(delete, cell.key)
                try emitter.add(Self.read(cell.key), .gone)
            }
            try emitter.emitIfFull(to: &emit)
        }
        try emitter.emit(to: &emit)
        state.place = stored.count < limit ? Self.next(after: size, state) : stored.last?.key
        return sealed
    }

    private func cells(from first: [UInt8], before place: [UInt8], _ limit: Int) throws -> [StoredCell] {
        defer { select.reset() }
        return try first.withUnsafeBytes { first in
            try place.withUnsafeBytes { place in
                select.bind(first, 1)
                select.bind(place, 2)
                select.bind(Int64(limit), 3)
                var cells: [StoredCell] = []
                while try select.step() {
                    cells.append(
                        StoredCell(
                            key: Array(select.bytes(0)), devices: select.integer(1), hasNames: select.integer(2) > 0,
                            source: Array(select.bytes(3))))
                }
                return cells
            }
        }
    }

    /// How many devices a cell has. A reference has those of its source.
    private func devices(of cell: StoredCell) throws -> Int64 {
        if cell.source.isEmpty { return cell.devices }
        defer { find.reset() }
        return try cell.source.withUnsafeBytes { bytes in
            find.bind(bytes, 1)
            guard try find.step(), find.bytes(1).isEmpty else {
                throw AggregatorError.cellCorrupt("a cell refers to one without figures")
            }
            return find.integer(0)
        }
    }

    /// Gives a cell the figures that its source has, which stays open.
    private func takeFigures(_ cell: StoredCell, _ key: CellKey, _ emitter: inout CellEmitter) throws {
        try cell.source.withUnsafeBytes { source in
            copy.bind(source, 2)
            try Self.run(copy, cell.key)
        }
        defer { figures.reset() }
        try cell.source.withUnsafeBytes { bytes in
            figures.bind(bytes, 1)
            var devices = CellDevices()
            guard try figures.step(),
                devices.read(
                    StoredFigures.Lent(
                        samples: figures.integer(0), devices: figures.bytes(1), histograms: figures.bytes(2)))
            else { throw AggregatorError.cellCorrupt("\(key)") }
            devices.spreads.withUnsafeBytes { spreads in
                emitter.add(
                    key,
                    .own(
                        samples: figures.integer(0), devices: devices.count, histograms: figures.bytes(2),
                        spreads: spreads))
            }
        }
    }

    private static func read(_ key: [UInt8]) throws -> CellKey { try key.withUnsafeBytes { try CellStoreKey.read($0) } }

    private static func run(_ statement: PreparedStatement, _ key: [UInt8]) throws {
        try key.withUnsafeBytes { bytes in
            statement.bind(bytes, 1)
            try statement.run()
        }
    }

    private static func next(after size: CellKey.Bucket, _ state: SealingState) -> [UInt8]? {
        sizes.first { $0 < size }.map { CellStoreKey.bound($0, state.through) }
    }
}

/// How many cells were looked at when their buckets were sealed.
package struct SealedCells: Equatable {
    /// Those that stay, without devices.
    package var kept = 0
    /// Those of too few devices, which went.
    package var removed = 0

    package init() {}

    static func += (left: inout Self, right: Self) {
        left.kept += right.kept
        left.removed += right.removed
    }
}
