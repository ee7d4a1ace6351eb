/// How old a subscriber is, as `age_band` says: a closed list, so that no other spelling of a child passes for an adult.
package enum AgeBand: String, CaseIterable, Sendable {
    case under16 = "under_16"
    case from16 = "16-17"
    case adult = "18+"

    /// Checks what a body says; nil: nothing.
    ///
    /// - Throws: ``DeviceAPIError`` 422 for what is not in the list, and for a child whose guardian has not agreed.
    package static func check(_ text: String?, guardian: Bool?) throws(DeviceAPIError) {
        if let text, AgeBand(rawValue: text) == nil {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            throw DeviceAPIError(.outOfRange, "age_band is one of \(names)", field: "age_band")
        }
        if needsGuardian(text), guardian != true { throw .guardianRequired }
    }

    /// Whether a guardian must agree: of a child, and where a band was stored before there was a list, as it may be a child's.
    package static func needsGuardian(_ text: String?) -> Bool {
        guard let text else { return false }
        return AgeBand(rawValue: text).map { $0 == .under16 } ?? true
    }
}
