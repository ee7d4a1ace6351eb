internal import Models
internal import ServiceKit

/// Reads the members of one object of a channel's document and notes what is wrong with each, so that a refusal names
/// everything at once. Never shows the value of a secret.
struct ChannelReader {
    private let prefix: String
    private let members: [String: JSONValue]
    private let areSecret: Bool
    private var read: Set<String> = []
    private(set) var problems: [DocumentProblem] = []

    init(_ members: [String: JSONValue], within prefix: String = "", areSecret: Bool = false) {
        self.members = members
        self.prefix = prefix
        self.areSecret = areSecret
    }

    func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    mutating func refuse(_ name: String, _ what: String, allowed: String) {
        problems.append(DocumentProblem(prefix + name, what, allowed: allowed))
    }

    /// A member that may be missing.
    mutating func optional(_ name: String) -> JSONValue? {
        read.insert(name)
        return has(name) ? members[name] : nil
    }

    /// A text that `accept` makes something of; nil, and noted unless it may be missing, if it is none.
    mutating func text<Value>(
        _ name: String, mayBeMissing: Bool = false, allowed: String,
        _ accept: (String) throws(TargetURL.Refusal) -> Value?
    ) -> Value? {
        guard let value = optional(name) else {
            if !mayBeMissing { refuse(name, "is missing", allowed: allowed) }
            return nil
        }
        guard let text = value.string else {
            refuse(name, "is \(shown(value))", allowed: allowed)
            return nil
        }
        do throws(TargetURL.Refusal) {
            if let result = try accept(text) { return result }
            refuse(name, "is \(shown(value))", allowed: allowed)
        } catch { refuse(name, error.text, allowed: allowed) }
        return nil
    }

    /// A whole number of a range; the default where it is missing.
    mutating func whole(_ name: String, in range: ClosedRange<Int64>, default standard: Int64) -> Int64 {
        guard let value = optional(name) else { return standard }
        guard let number = value.integer, range.contains(number) else {
            refuse(name, "is \(shown(value))", allowed: "\(range.lowerBound)…\(range.upperBound), a whole number")
            return standard
        }
        return number
    }

    /// The elements of an array of texts, each as `accept` makes it; none where it is missing.
    mutating func list<Element>(_ name: String, most: Int, of allowed: String, _ accept: (String) -> Element?)
        -> [Element]
    {
        guard let value = optional(name) else { return [] }
        guard let values = value.array, (1...most).contains(values.count) else {
            refuse(name, "is \(shown(value))", allowed: "an array of 1…\(most): \(allowed)")
            return []
        }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            guard let text = value.string, let element = accept(text) else {
                refuse("\(name)[\(index)]", "is \(shown(value))", allowed: allowed)
                continue
            }
            elements.append(element)
        }
        return elements
    }

    /// A reader of an object inside; nil where it is missing.
    mutating func object(_ name: String, areSecret: Bool = false) -> ChannelReader? {
        guard let value = optional(name) else { return nil }
        guard let members = value.object else {
            refuse(name, "is \(shown(value))", allowed: "an object")
            return nil
        }
        return ChannelReader(members, within: prefix + name + ".", areSecret: areSecret)
    }

    /// Takes over what was wrong inside.
    mutating func take(_ inner: ChannelReader) { problems += inner.problems }

    /// Notes members that nothing asked for.
    mutating func finish() {
        let known = read.isEmpty ? "none" : "one of " + read.sorted().joined(separator: ", ")
        for name in members.keys.sorted() where !read.contains(name) {
            refuse(String(name.prefix(64)), "is unknown", allowed: known)
        }
    }

    private func shown(_ value: JSONValue) -> String {
        switch value {
        case .array(let values): values.isEmpty ? "an empty array" : "an array of \(values.count)"
        case .object: "an object"
        case .string where areSecret: "something else"
        case .string(let text): "\"\(text.prefix(64))\""
        default: value.text
        }
    }
}
