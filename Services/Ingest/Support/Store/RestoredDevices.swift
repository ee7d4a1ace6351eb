package import GRDB
package import Lanes

/// Devices that enrolled after a backup are not in it, but others know their numbers: after a restore numbers go on far ahead,
/// so that nobody gets one of theirs, nor a pseudonym that is made of it.
package enum RestoredDevices {
    /// More devices than enrol between two backups.
    static let leap: Int64 = 1_000_000

    /// More than enrol in a second of a whole year; numbers of devices have 32 bits where they are counted.
    private static let perSecond: Int64 = 20

    /// How far numbers of devices go on.
    package static func leap(after restoration: Restoration) -> Int64 {
        restoration.leap(atLeast: leap, perSecond: perSecond)
    }

    package static func leap(_ db: Database, by leap: Int64 = Self.leap) throws {
        try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'devices'", arguments: [leap])
        guard db.changesCount == 0 else { return }
        try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('devices', ?)", arguments: [leap])
    }
}
