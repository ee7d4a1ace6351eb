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
