package import IngestCommands
internal import IngestUploads
package import Models
internal import ServiceKit

/// What a phone is told of an erasure: OpenDSR's states, times, and the receipts that came.
package struct ErasureStandingAnswer {
    let request: String
    let state: ErasureOrderDocument.State
    let requestedAt: UnixMilliseconds
    let dueAt: UnixMilliseconds
    let completedAt: UnixMilliseconds?
    let receipts: [ErasureReceiptDocument]

    /// One that was just taken.
    package init(_ change: ErasureChange, requestedAt: UnixMilliseconds) {
        request = change.request
        state = .pending
        self.requestedAt = requestedAt
        dueAt = change.dueAt
        completedAt = nil
        receipts = []
    }

    /// - Parameter order: what the privacy worker made of it; nil if nobody has heard yet.
    init(_ document: ErasureRequestDocument, _ order: ErasureOrderDocument?) {
        request = document.subject.request
        state = order?.state ?? .pending
        requestedAt = document.requestedAt
        dueAt = document.dueAt
        completedAt = order?.completedAt
        receipts = order?.receipts ?? []
    }

    package var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"request_id\":")
        json.string(request)
        json.raw(",\"type\":\"erasure\",\"state\":\"\(state.rawValue)\",")
        json.time("requested_at", requestedAt)
        json.raw(",")
        json.time("expected_completion_time", dueAt)
        if let completedAt {
            json.raw(",")
            json.time("completed_at", completedAt)
        }
        json.raw(",\"receipts\":")
        json.raw((try? SortedJSON.text(of: receipts)) ?? "[]")
        json.raw("}")
        return json.bytes
    }
}
