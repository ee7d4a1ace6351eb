import GRDB
import Storage

/// Which alarm has which number among those of its rule, owner and subject: no two ever have the same, whatever goes or is restored.
struct AlarmEpisodes {
    private var raised: [String: Int] = [:]

    /// Takes in the alarms that a router has.
    mutating func look(into router: ServiceDatabase) throws {
        let rows = try router.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT rule || ' ' || owner || ' ' || subject || ' ' || episode AS key, raised_at FROM alarms")
        }
        for row in rows {
            let raisedAt: Int = row["raised_at"]
            guard raised.updateValue(raisedAt, forKey: row["key"]) ?? raisedAt == raisedAt else {
                throw SimulationFailure("alarm \(row["key"] as String) was given twice")
            }
        }
    }
}
