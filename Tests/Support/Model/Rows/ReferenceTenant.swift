/// Somebody who looks at what was measured: an operator with its networks, or the regulator.
public struct ReferenceTenant: Sendable, Equatable {
    public let name: String
    /// Texts of its networks.
    public let networks: Set<String>
    public let isRegulator: Bool

    public init(name: String, networks: Set<String>, isRegulator: Bool) {
        self.name = name
        self.networks = networks
        self.isRegulator = isRegulator
    }

    /// A row is its business if the SIM is its own or it served the phone; what names no network is the regulator's alone.
    public func isConcerned(by row: ReferenceRow) -> Bool {
        isRegulator || networks.contains(row.sim) || networks.contains(row.serving)
    }

    /// Operators see a row only if its subscriber shares rows with operators.
    public func sees(_ row: ReferenceRow) -> Bool {
        isRegulator || isConcerned(by: row) && row.purposes.contains("operator_sharing")
    }
}
