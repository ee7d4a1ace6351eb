internal import IngestCommands
package import IngestSupport
internal import IngestUploads
internal import Models

/// What a phone is told of a copy that is not there yet.
package struct AccessStandingAnswer {
    let ticket: AccessTicket
    /// Services that have not given everything; nil if nobody has looked.
    let missing: [String]?

    package init(ticket: AccessTicket, missing: [String]?) {
        self.ticket = ticket
        self.missing = missing
    }

    package var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"request_id\":")
        json.string(ticket.request)
        json.raw(",\"type\":\"access\",\"state\":\"\(missing == nil ? "pending" : "in_progress")\",")
        json.time("requested_at", ticket.requestedAt)
        json.raw(",")
        json.time("expected_completion_time", ticket.requestedAt + AccessChange.expected)
        json.raw(",")
        json.time("expires_at", ticket.expiresAt)
        json.raw(",\"missing\":[")
        for (place, service) in (missing ?? AccessDocument.givers).enumerated() {
            if place > 0 { json.raw(",") }
            json.string(service)
        }
        json.raw("]}")
        return json.bytes
    }
}
