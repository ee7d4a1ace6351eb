/// What a control call reads from its arguments; the errors name the argument and what was expected.
extension JSONValue {
    /// A text that must be given and not be empty.
    public func text(_ name: String) throws(ControlError) -> String {
        guard let text = try optionalText(name), !text.isEmpty else { throw .argument(name, "is missing") }
        return text
    }

    /// A text that may be left out.
    public func optionalText(_ name: String) throws(ControlError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw .argument(name, "is not a text") }
        return text
    }

    /// A whole number, `standard` if it is left out.
    public func integer(
        _ name: String, default standard: Int64? = nil, in range: ClosedRange<Int64> = 0...Int64.max
    ) throws(ControlError) -> Int64 {
        guard let value = self[name] else {
            guard let standard else { throw .argument(name, "is missing") }
            return standard
        }
        guard let number = value.integer else { throw .argument(name, "is not a whole number") }
        guard range.contains(number) else {
            throw .argument(name, "is \(number); expected \(range.lowerBound)…\(range.upperBound)")
        }
        return number
    }

    /// A number, `standard` if it is left out.
    public func number(
        _ name: String, default standard: Double, in range: ClosedRange<Double>
    ) throws(ControlError) -> Double {
        let number: Double
        switch self[name] {
        case nil: return standard
        case .integer(let value): number = Double(value)
        case .number(let value): number = value
        default: throw .argument(name, "is not a number")
        }
        guard range.contains(number) else {
            throw .argument(name, "is \(number); expected \(range.lowerBound)…\(range.upperBound)")
        }
        return number
    }

    /// True or false, false if it is left out.
    public func flag(_ name: String) throws(ControlError) -> Bool {
        guard let value = self[name] else { return false }
        guard let flag = value.bool else { throw .argument(name, "is neither true nor false") }
        return flag
    }

    /// A list of texts, empty if it is left out.
    public func texts(_ name: String) throws(ControlError) -> [String] {
        guard let value = self[name] else { return [] }
        guard let texts = value.array?.map(\.string), !texts.contains(nil) else {
            throw .argument(name, "is not a list of texts")
        }
        return texts.compactMap { $0 }
    }
}
