internal import Foundation
internal import Models
internal import Wire

/// Time and place of the rows of a block, as scopes ask for them.
struct ScopedRows {
    private let captured: Column?
    private let received: Column?
    private let latitude: Column?
    private let longitude: Column?
    private let accuracy: Column?
    private let speed: Column?
    private let contributions: Column?

    init(_ columns: Columns, kind: UInt8) {
        captured = columns[ColumnID.capturedAt]
        received = columns[ColumnID.document] == nil ? columns[ColumnID.receivedAt] : nil
        latitude = columns[ColumnID.latitude]
        longitude = columns[ColumnID.longitude]
        accuracy = columns[ColumnID.accuracy]
        speed = columns[ColumnID.speed]
        contributions = kind == RecordKind.contribution.id ? columns[ColumnID.document] : nil
    }

    /// When the row's record was captured; nil if it is no record of a time, which only an erasure of everything takes.
    func capturedAt(_ row: Int) throws -> UnixMilliseconds? {
        if contributions != nil { return try contribution(row)?.firstAt }
        return captured?.integer(row) ?? received?.integer(row)
    }

    /// The cell by which the row entered statistics.
    func cell(_ row: Int) -> Quadkey? {
        if contributions != nil {
            return (try? contribution(row)).flatMap { $0 }.flatMap { ErasureScope.cell(ofAlarm: $0.alarm) }
        }
        return Quadkey.entry(
            latitude: latitude?.integer(row), longitude: longitude?.integer(row), accuracy: accuracy?.integer(row),
            speed: speed?.integer(row))
    }

    private func contribution(_ row: Int) throws -> ContributionDocument? {
        guard let text = contributions?.value(row) else { return nil }
        return try JSONDecoder().decode(ContributionDocument.self, from: Data(text))
    }
}
