package import IngestUploads

/// Which entries of a list are asked for: at most so many, older than one.
package struct PageQuery: Sendable, Equatable {
    /// Entries of one answer at most.
    package static let most = 100

    package var limit = most
    /// `next` of the page before; the newest entry is the first behind ``PagePosition/first``.
    package var after = PagePosition.first

    init() {}

    /// Reads `limit` and `after` of a request.
    ///
    /// - Parameter digits: how many the name of an entry has.
    package init(_ head: RequestHead, digits: ClosedRange<Int>) throws(DeviceAPIError) {
        if let limit = head.parameter("limit") {
            guard let number = Int(limit), (1...Self.most).contains(number) else {
                throw DeviceAPIError(.badLimit, field: "limit")
            }
            self.limit = number
        }
        if let after = head.parameter("after") {
            guard let position = PagePosition(text: after, digits: digits) else {
                throw DeviceAPIError(.badCursor, field: "after")
            }
            self.after = position
        }
    }
}
