internal import IngestUploads
/// How old a subscriber is, as `age_band` says: a closed list, so that no other spelling of a child passes for an adult.
enum AgeBand: String, CaseIterable {
    case under16 = "under_16"
    case from16 = "16-17"
    case adult = "18+"

    /// Checks what a body says; nil: nothing.
    ///
    /// - Throws: ``Problem`` 422 for what is not in the list, and for a child whose guardian has not agreed.
    static func check(_ text: String?, guardian: Bool?) throws(Problem) {
        guard let text else { return }
        guard let band = AgeBand(rawValue: text) else {
            let names = allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.outOfRange, "age_band is one of \(names)", field: "age_band")
        }
        if band == .under16, guardian != true { throw .guardianRequired }
    }
}
