internal import Models

/// A place in the list of erasures, as clients hold it: `<requested at>-<request>`.
struct ErasureCursor: Sendable, Equatable {
    let requestedAt: UnixMilliseconds
    let request: String

    init(_ erasure: StoredErasure) {
        requestedAt = erasure.requestedAt
        request = erasure.request
    }

    /// Reads a cursor that a client gives back.
    init(text: String) throws(ParameterFault) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else {
            throw ParameterFault("cursor", "\"\(text)\": expected the value of next of the page before")
        }
        (requestedAt, request) = (time, String(parts[1]))
    }

    var text: String { "\(requestedAt)-\(request)" }
}
