package import Models

/// Reads the members of one object of a document and notes what is wrong with each, so that a refusal names everything at once.
package struct RuleReader {
    private let prefix: String
    private let members: [String: RuleValue]
    private var read: Set<String> = []
    package var problems: [DocumentProblem] = []

    package init(_ members: [String: RuleValue], within prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    package func path(_ name: String) -> String { prefix + name }

    package func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    package mutating func refuse(_ name: String, _ what: String, allowed: String) {
        problems.append(DocumentProblem(path(name), what, allowed: allowed))
    }

    /// A member that may be missing.
    package mutating func optional(_ name: String) -> RuleValue? {
        read.insert(name)
        return has(name) ? members[name] : nil
    }

    /// A member that must be there.
    package mutating func value(_ name: String, allowed: String) -> RuleValue? {
        guard let value = optional(name) else {
            refuse(name, "is missing", allowed: allowed)
            return nil
        }
        return value
    }

    /// A number of a range; nil, and noted, if it is none.
    package mutating func number(_ name: String, in range: ClosedRange<Double>, unit: String = "") -> Double? {
        let allowed = "\(RuleValue.text(range.lowerBound))…\(RuleValue.text(range.upperBound))" + unit
        guard let value = value(name, allowed: allowed) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            refuse(name, "is \(value.text)", allowed: allowed)
            return nil
        }
        return number
    }

    /// A whole number of a range; the default where it is missing and there is one.
    package mutating func whole(_ name: String, in range: ClosedRange<Int>, step: Int = 1, default: Int? = nil) -> Int?
    {
        let allowed =
            "\(range.lowerBound)…\(range.upperBound)" + (step == 1 ? ", a whole number" : ", a multiple of \(step)")
        if let `default`, !has(name) {
            read.insert(name)
            return `default`
        }
        guard let value = value(name, allowed: allowed) else { return nil }
        guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole),
            whole % step == 0
        else {
            refuse(name, "is \(value.text)", allowed: allowed)
            return nil
        }
        return whole
    }

    /// One of some words; the default where it is missing and there is one.
    package mutating func word(_ name: String, of words: [String], default: String? = nil) -> String? {
        let allowed = "one of " + words.joined(separator: ", ")
        if let `default`, !has(name) {
            read.insert(name)
            return `default`
        }
        guard let value = value(name, allowed: allowed) else { return nil }
        guard case .string(let word) = value, words.contains(word) else {
            refuse(name, "is \(value.text)", allowed: allowed)
            return nil
        }
        return word
    }

    /// True or false; the default where it is missing.
    package mutating func flag(_ name: String, default: Bool) -> Bool {
        guard let value = optional(name) else { return `default` }
        guard case .bool(let flag) = value else {
            refuse(name, "is \(value.text)", allowed: "true or false")
            return `default`
        }
        return flag
    }

    /// Text of 1…200 characters.
    package mutating func text(_ name: String) -> String? {
        let allowed = "1…200 characters"
        guard let value = value(name, allowed: allowed) else { return nil }
        guard case .string(let text) = value, (1...200).contains(text.count) else {
            refuse(name, "is \(value.text)", allowed: allowed)
            return nil
        }
        return text
    }

    /// The elements of an array that has any; nil where it is missing.
    package mutating func list(_ name: String, of allowed: String) -> [RuleValue]? {
        guard let value = optional(name) else { return nil }
        guard case .array(let values) = value, !values.isEmpty else {
            refuse(name, "is \(value == .array([]) ? "empty" : value.text)", allowed: "an array of \(allowed)")
            return nil
        }
        return values
    }

    /// The elements of an array of words, each as `read` makes it of its text.
    package mutating func list<Element>(
        _ name: String, of allowed: String, _ read: (String) -> Element?
    ) -> [Element]? {
        guard let values = list(name, of: allowed) else { return nil }
        var elements: [Element] = []
        for (index, value) in values.enumerated() {
            guard case .string(let text) = value, let element = read(text) else {
                refuse("\(name)[\(index)]", "is \(value.text)", allowed: allowed)
                continue
            }
            elements.append(element)
        }
        return elements
    }

    /// A reader of an object inside; nil where it is missing.
    package mutating func object(_ name: String) -> RuleReader? {
        guard let value = optional(name) else { return nil }
        guard case .object(let members) = value else {
            refuse(name, "is \(value.text)", allowed: "an object")
            return nil
        }
        return RuleReader(members, within: path(name) + ".")
    }

    /// Takes over what was wrong inside.
    package mutating func take(_ inner: RuleReader) { problems += inner.problems }

    /// Notes members that nothing asked for.
    package mutating func finish() {
        for name in members.keys.sorted() where !read.contains(name) {
            refuse(name, "is unknown", allowed: "one of " + read.sorted().joined(separator: ", "))
        }
    }
}
