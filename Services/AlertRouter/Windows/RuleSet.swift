internal import AlarmRules
internal import Models

/// The rules that the windows run: those that people set, and the built-in ones whose names nobody has taken.
///
/// A built-in rule of kind `urgent` is left out: what one record may raise, the urgent path raises at once.
struct RuleSet {
    /// Why a stored rule does not run.
    struct Refusal: Error, Sendable, Equatable {
        let id: String
        let reason: String
    }

    private(set) var rules: [AlarmRule] = []
    private(set) var documents: [(id: String, document: [UInt8])] = []
    private(set) var refusals: [Refusal] = []

    /// - Parameter stored: documents of rules that people set, by name.
    init(_ programmes: Programmes, stored: [(id: String, document: [UInt8])]) {
        let names = Set(stored.map(\.id))
        for one in BuiltInRules.documents(programmes) where !names.contains(one.id) {
            add(one.id, Array(one.document.utf8), programmes, isBuiltIn: true)
        }
        for one in stored { add(one.id, one.document, programmes, isBuiltIn: false) }
    }

    private mutating func add(
        _ id: String, _ document: [UInt8], _ programmes: Programmes, isBuiltIn: Bool
    ) {
        do {
            let rule = try AlarmRule(compiling: document, id: id, programmes: programmes)
            if isBuiltIn, rule.kind == .urgent { return }
            rules.append(rule)
            documents.append((id, document))
        } catch {
            refusals.append(Refusal(id: id, reason: error.description))
        }
    }

    /// The rules of a state that was written, compiled anew; nil if one does not compile any more.
    static func compiled(
        _ documents: [(id: String, document: [UInt8])], _ programmes: Programmes
    ) -> [AlarmRule]? {
        let rules = documents.compactMap { try? AlarmRule(compiling: $0.document, id: $0.id, programmes: programmes) }
        return rules.count == documents.count ? rules : nil
    }
}
