internal import Lanes
public import Models
public import Wire

/// A request for a copy of everything: whose, and to whom the copy is sealed.
public struct AccessOrder: Sendable, Equatable {
    /// The device's ordinal.
    public let device: UInt64
    public let document: AccessOrderDocument

    public init(device: UInt64, document: AccessOrderDocument) {
        self.device = device
        self.document = document
    }

    public var request: String { document.request }
}

extension AccessOrder {
    /// What a row of kind `access_order` says.
    public enum Word: Sendable, Equatable {
        case ordered(AccessOrder)
        /// The request, by its identifier, is over: parts go.
        case closed(String)
    }

    /// Rows of kind `access_order`: keyed by the request, with the ordinal in a column of its own.
    public static func columns(_ orders: [AccessOrder]) throws -> Columns {
        Columns(
            rowCount: orders.count,
            columns: [
                Column(id: ColumnID.key, strings: orders.map { Array($0.request.utf8) }),
                Column(id: ColumnID.device, values: orders.map { Int64(bitPattern: $0.device) }),
                Column(id: ColumnID.document, strings: try orders.map { try SortedJSON.bytes(of: $0.document) }),
            ])
    }

    /// What the rows of a block of kind `access_order` say, in their order.
    public static func words(of columns: Columns) throws -> [Word] {
        var documents: [Int: AccessOrderDocument] = [:]
        for (row, document) in try columns.documents(AccessOrderDocument.self) { documents[row] = document }
        let keys = columns[ColumnID.key], devices = columns[ColumnID.device]
        return (0..<columns.rowCount).compactMap { row in
            if let document = documents[row], let device = devices?.integer(row) {
                return .ordered(AccessOrder(device: UInt64(bitPattern: device), document: document))
            }
            guard documents[row] == nil else { return nil }
            return keys?.value(row).map { .closed(String(decoding: $0, as: UTF8.self)) }
        }
    }
}

/// Where a service gives what it holds, and what it must have seen before.
package struct AccessPlan: Sendable {
    /// Who gives, by the name of its program without `nkul-`.
    package let service: String
    /// The lane on which its parts travel.
    package let lane: LaneName
    /// Ingest's lanes that it reads: its cursors must be past the barriers of an order.
    package let barriers: Set<LaneName>

    /// - Parameter reads: every lane that the service reads; those of ingest have barriers.
    package init(service: String, partsOn lane: LaneName, reads: some Sequence<LaneName>) {
        self.service = service
        self.lane = lane
        barriers = Set(reads).intersection([.realtime, .batch, .requests])
    }

    /// Whether everything of before the request is in the service's tables.
    ///
    /// - Parameters:
    ///   - cursor: the last block of a lane whose effects are committed.
    ///   - lineage: what became of generations.
    func isReady(_ order: AccessOrderDocument, cursor: (LaneName) -> Position?, lineage: Lineage) -> Bool {
        lineage.areReached(order.barriers, in: barriers, by: cursor)
    }
}
