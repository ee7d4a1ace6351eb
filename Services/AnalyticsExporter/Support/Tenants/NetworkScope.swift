internal import HTTPTypes
package import Models

/// Which networks a caller may see. What belongs to no known network is seen by those who see everything.
package enum NetworkScope: Sendable, Equatable {
    case everything
    /// Networks, and what else a tenant owns in the schemes of other programmes.
    case only(Set<PLMN>, others: Set<Scope> = [])

    package func contains(_ plmn: PLMN) -> Bool {
        switch self {
        case .everything: true
        case .only(let networks, _): networks.contains(plmn)
        }
    }

    /// Whether it contains the owner of a row.
    ///
    /// - Parameter number: as the row's columns have it, of the scheme of the row's kind.
    package func contains(_ number: Int64, of scope: RowScope) -> Bool {
        switch (self, scope) {
        case (.everything, _): true
        case (.only(let networks, _), .networks): networks.contains(PLMN(rawValue: number))
        case (.only(_, let others), .number(let scheme, _)): others.contains(Scope(scheme: scheme, number: number))
        }
    }

    /// The scope of a query that names a network; the same if it names none.
    ///
    /// - Throws: ``ExporterAPIError`` `foreign_network` (403) if the caller may not see it.
    package func narrowed(to plmn: PLMN?) throws(ExporterAPIError) -> NetworkScope {
        guard let plmn else { return self }
        guard contains(plmn) else {
            let name = plmn == .unknown ? "unknown" : plmn.text
            throw ExporterAPIError(
                .forbidden, "foreign_network", "plmn: \(name) is none of your networks", field: "plmn")
        }
        return .only([plmn])
    }

    /// The scope of a query that names a network or what else tenants own; the same if it names none.
    ///
    /// - Throws: ``ExporterAPIError`` `foreign_network` or `foreign_scope` (403) if the caller may not see it.
    package func narrowed(to scope: Scope?) throws(ExporterAPIError) -> NetworkScope {
        guard let scope else { return self }
        if scope.scheme == Scope.plmn { return try narrowed(to: PLMN(rawValue: scope.number)) }
        if case .only(_, let owned) = self, !owned.contains(scope) {
            throw ExporterAPIError(.forbidden, "foreign_scope", "scope: \(scope.text) is not yours", field: "scope")
        }
        return .only([], others: [scope])
    }

    /// The scope as an SQL condition on a column with the numbers of scopes of a programme.
    package func condition(on column: String, of scope: RowScope) -> String {
        guard case .only(let networks, let owned) = self else { return "1" }
        let numbers =
            scope == .networks
            ? networks.map(\.rawValue) : owned.filter { $0.scheme == scope.scheme }.map(\.number)
        return numbers.isEmpty ? "0" : "\(column) IN (\(numbers.sorted().map(String.init).joined(separator: ", ")))"
    }

    /// The scope as an SQL condition on a column with a PLMN's number, and if need be on one with texts of others, blanks
    /// between them: of networks `62401`, of other schemes `site:12`.
    package func condition(on column: String, orAmong others: String? = nil) -> String {
        switch self {
        case .everything: return "1"
        case .only(let networks, let owned):
            let one = condition(on: column, of: .networks)
            guard let others else { return one }
            let texts = networks.map(\.text).filter { !$0.isEmpty }.sorted() + owned.map(\.text).sorted()
            return "("
                + ([one] + texts.map { "instr(' ' || \(others) || ' ', ' \($0) ') > 0" }).joined(separator: " OR ")
                + ")"
        }
    }
}
