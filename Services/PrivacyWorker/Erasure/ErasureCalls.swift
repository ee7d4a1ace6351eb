internal import Models
internal import ServiceKit
internal import Storage

/// What the privacy worker answers about erasures on its control socket: `erasure.list` and `erasure.show`.
struct ErasureCalls: Sendable {
    let reader: ReadOnlyDatabase
    let clock: WallClock

    /// A page of `erasure.list`.
    struct Page: Encodable, Sendable {
        let erasures: [ErasureOrderDocument]
        /// `before` and `before_request` of the next page; left out on the last one.
        let before: UnixMilliseconds?
        let before_request: String?
        let open: Int
        let late: Int
        let completed: Int
    }

    /// Orders of one page at most.
    static let mostOrders: Int64 = 200

    var all: [ControlCall] {
        [
            .typed("erasure.list", JSONValue.self) { try page($0) },
            .typed("erasure.show", JSONValue.self) { try order($0) },
        ]
    }

    private func page(_ arguments: JSONValue) throws -> Page {
        let limit = Int(try arguments.integer("limit", default: 50, in: 1...Self.mostOrders))
        let before = try arguments.integer("before", default: .max)
        let request = arguments["before_request"]?.string ?? ""
        return try reader.read { db in
            let found = try ErasureOrders(db).page(before: (before, request), limit: limit + 1)
            let orders = Array(found.prefix(limit)), last = found.count > limit ? orders.last : nil
            let standing = try ErasureOrders(db).standing(now: clock.now())
            return Page(
                erasures: orders, before: last?.requestedAt, before_request: last?.request, open: standing.open,
                late: standing.late, completed: standing.completed)
        }
    }

    private func order(_ arguments: JSONValue) throws -> ErasureOrderDocument {
        let request = try arguments.text("request")
        guard let order = try reader.read({ try ErasureOrders($0).order(request) }) else {
            throw ControlError.notFound("there is no erasure \"\(request.prefix(64))\"")
        }
        return order
    }
}

/// How the erasures stand, for figures.
struct ErasureStanding: Sendable, Equatable {
    /// Not completed.
    var open = 0
    /// Not completed, and their time is over.
    var late = 0
    var completed = 0
    /// Age of the oldest open one, milliseconds.
    var oldest: UnixMilliseconds?
}
