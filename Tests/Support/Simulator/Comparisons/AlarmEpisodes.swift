import GRDB
import Storage

/// Which alarm has which number among those of its rule, owner and subject: none is given to two, whatever goes or is restored.
struct AlarmEpisodes {
    /// Their names, by rule, owner, subject and number.
    private var given: [String: String] = [:]
    /// Of alarms that are gone, or were raised in a life that was lost.
    private var spent: Set<String> = []

    /// Takes in the alarms that a router has.
    mutating func look(into router: ServiceDatabase) throws {
        let alarms = try alarms(of: router)
        for (key, id) in alarms {
            guard !spent.contains(key), given.updateValue(id, forKey: key) ?? id == id else {
                throw SimulationFailure("alarm \(key) was given twice")
            }
        }
        spent.formUnion(Set(given.keys).subtracting(alarms.keys))
    }

    /// The router goes on from a backup.
    mutating func restored(_ router: ServiceDatabase) throws {
        spent = try Set(given.keys).subtracting(alarms(of: router).keys)
    }

    private func alarms(of router: ServiceDatabase) throws -> [String: String] {
        let rows = try router.read { db in
            try Row.fetchAll(
                db, sql: "SELECT rule || ' ' || owner || ' ' || subject || ' ' || episode AS key, id FROM alarms")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["key"], $0["id"]) })
    }
}
