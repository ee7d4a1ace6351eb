internal import Foundation
public import Models
internal import Wire

/// A consent as it came by the requests lane.
public struct ConsentRecord: Sendable, Equatable {
    /// The device's ordinal.
    public let device: Int64
    /// When ingest committed it.
    public let receivedAt: UnixMilliseconds
    public let document: ConsentDocument

    public init(device: Int64, receivedAt: UnixMilliseconds, document: ConsentDocument) {
        self.device = device
        self.receivedAt = receivedAt
        self.document = document
    }
}

extension ConsentRecord {
    /// A row of the requests lane that is no consent: its writer and this program do not fit together.
    struct Unreadable: Error, CustomStringConvertible {
        let row: Int
        let problem: String
        var description: String { "row \(row) of kind consent cannot be read: \(problem)" }
    }

    /// The records of a block of kind `consent`, in their order.
    static func records(_ columns: Columns) throws -> [ConsentRecord] {
        let device = columns[ColumnID.device], received = columns[ColumnID.receivedAt]
        let document = columns[ColumnID.document], decoder = JSONDecoder()
        return try (0..<columns.rowCount).map { row in
            guard let device = device?.integer(row), let received = received?.integer(row),
                let text = document?.value(row)
            else { throw Unreadable(row: row, problem: "a column is missing") }
            do {
                return ConsentRecord(
                    device: device, receivedAt: received,
                    document: try decoder.decode(ConsentDocument.self, from: Data(text)))
            } catch {
                throw Unreadable(row: row, problem: "\(error)")
            }
        }
    }
}
