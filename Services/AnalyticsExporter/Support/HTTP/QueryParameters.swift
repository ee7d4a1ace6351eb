package import Models

/// The query parameters of a request, each read once under a name and a range; an unknown, repeated or empty one is a fault.
package struct QueryParameters {
    private let values: [String: String]
    /// Of the parameters that may be given several times.
    private let lists: [String: [String]]

    /// - Parameters:
    ///   - known: names that the call understands.
    ///   - repeated: those among them that may be given several times.
    package init(
        _ pairs: some Sequence<(key: String, value: String)>, known: [String], repeated: [String] = []
    ) throws(ParameterFault) {
        var values: [String: String] = [:], lists: [String: [String]] = [:]
        for (key, value) in pairs {
            guard known.contains(key) else {
                throw ParameterFault(
                    key, "no such parameter; allowed: \(known.joined(separator: ", "))", code: "unknown_parameter")
            }
            guard !value.isEmpty else { throw ParameterFault(key, "has no value; leave it out, or give it one") }
            if repeated.contains(key) {
                lists[key, default: []].append(value)
                continue
            }
            guard values.updateValue(value, forKey: key) == nil else {
                throw ParameterFault(key, "given more than once")
            }
        }
        self.values = values
        self.lists = lists
    }

    /// The text of a parameter, nil if it was not given.
    package func text(_ name: String) -> String? { values[name] }

    /// A whole number within a range.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(ParameterFault) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw ParameterFault(name, "\"\(text)\": expected a whole number, \(range.lowerBound)…\(range.upperBound)")
        }
        return value
    }

    /// One of some words.
    package func choice(_ name: String, of words: [String]) throws(ParameterFault) -> String? {
        guard let text = values[name] else { return nil }
        guard words.contains(text) else {
            throw ParameterFault(name, "\"\(text)\": expected one of \(words.joined(separator: ", "))")
        }
        return text
    }

    /// A PLMN: five or six digits, or `unknown`.
    package func plmn(_ name: String) throws(ParameterFault) -> PLMN? {
        try values[name].map { text throws(ParameterFault) in try Self.plmn(text, name) }
    }

    /// The PLMNs of a parameter that may be given several times, in their order.
    package func plmns(_ name: String) throws(ParameterFault) -> [PLMN] {
        try (lists[name] ?? []).map { text throws(ParameterFault) in try Self.plmn(text, name) }
    }

    private static func plmn(_ text: String, _ name: String) throws(ParameterFault) -> PLMN {
        if text == "unknown" { return .unknown }
        guard let plmn = PLMN(text: text) else {
            throw ParameterFault(name, "\"\(text)\": expected five or six digits (MCC and MNC), or unknown")
        }
        return plmn
    }

    /// A point in time in Unix milliseconds: RFC 3339 text or a whole number of milliseconds.
    package func instant(_ name: String) throws(ParameterFault) -> UnixMilliseconds? {
        guard let text = values[name] else { return nil }
        // 32 503 680 000 000 is the year 3000: what is beyond it is nanoseconds or a slip.
        if let value = Int64(text), (0...32_503_680_000_000).contains(value) { return value }
        // A `+` that was not percent-encoded arrives as a space.
        let offset = text.suffix(6),
            spaced = offset.first == " " ? text.dropLast(6) + "+" + offset.dropFirst() : text[...]
        if let time = Timestamp.milliseconds(String(spaced)) { return time }
        throw ParameterFault(name, "\"\(text)\": expected RFC 3339 (2026-03-01T12:00:00Z) or Unix milliseconds")
    }

    /// The half-open period of `from` and `to`.
    package func period(from earliest: UnixMilliseconds, to latest: UnixMilliseconds) throws(ParameterFault)
        -> Range<UnixMilliseconds>
    {
        let from = try instant("from") ?? earliest
        let to = try instant("to") ?? latest
        guard from <= to else { throw ParameterFault("to", "\(to) is before from, \(from)") }
        return from..<to
    }
}

/// What is wrong with one parameter of a request; answered as a 400 problem document that names the field.
package struct ParameterFault: Error, Equatable {
    /// The parameter's name.
    let field: String
    /// What is wrong with it, for people; names what is allowed.
    let detail: String
    /// A word for programs: `invalid_parameter`, `unknown_parameter`, `too_many_cells`.
    let code: String

    package init(_ field: String, _ detail: String, code: String = "invalid_parameter") {
        self.field = field
        self.detail = detail
        self.code = code
    }
}
