import Foundation
import Wire
import ZeroMQ

/// One message of an alert endpoint, opened.
struct TailMessage: Sendable, Equatable {
    /// The attributes of the second frame that a terminal needs.
    struct Header: Decodable, Equatable, Sendable {
        let seq: Int64
        let time: String
        let severity: String?
        let previousSeverity: String?
        let generation: String?
    }

    /// The fields of an alarm that a terminal shows.
    struct Alarm: Decodable, Equatable, Sendable {
        let specificProblem: String?
        let devices: Int?
        let records: Int?
        /// Who has it, to whom it is offered, and why nobody is told.
        let owner: String?
        let offeredTo: String?
        let shelvedBy: String?
        let plannedBy: String?
    }

    /// Largest alarm that is opened, in bytes.
    static let largestDocument = 1 << 20
    static let heartbeatTopic = "alerts/heartbeat"

    let topic: String
    let header: Header
    let alarm: Alarm
    /// The second frame as it came.
    let headerText: [UInt8]
    /// The third frame, inflated.
    let document: [UInt8]

    /// Opens the three frames of a message or heartbeat; nil if they are none.
    init?(_ frames: [Frame]) {
        guard frames.count == 3,
            let header = try? JSONDecoder().decode(Header.self, from: Data(frames[1])),
            let document = try? Inflater.inflate(frames[2], format: .zlib, limit: Self.largestDocument),
            let alarm = try? JSONDecoder().decode(Alarm.self, from: Data(document))
        else { return nil }
        topic = String(decoding: frames[0], as: UTF8.self)
        self.header = header
        self.alarm = alarm
        headerText = frames[1]
        self.document = document
    }

    var seq: Int64 { header.seq }
    var isHeartbeat: Bool { topic == Self.heartbeatTopic }

    /// `alerts/<plmn>/<severity>/<quadkey>` or `alerts/<scheme>/<number>/<severity>/<subject>`, in parts: whose the alarm is
    /// (`62401`, `site/12`), and about what; nil for other topics.
    var parts: (owner: String, subject: String)? {
        let parts = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (4...5).contains(parts.count) else { return nil }
        return (parts[1..<parts.count - 2].joined(separator: "/"), parts[parts.count - 1])
    }

    /// The topic of the alarm's present severity; another one than `topic` in the first of the two messages of a change.
    var presentTopic: String {
        guard let parts, let severity = header.severity else { return topic }
        return "alerts/\(parts.owner)/\(severity)/\(parts.subject)"
    }
}
