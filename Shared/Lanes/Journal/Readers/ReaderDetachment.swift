public import Models
public import Storage

/// An operator's wish that a lane stop waiting for a reader.
public struct ReaderDetachment: Codable, Sendable {
    public var lane: LaneName
    public var reader: String
    /// Detach it even if it is required.
    public var force: Bool?

    public init(lane: LaneName, reader: String, force: Bool = false) {
        self.lane = lane
        self.reader = reader
        self.force = force
    }

    /// Does it in a transaction of its own; to be called on the thread that writes the database.
    ///
    /// The reader holds nothing back from then on. When it joins again it is waited for again, and goes on behind what
    /// was trimmed meanwhile. Detaching it twice changes nothing.
    ///
    /// - Throws: ``ReaderRefusal``, `StorageError`.
    public func perform(on journals: [Journal], in database: ServiceDatabase) throws -> ReaderStanding {
        guard let journal = journals.first(where: { $0.lane == lane }) else {
            throw ReaderRefusal.notWritten(lane: lane, written: journals.map(\.lane))
        }
        guard let standing = journal.standings.first(where: { $0.reader == reader }) else {
            throw ReaderRefusal.unknown(reader: reader, lane: lane, known: journal.readers.keys.sorted())
        }
        guard !standing.required || force == true else { throw ReaderRefusal.required(standing) }
        try database.write { try journal.detach(reader: reader, $0) }
        return journal.standings.first { $0.reader == reader } ?? standing
    }
}
