internal import GRDB

/// Devices that enrolled after a backup are not in it, but others know their numbers: after a restore numbers go on far ahead,
/// so that nobody gets one of theirs, nor a pseudonym that is made of it.
enum RestoredDevices {
    /// More devices than enrol between two backups.
    static let leap: Int64 = 1_000_000

    static func leap(_ db: Database, by leap: Int64 = Self.leap) throws {
        try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'devices'", arguments: [leap])
        guard db.changesCount == 0 else { return }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('devices', ?)", arguments: [leap])
    }
}
