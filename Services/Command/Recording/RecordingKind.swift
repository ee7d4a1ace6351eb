public import Models

/// What a row of a recording is.
public enum RecordingKind: String, Sendable, CaseIterable {
    case report, feedback
    /// What became of a prompt; the device API has no place for it yet.
    case prompt

    /// The record kind whose columns it has.
    public var recordKind: RecordKind? {
        switch self {
        case .report: .report
        case .feedback: .feedback
        case .prompt: nil
        }
    }
}
