internal import GRDB
internal import Storage

/// Reads answers to replay requests from the store, page by page, each in a read transaction of its own.
struct ReplayReader: Sendable {
    /// Messages looked at for one page; bounds the memory of an answer and the time a reader holds the log back.
    static let pageMessages = 500

    let database: ReadOnlyDatabase
    let tenant: AlertTenant

    /// The first page, or the one after another.
    ///
    /// A snapshot is read while alarms go on. An alarm that changes meanwhile is given as it then is: its message has a
    /// number above `last`, which does no harm.
    func page(_ request: ReplayRequest, _ next: ReplayPage.Next?) throws -> ReplayPage {
        try database.read { db in
            let store = AlertMessageStore(tenant: tenant)
            let last = try next?.last ?? store.lastSeq(db)
            switch request {
            case .snapshot(let prefix): return try snapshot(prefix, next?.after ?? 0, last, store, db)
            case .replay(let after, let prefix): return try replay(prefix, next?.after ?? after, last, store, db)
            }
        }
    }

    private func snapshot(
        _ prefix: [UInt8], _ after: Int64, _ last: Int64, _ store: AlertMessageStore, _ db: Database
    ) throws -> ReplayPage {
        let (messages, lastAlarm) = try store.latest(afterAlarm: after, limit: Self.pageMessages, db)
        let next = messages.count == Self.pageMessages ? lastAlarm.map { ReplayPage.Next(last: last, after: $0) } : nil
        return ReplayPage(messages: messages.filter { $0.topic.utf8.starts(with: prefix) }, last: last, next: next)
    }

    private func replay(
        _ prefix: [UInt8], _ after: Int64, _ last: Int64, _ store: AlertMessageStore, _ db: Database
    ) throws -> ReplayPage {
        let messages = try store.page(after: after, through: last, limit: Self.pageMessages, db)
        let isLast = messages.count < Self.pageMessages
        return ReplayPage(
            messages: messages.filter { $0.topic.utf8.starts(with: prefix) }, last: last,
            next: isLast ? nil : messages.last.map { ReplayPage.Next(last: last, after: $0.seq) })
    }
}

/// A part of the answer to a replay request.
struct ReplayPage: Sendable, Equatable {
    /// Where the next page goes on; the answer is complete without one.
    struct Next: Sendable, Equatable {
        /// The number the answer will be complete up to.
        let last: Int64
        /// The number of the message (replay) or of the alarm (snapshot) that this page ended with.
        let after: Int64
    }

    /// Messages under the asked prefix.
    let messages: [AlertMessage]
    /// The number the answer is complete up to.
    let last: Int64
    let next: Next?
}
