import ServiceKit
import Testing

@testable import Administration

struct UpLogTests {
    @Test func `in text each line has whose it is in front`() {
        let log = UpLog(format: .text)
        #expect(log.line(.ingest, "time=T msg=x").hasSuffix("| time=T msg=x"))
        #expect(log.line(nil, "ready").contains("nkul up"))
    }

    @Test func `in JSON a service's objects stay as they are, and whatever else there is becomes one`() throws {
        let log = UpLog(format: .json)
        let own = #"{"label":"ingest","level":"info","message":"listening","metadata":{},"time":"T"}"#
        #expect(log.line(.ingest, own) == own)
        for (service, text, label) in [
            (ServiceName.ingest, "Fatal error: \"x\"", "ingest"), (.ingest, "[1]", "ingest"), (.ingest, "{", "ingest"),
            (nil, "nkul-ingest ended", "nkul up"),
        ] {
            guard case .object(let members) = try JSONValue(bytes: Array(log.line(service, text).utf8)) else {
                Issue.record("no object: \(text)")
                continue
            }
            #expect(members["message"] == .string(text) && members["label"] == .string(label))
            #expect(Set(members.keys) == ["time", "level", "label", "message", "metadata"])
        }
    }
}
