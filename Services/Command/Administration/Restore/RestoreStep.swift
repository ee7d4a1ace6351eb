/// How far a restore has come; before the last step there is no home.
public enum RestoreStep: CaseIterable, Sendable {
    /// There is an empty draft of the home.
    case begun
    /// The draft has every file of the backup.
    case unpacked
    /// It is written down where the home comes from.
    case described
}
