import ServiceKit

/// An answer of `nkul admin`, for machines and for people.
struct AdminAnswer: Sendable, Equatable {
    /// What `--json` prints.
    let value: JSONValue
    /// What else is printed; without a final end of line.
    let text: String
    /// Why the command fails all the same: one sentence for stderr.
    var problem: String?
}
