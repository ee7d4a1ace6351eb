/// Every setting of one service: `<Name>Configuration`.
public protocol ServiceConfiguration: Sendable {
    /// The settings that all services have.
    var common: CommonConfiguration { get }

    /// Reads, checks and thereby declares each setting.
    ///
    /// - Throws: ``ServiceError`` of code `usage`.
    init(_ settings: Settings) throws
}
