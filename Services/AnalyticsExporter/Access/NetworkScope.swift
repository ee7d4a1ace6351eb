internal import HTTPTypes
internal import Models

/// Which networks a caller may see. What belongs to no known network is seen by those who see everything.
enum NetworkScope: Sendable, Equatable {
    case everything
    case only(Set<PLMN>)

    func contains(_ plmn: PLMN) -> Bool {
        switch self {
        case .everything: true
        case .only(let networks): networks.contains(plmn)
        }
    }

    /// The scope of a query that names a network; the same if it names none.
    ///
    /// - Throws: ``Problem`` `foreign_network` (403) if the caller may not see it.
    func narrowed(to plmn: PLMN?) throws(Problem) -> NetworkScope {
        guard let plmn else { return self }
        guard contains(plmn) else {
            let name = plmn == .unknown ? "unknown" : plmn.text
            throw Problem(.forbidden, "foreign_network", "plmn: \(name) is none of your networks", field: "plmn")
        }
        return .only([plmn])
    }

    /// The scope as an SQL condition on a column with a PLMN's number, and if need be on one with texts of others, blanks
    /// between them.
    func condition(on column: String, orAmong others: String? = nil) -> String {
        switch self {
        case .everything: return "1"
        case .only(let networks):
            let numbers = networks.map(\.rawValue).sorted().map(String.init)
            guard !numbers.isEmpty else { return "0" }
            let one = "\(column) IN (\(numbers.joined(separator: ", ")))"
            guard let others else { return one }
            let texts = networks.map(\.text).filter { !$0.isEmpty }.sorted()
            return "("
                + ([one] + texts.map { "instr(' ' || \(others) || ' ', ' \($0) ') > 0" }).joined(separator: " OR ")
                + ")"
        }
    }
}
