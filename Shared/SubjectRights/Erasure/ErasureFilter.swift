internal import Foundation
public import Lanes
public import Models
public import Wire

/// Tells which rows belong to erased subjects. Pure; knows the columns of subjects, times and places and no kind's meaning
/// besides that of contributions.
public struct ErasureFilter: Sendable {
    /// Kinds that carry an erasure itself: they name their subject, and go with their request and not before.
    static let carriers: Set<UInt8> = [RecordKind.erasureRequest.id, RecordKind.erasureSubject.id]

    /// The devices that have anything to erase.
    public private(set) var devices: Set<UInt64> = []
    private var scopes: [UInt64: [Scope]] = [:]
    private var requests: Set<String> = []

    private struct Scope {
        let scope: ErasureScope
        let area: ErasureArea?
    }

    public init(_ subjects: [ErasureSubject]) {
        for subject in subjects { add(subject) }
    }

    /// One more subject.
    public mutating func add(_ subject: ErasureSubject) {
        scopes[subject.device, default: []].append(Scope(scope: subject.scope, area: ErasureArea(subject.scope)))
        devices.insert(subject.device)
        requests.insert(subject.request)
    }

    public var isEmpty: Bool { devices.isEmpty }

    /// Whether a record captured at a time, which entered statistics by a cell, is erased.
    public func takes(device: UInt64, capturedAt: UnixMilliseconds, cell: @autoclosure () -> Quadkey?) -> Bool {
        guard let scopes = scopes[device] else { return false }
        return scopes.contains { one in
            guard one.scope.covers(capturedAt) else { return false }
            guard let area = one.area else { return true }
            return cell().map(area.meets) ?? false
        }
    }

    /// Whether everything of a device is erased.
    public func takesEverything(of device: UInt64) -> Bool {
        scopes[device]?.contains { $0.scope.isEverything } ?? false
    }

    /// Rows of a block that stay, ascending, and how many go, by device.
    ///
    /// - Parameter isOwn: for the journal of who executes the erasure: what carries it there has done its work and goes, too.
    public func sift(
        _ columns: Columns, kind: UInt8, isOwn: Bool = false
    ) throws -> (kept: [Int32], removed: [UInt64: Int]) {
        guard let device = columns[ColumnID.device] else { return ((0..<columns.rowCount).map(Int32.init), [:]) }
        let isCarrier = Self.carriers.contains(kind)
        let carried = isCarrier && isOwn ? try carried(columns, kind) : []
        let rows = ScopedRows(columns, kind: kind)
        var kept: [Int32] = [], removed: [UInt64: Int] = [:]
        kept.reserveCapacity(columns.rowCount)
        for row in 0..<columns.rowCount {
            let subject = UInt64(bitPattern: device.integers[row])
            let isConcerned = device.presence[row] && devices.contains(subject)
            if try isConcerned && (isCarrier ? carried.contains(row) : takes(row, of: rows, subject)) {
                removed[subject, default: 0] += 1
            } else {
                kept.append(Int32(row))
            }
        }
        return (kept, removed)
    }

    /// Rows that carry the requests.
    private func carried(_ columns: Columns, _ kind: UInt8) throws -> Set<Int> {
        let named: [(row: Int, request: String)] =
            kind == RecordKind.erasureSubject.id
            ? try columns.documents(ErasureSubjectDocument.self).map { ($0.row, $0.document.request) }
            : try columns.documents(ErasureRequestDocument.self).map { ($0.row, $0.document.subject.request) }
        return Set(named.filter { requests.contains($0.request) }.map(\.row))
    }

    private func takes(_ row: Int, of rows: ScopedRows, _ subject: UInt64) throws -> Bool {
        if takesEverything(of: subject) { return true }
        guard let time = try rows.capturedAt(row) else { return false }
        return takes(device: subject, capturedAt: time, cell: rows.cell(row))
    }
}

extension ErasureFilter {
    /// Takes the rows of erased subjects out of blocks; blocks without any are handed on as they are, emptied ones go.
    public func sift(_ blocks: [LaneBlock], _ decoder: inout ColumnDecoder) throws -> [LaneBlock] {
        guard !isEmpty else { return blocks }
        var sifted: [LaneBlock] = []
        sifted.reserveCapacity(blocks.count)
        for var block in blocks {
            let header = block.block.header
            guard header.subjects.contains(where: devices.contains) else { sifted.append(block); continue }
            let columns = try block.block.columns(with: &decoder)
            let kept = try sift(columns, kind: header.kind).kept
            guard kept.count < columns.rowCount else { sifted.append(block); continue }
            guard !kept.isEmpty else { continue }
            block.block = try block.block.replacing(columns.gathered(kept))
            sifted.append(block)
        }
        return sifted
    }
}
