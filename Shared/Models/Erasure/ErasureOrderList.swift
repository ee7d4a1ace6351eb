/// Erasures that were ordered, to be kept where a lost home cannot take them along: `nkul admin erasure export` writes it,
/// `nkul restore` reads it.
public struct ErasureOrderList: Codable, Sendable, Equatable {
    /// What stands in every such file.
    public static let format = "nkul-erasure-orders 1"

    public var format: String
    /// When it was written, Unix milliseconds.
    public var exportedAt: UnixMilliseconds
    /// Without receipts; by time of request.
    public var orders: [ErasureOrderDocument]

    public init(_ orders: [ErasureOrderDocument], exportedAt: UnixMilliseconds) {
        format = Self.format
        self.exportedAt = exportedAt
        self.orders = orders.map { order in
            var order = order
            order.receipts = []
            return order
        }.sorted { ($0.requestedAt, $0.request) < ($1.requestedAt, $1.request) }
    }

    enum CodingKeys: String, CodingKey {
        case format, orders
        case exportedAt = "exported_at_ms"
    }
}
