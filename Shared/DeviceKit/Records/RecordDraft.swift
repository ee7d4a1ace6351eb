/// Kinds of records that phones send; raw values are those of the services' kinds.
public enum DeviceRecordKind: Int64, Sendable, Equatable {
    case report = 1
    case feedback = 2
    case prompt = 6

    /// Where records of the kind are posted.
    var path: String {
        switch self {
        case .report: "/v1/reports"
        case .feedback: "/v1/feedback"
        case .prompt: "/v1/me/prompts"
        }
    }
}

/// A record that is about to be kept: it has no counter yet.
struct RecordDraft: Sendable, Equatable {
    var kind: DeviceRecordKind
    /// Sent at once: a dropped call, no service, an emergency, one or two stars.
    var isUrgent: Bool
    /// When it was captured, steady milliseconds.
    var at: Int64
    /// Its members as JSON, separated by commas, without braces, counter and time.
    var members: [UInt8]
}
