import ExporterSupport
import Models

/// Server-sent events as browsers read them (WHATWG HTML, 9.2).
package enum AlarmEventText {
    /// Keeps the connection open through proxies. Browsers take from it only where to resume.
    package static func heartbeat(through sequence: Int64) -> [UInt8] { Array(": heartbeat\nid: \(sequence)\n\n".utf8) }

    /// One change: `id` is its number, event `alarm` carries the alarm's document, `deleted` its identifier.
    package static func change(_ change: AlarmChange) -> [UInt8] {
        var text = Array("id: \(change.sequence)\n".utf8)
        if let document = change.document {
            appendEvent("alarm", document, to: &text)
        } else {
            var identifier = Array("{\"id\":".utf8)
            JSONWriter.appendString(change.alarm.utf8, to: &identifier)
            identifier.append(UInt8(ascii: "}"))
            appendEvent("deleted", identifier, to: &text)
        }
        return text
    }

    /// Said to a client that was away for longer than changes are kept: ask for the list again.
    package static func reset(lastEventID: Int64) -> [UInt8] {
        var text = Array("id: \(lastEventID)\n".utf8)
        appendEvent("reset", Array("{}".utf8), to: &text)
        return text
    }

    private static func appendEvent(_ name: String, _ data: [UInt8], to text: inout [UInt8]) {
        text.append(contentsOf: "event: \(name)\n".utf8)
        for line in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
            text.append(contentsOf: "data: ".utf8)
            text.append(contentsOf: line)
            text.append(0x0A)
        }
        text.append(0x0A)
    }
}
