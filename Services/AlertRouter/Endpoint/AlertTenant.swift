/// Who has an alert endpoint. The one tenant of this release is the regulator, who sees every operator.
public struct AlertTenant: Sendable, Equatable {
    /// Decides the ports (port + 2 × number and the next), fixed at creation, never reused.
    public let number: Int64
    /// Name of its key file and of its ZAP domain.
    public let name: String

    public static let regulator = AlertTenant(number: 0, name: "regulator")
}
