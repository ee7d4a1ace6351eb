internal import AlarmRules
internal import Models

/// What documents of sites have in common.
extension RuleReader {
    static let siteNumbers = Int(Scope.numbers.lowerBound)...Int(Scope.numbers.upperBound)

    /// Begins to read a document that has a number.
    init(site document: [UInt8], id: Int64) throws(DocumentRefusal) {
        self.init(try RuleDocument(bytes: document).members)
        if let named = optional("id"), named != .number(Double(id)) {
            refuse("id", "is \(named.text)", allowed: "\(id), or nothing")
        }
        if !Scope.numbers.contains(id) {
            refuse("id", "is \(id)", allowed: "\(Self.siteNumbers.lowerBound)…\(Self.siteNumbers.upperBound)")
        }
    }

    /// Notes members that nothing asked for, and refuses the document if anything is wrong with it.
    mutating func finishAll() throws(DocumentRefusal) {
        finish()
        guard problems.isEmpty else { throw DocumentRefusal(problems) }
    }

    /// A name of a time zone.
    mutating func zone(_ name: String) -> String? {
        guard let value = value(name, allowed: SiteDocument.allowedZone) else { return nil }
        if case .string(let zone) = value, LocalZone(name: zone) != nil { return zone }
        refuse(name, "is \(value.text)", allowed: SiteDocument.allowedZone)
        return nil
    }

    /// Whole numbers of a range, each once, in order; none where the member is missing.
    mutating func numbers(_ name: String, in range: ClosedRange<Int>) -> [Int64] {
        let allowed = "whole numbers of \(range.lowerBound)…\(range.upperBound), at most 100"
        guard let value = optional(name) else { return [] }
        guard case .array(let values) = value, values.count <= 100 else {
            refuse(name, "is \(value.text)", allowed: "an array of \(allowed)")
            return []
        }
        var numbers: Set<Int64> = []
        for (index, value) in values.enumerated() {
            guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) else {
                refuse("\(name)[\(index)]", "is \(value.text)", allowed: allowed)
                continue
            }
            numbers.insert(Int64(whole))
        }
        return numbers.sorted()
    }

    /// A member that is known, and missing.
    mutating func missing<Value>(_ name: String) -> Value? {
        _ = optional(name)
        return nil
    }
}
