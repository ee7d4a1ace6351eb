internal import Models

/// The sockets of the tenants, as the effects know them. Confined to the thread of the effects.
protocol TenantEndpoints: AnyObject {
    /// Opens what is missing and closes what is too many; a tenant that cannot be served does not stop the others.
    func settle(_ tenants: [AlertTenant])

    /// What is bound now, that of the built-in regulator included.
    var bound: [EndpointDocument] { get }

    /// Whether ``bound`` changed since it was last told on the lane, or has not been told since the start.
    var hasNews: Bool { get }

    /// What ``bound`` was is on disk and on its way.
    func announced()
}
