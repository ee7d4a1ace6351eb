extension EffectEngine {
    /// How the readers of the service's own lanes stand.
    public var readerStandings: [ReaderStanding] { journals.flatMap(\.standings) }

    /// Does what an operator wishes, in a transaction of its own.
    ///
    /// - Throws: ``ReaderRefusal``, `StorageError`.
    public func detach(_ wish: ReaderDetachment) throws -> ReaderStanding {
        try wish.perform(on: journals, in: database)
    }
}
