internal import Models
internal import ServiceKit
internal import Storage

/// What the privacy worker answers about requests for access on its control socket: `access.list` and `access.show`.
struct AccessCalls: Sendable {
    let reader: ReadOnlyDatabase
    let clock: WallClock

    /// A page of `access.list`.
    struct Page: Encodable, Sendable {
        let requests: [AccessStanding]
        /// `before` and `before_request` of the next page; left out on the last one.
        let before: UnixMilliseconds?
        let before_request: String?
        let open: Int
        let completed: Int
    }

    /// Requests of one page at most.
    static let mostRequests: Int64 = 200

    var all: [ControlCall] {
        [
            .typed("access.list", JSONValue.self) { try page($0) },
            .typed("access.show", JSONValue.self) { try standing($0) },
        ]
    }

    private func page(_ arguments: JSONValue) throws -> Page {
        let limit = Int(try arguments.integer("limit", default: 50, in: 1...Self.mostRequests))
        let before = try arguments.integer("before", default: .max)
        let request = arguments["before_request"]?.string ?? ""
        return try reader.read { db in
            let found = try AccessRequests(db).page(before: (before, request), limit: limit + 1)
            let page = Array(found.prefix(limit)), last = found.count > limit ? page.last : nil
            let figures = try AccessRequests(db).figures(now: clock.now())
            return Page(
                requests: page, before: last?.requested_at_ms, before_request: last?.request, open: figures.open,
                completed: figures.completed)
        }
    }

    private func standing(_ arguments: JSONValue) throws -> AccessStanding {
        let request = try arguments.text("request")
        guard let standing = try reader.read({ try AccessRequests($0).standing(request) }) else {
            throw ControlError.notFound("there is no request for access \"\(request.prefix(64))\"")
        }
        return standing
    }
}
