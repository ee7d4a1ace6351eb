/// What became of a prompt; the raw value is what columns store.
public enum PromptOutcome: Int64, Sendable, CaseIterable {
    /// The phone put it on the screen.
    case shown = 0
    /// The subscriber gave feedback.
    case answered
    /// It went away by itself.
    case ignored
    /// The subscriber closed it.
    case dismissed

    /// Name in the device API.
    public var name: String {
        switch self {
        case .shown: "shown"
        case .answered: "answered"
        case .ignored: "ignored"
        case .dismissed: "dismissed"
        }
    }
}
