/// The one tenant of this version: the regulator, who sees every network.
enum Regulator {
    static let tenant = "regulator"
    /// Name of its token's file in `keys/`.
    static let tokenFile = "regulator.token"
}
