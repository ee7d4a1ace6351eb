internal import HTTPTypes
internal import Models

/// Which networks a caller may see. What belongs to no known network is seen by those who see everything.
enum NetworkScope: Sendable, Equatable {
    case everything
    /// Networks, and what else a tenant owns in the schemes of other programmes.
    case only(Set<PLMN>, others: Set<Scope> = [])

    func contains(_ plmn: PLMN) -> Bool {
        switch self {
        case .everything: true
        case .only(let networks, _): networks.contains(plmn)
        }
    }

    /// Whether it contains the owner of a row.
    ///
    /// - Parameter number: as the row's columns have it, of the scheme of the row's kind.
    func contains(_ number: Int64, of scope: RowScope) -> Bool {
        switch (self, scope) {
        case (.everything, _): true
        case (.only(let networks, _), .networks): networks.contains(PLMN(rawValue: number))
        case (.only(_, let others), .number(let scheme, _)): others.contains(Scope(scheme: scheme, number: number))
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
    /// between them: of networks `62401`, of other schemes `site:12`.
    func condition(on column: String, orAmong others: String? = nil) -> String {
        switch self {
        case .everything: return "1"
        case .only(let networks, let owned):
            let numbers = networks.map(\.rawValue).sorted().map(String.init)
            let one = numbers.isEmpty ? "0" : "\(column) IN (\(numbers.joined(separator: ", ")))"
            guard let others else { return one }
            let texts = networks.map(\.text).filter { !$0.isEmpty }.sorted() + owned.map(\.text).sorted()
            return "("
                + ([one] + texts.map { "instr(' ' || \(others) || ' ', ' \($0) ') > 0" }).joined(separator: " OR ")
                + ")"
        }
    }
}
