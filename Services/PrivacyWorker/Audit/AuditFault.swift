/// What is wrong with an audit log: the first fault that a verification meets.
public enum AuditFault: Sendable, Equatable, CustomStringConvertible {
    /// Entries are missing before this one, or in another order.
    case wrongNumber(expected: Int64, found: Int64)
    /// An entry does not follow the one before it: it, or that, was replaced.
    case brokenChain(number: Int64)
    /// An entry does not say what was written.
    case changed(number: Int64)
    /// There is no signed head.
    case noHead
    /// The head was not signed by this home's key.
    case wrongSignature
    /// Entries were cut off the end, or added without a signature.
    case wrongLength(signed: Int64, found: Int64)
    /// The last entries were written anew.
    case wrongEnd(number: Int64)
    /// A head on the lane was not signed by this home's key: somebody changed it, or the key is another.
    case falseHead(count: Int64)
    /// A head that was published is not in the log: it was set back to an older state.
    case setBack(published: Int64, found: Int64)

    public var description: String {
        switch self {
        case .wrongNumber(let expected, let found):
            "entry \(expected) is missing: entry \(found) stands in its place"
        case .brokenChain(let number): "entry \(number) does not follow entry \(number - 1): one of them was replaced"
        case .changed(let number): "entry \(number) was changed"
        case .noHead: "the log has no signed head"
        case .wrongSignature: "the head of the log was not signed with this home's key"
        case .wrongLength(let signed, let found): "\(signed) entries were signed, there are \(found)"
        case .wrongEnd(let number): "entry \(number), the last, is not the one that was signed"
        case .falseHead(let count):
            "a head of \(count) entries on the privacy lane was not signed with this home's key"
        case .setBack(let published, let found):
            "a head of \(published) entries was published that is not in this log of \(found): it was set back"
        }
    }
}
