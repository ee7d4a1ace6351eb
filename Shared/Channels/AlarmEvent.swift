internal import Foundation
internal import Models

/// The events of TM Forum TMF642 v4 that listeners are told. What is deleted is told to nobody: alarms go by retention, long after
/// they are over.
public enum AlarmEvent: String, Sendable, CaseIterable {
    case created = "AlarmCreateEvent"
    /// Its severity is another, somebody is called for it, or its acknowledgement has run out.
    case attributeChanged = "AlarmAttributeValueChangeEvent"
    /// It is over.
    case stateChanged = "AlarmStateChangeEvent"

    /// - Parameter transition: `raised`, `changed`, `reminded`, `escalated`, `cleared`, `test`.
    public init(transition: String) {
        switch transition {
        case "raised": self = .created
        case "cleared", "test": self = .stateChanged
        default: self = .attributeChanged
        }
    }
}

/// Which events a listener wants: the `query` of its registration, as TMF630 has it.
///
///     eventType=AlarmCreateEvent,AlarmStateChangeEvent&perceivedSeverity=critical,major&plmn=62401
///
/// Values of one name are alternatives; names hold together. An alarm that is told when it begins is told until its end.
public struct AlarmEventQuery: Sendable, Equatable {
    /// What may stand there, for messages.
    public static let allowed =
        "eventType, perceivedSeverity, plmn, rule, place, each once, as plmn=62401,62402&place=1222, at most 2048 characters"

    public private(set) var events = Set(AlarmEvent.allCases)
    public private(set) var filter = ChannelFilter(severity: .indeterminate)

    /// Everything.
    public init() {}

    /// Nil if it is none.
    public init?(_ text: String) {
        guard text.utf8.count <= 2_048 else { return nil }
        var given: Set<Substring> = []
        for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, given.insert(parts[0]).inserted,
                let decoded = String(parts[1]).removingPercentEncoding
            else { return nil }
            let values = decoded.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard (1...100).contains(values.count), take(parts[0], values) else { return nil }
        }
    }

    private mutating func take(_ name: Substring, _ values: [String]) -> Bool {
        func all<Value>(_ read: (String) -> Value?) -> [Value]? {
            let found = values.compactMap(read)
            return found.count == values.count ? found : nil
        }
        switch name {
        case "eventType": events = Set(all(AlarmEvent.init(rawValue:)) ?? [])
        case "perceivedSeverity":
            filter.severities = Set(all { Severity(rawValue: $0).flatMap { $0 == .cleared ? nil : $0 } } ?? [])
        case "plmn": filter.networks = Set(all { PLMN(text: $0) } ?? [])
        case "rule": filter.rules = Set(all { (1...64).contains($0.utf8.count) ? $0 : nil } ?? [])
        case "place": filter.places = all { Self.isQuadkey($0) ? $0 : nil } ?? []
        default: return false
        }
        // What could not be read is nothing, and would mean everything.
        switch name {
        case "eventType": return !events.isEmpty
        case "perceivedSeverity": return !filter.severities.isEmpty
        case "plmn": return !filter.networks.isEmpty
        case "rule": return !filter.rules.isEmpty
        default: return !filter.places.isEmpty
        }
    }

    private static func isQuadkey(_ text: String) -> Bool {
        (1...16).contains(text.utf8.count) && text.utf8.allSatisfy { (48...51).contains($0) }
    }
}
