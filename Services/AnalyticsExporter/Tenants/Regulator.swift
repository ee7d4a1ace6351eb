/// The built-in tenant: the regulator, who sees every network.
enum Regulator {
    static let tenant = "regulator"
    /// Its first contact, whose token is in a file.
    static let contact = "regulator"
    /// Name of the token's file in `keys/`.
    static let tokenFile = "regulator.token"
}
