public import Models
internal import QoE

/// What a row of a recording is.
public enum RecordingKind: String, Sendable, CaseIterable {
    case report, feedback
    /// What became of a prompt.
    case prompt

    /// The record kind whose columns it has.
    public var recordKind: RecordKind {
        switch self {
        case .report: .report
        case .feedback: .feedback
        case .prompt: .prompt
        }
    }

    /// Where phones send it.
    var path: String {
        switch self {
        case .report: "/v1/reports"
        case .feedback: "/v1/feedback"
        case .prompt: "/v1/me/prompts"
        }
    }
}
