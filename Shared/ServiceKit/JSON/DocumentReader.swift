public import Models

/// Reads the members of one object of a document that operators set and notes what is wrong with each, so that a refusal names
/// everything at once. Never shows the value of a secret.
public struct DocumentReader {
    /// What is wrong with a text, in words that follow its member's name.
    public struct Fault: Error, Sendable, Equatable {
        public let text: String

        public init(text: String) { self.text = text }
    }

    private let prefix: String
    private let members: [String: JSONValue]
    private let areSecret: Bool
    private var read: Set<String> = []
    public private(set) var problems: [DocumentProblem] = []

    public init(_ members: [String: JSONValue], within prefix: String = "", areSecret: Bool = false) {
        self.members = members
        self.prefix = prefix
        self.areSecret = areSecret
    }

    public func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

    public mutating func refuse(_ name: String, _ what: String, allowed: String) {
        problems.append(DocumentProblem(prefix + name, what, allowed: allowed))
    }

    /// A member that may be missing.
    public mutating func optional(_ name: String) -> JSONValue? {
        read.insert(name)
        return has(name) ? members[name] : nil
    }

    /// A text that `accept` makes something of; nil, and noted unless it may be missing, if it is none.
    public mutating func text<Value>(
        _ name: String, mayBeMissing: Bool = false, allowed: String,
        _ accept: (String) throws(Fault) -> Value?
    ) -> Value? {
        guard let value = optional(name) else {
            if !mayBeMissing { refuse(name, "is missing", allowed: allowed) }
            return nil
        }
        guard let text = value.string else {
            refuse(name, "is \(shown(value))", allowed: allowed)
            return nil
        }
        do throws(Fault) {
            if let result = try accept(text) { return result }
            refuse(name, "is \(shown(value))", allowed: allowed)
        } catch { refuse(name, error.text, allowed: allowed) }
        return nil
    }

    /// A whole number of a range; the default where it is missing.
    public mutating func whole(_ name: String, in range: ClosedRange<Int64>, default standard: Int64) -> Int64 {
        guard let value = optional(name) else { return standard }
        guard let number = value.integer, range.contains(number) else {
            refuse(name, "is \(shown(value))", allowed: "\(range.lowerBound)…\(range.upperBound), a whole number")
            return standard
        }
        return number
    }

    /// The elements of an array of texts, each as `accept` makes it; none where it is missing.
    public mutating func list<Element>(_ name: String, most: Int, of allowed: String, _ accept: (String) -> Element?)
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
    public mutating func object(_ name: String, areSecret: Bool = false) -> DocumentReader? {
        guard let value = optional(name) else { return nil }
        guard let members = value.object else {
            refuse(name, "is \(shown(value))", allowed: "an object")
            return nil
        }
        return DocumentReader(members, within: prefix + name + ".", areSecret: areSecret || self.areSecret)
    }

    /// Readers of the objects of an array; none where it is missing.
    public mutating func objects(_ name: String, in counts: ClosedRange<Int>, of allowed: String) -> [DocumentReader] {
        let whole = "an array of \(counts.lowerBound)…\(counts.upperBound): \(allowed)"
        guard let value = optional(name) else {
            if counts.lowerBound > 0 { refuse(name, "is missing", allowed: whole) }
            return []
        }
        guard let values = value.array, counts.contains(values.count) else {
            refuse(name, "is \(shown(value))", allowed: whole)
            return []
        }
        return values.enumerated().compactMap { index, value in
            guard let members = value.object else {
                refuse("\(name)[\(index)]", "is \(shown(value))", allowed: "an object")
                return nil
            }
            return DocumentReader(members, within: "\(prefix)\(name)[\(index)].", areSecret: areSecret)
        }
    }

    /// A time; nil, and noted unless it may be missing, if it is none.
    public mutating func instant(_ name: String, mayBeMissing: Bool = false) -> UnixMilliseconds? {
        let allowed = "RFC 3339 (2026-03-01T12:00:00Z) or Unix milliseconds, from 1970 to 2999"
        guard let value = optional(name) else {
            if !mayBeMissing { refuse(name, "is missing", allowed: allowed) }
            return nil
        }
        if let number = value.integer, Self.times.contains(number) { return number }
        if let time = value.string.flatMap(Timestamp.milliseconds), Self.times.contains(time) { return time }
        refuse(name, "is \(shown(value))", allowed: allowed)
        return nil
    }

    private static let times: Range<UnixMilliseconds> = 0..<32_503_680_000_000

    /// Takes over what was wrong inside.
    public mutating func take(_ inner: DocumentReader) { problems += inner.problems }

    /// Notes members that nothing asked for.
    public mutating func finish() {
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
