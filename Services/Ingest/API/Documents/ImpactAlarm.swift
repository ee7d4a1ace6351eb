internal import Crypto
internal import Foundation
internal import Models
internal import QoE

/// What ingest keeps of an alarm, for the devices that helped to raise it.
struct ImpactAlarm: Sendable, Equatable {
    /// Of the cell that subscribers are told (≈ 4.9 km): an alarm of few is of one street.
    static let coarseLevel = 13

    var rule: String
    var severity: String
    /// `raised` `updated` `cleared`.
    var state: String
    var isAcknowledged: Bool
    var raisedAt: UnixMilliseconds
    /// Nil while it is not cleared.
    var clearedAt: UnixMilliseconds?
    /// Quadkey; nil where the alarm is of no cell.
    var cell: String?

    init(
        rule: String, severity: String, state: String, isAcknowledged: Bool, raisedAt: UnixMilliseconds,
        clearedAt: UnixMilliseconds?, cell: String?
    ) {
        self.rule = rule
        self.severity = severity
        self.state = state
        self.isAcknowledged = isAcknowledged
        self.raisedAt = raisedAt
        self.clearedAt = clearedAt
        self.cell = cell
    }

    /// Reads the document of a record of kind alarm (TMF642); nil if it is none.
    init?(document: ArraySlice<UInt8>) {
        struct Document: Decodable {
            let rule, perceivedSeverity, state, ackState, alarmRaisedTime: String
            let alarmClearedTime, cell: String?
        }
        guard let read = try? JSONDecoder().decode(Document.self, from: Data(document)),
            let raisedAt = Self.milliseconds(read.alarmRaisedTime)
        else { return nil }
        let cell = read.cell.map { String($0.prefix(Self.coarseLevel)) } ?? ""
        self.init(
            rule: read.rule, severity: read.perceivedSeverity, state: read.state,
            isAcknowledged: read.ackState == "acknowledged", raisedAt: raisedAt,
            clearedAt: read.alarmClearedTime.flatMap(Self.milliseconds), cell: cell.isEmpty ? nil : cell)
    }

    /// Whether nothing of it is left.
    var isOver: Bool { Self.isOver(state) }

    static func isOver(_ state: String) -> Bool { state == "cleared" }

    /// By which rule of the prompt policy a device is asked about an alarm: that of the event it is about; of ratings and whatever is
    /// measured, that of slow downloads.
    static func promptRule(of rule: String) -> PromptRule {
        switch rule {
        case "urgent.emergency", "built-in.emergency": .emergency
        case "urgent.no_service", "built-in.no_service": .noService
        case "urgent.call_drop", "built-in.call_failure": .callDrop
        default: .slowSpeed
        }
    }

    /// How subscribers are told an alarm's identifier, which itself names its place: ``nameDigits`` hexadecimal digits.
    static func name(ofAlarm id: String) -> String {
        SHA256.hash(data: Array(id.utf8)).prefix(nameDigits / 2).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
    }

    static let nameDigits = 32

    private static func milliseconds(_ text: String) -> UnixMilliseconds? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text, strategy: style)).map { UnixMilliseconds(($0.timeIntervalSince1970 * 1_000).rounded()) }
    }
}
