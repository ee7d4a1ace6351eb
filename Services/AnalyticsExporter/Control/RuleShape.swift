internal import ServiceKit

/// What every rule has, whatever else it says: a kind, and all but those on urgent records a threshold that raises an alarm and
/// one that clears it. Who will apply the rule understands the rest.
enum RuleShape {
    /// One record; so many phones with bad values; their share; a subject that falls silent; ratings that fall.
    static let kinds = ["urgent", "count", "ratio", "silence", "collapse"]

    /// - Throws: `ControlError` `bad_argument`, naming the member that is missing or wrong.
    static func check(_ document: JSONValue) throws(ControlError) {
        let expected = kinds.joined(separator: ", ")
        guard let member = document["kind"] else {
            throw .argument("document.kind", "is missing: a rule says what it is, one of \(expected)")
        }
        guard let kind = member.string, kinds.contains(kind) else {
            throw .argument("document.kind", "is \(member.text); expected one of \(expected)")
        }
        guard kind != "urgent" else { return }
        for name in ["set", "clear"] {
            guard let threshold = document[name] else {
                throw .argument("document.\(name)", "is missing: a rule has thresholds that set and clear its alarm")
            }
            switch threshold {
            case .integer, .number: continue
            default: throw .argument("document.\(name)", "is \(threshold.text); expected a number")
            }
        }
    }
}
