import GRDB
import IngestUploads
import Models
import Storage

/// What a device of a run has behind it when it enrols. A run lasts seconds and trust takes days: so the past is written into
/// ingest's database in the transaction of the enrolment, by a trigger.
struct SimulatedPast {
    private static let day: Int64 = 86_400_000

    /// How long ago it enrolled, milliseconds.
    let age: Int64
    let hasCode: Bool
    /// Days on which it was seen, the last of them so many days ago.
    let days: Int
    let lastDayAgo: Int64

    /// Draws a past; half of all devices have none.
    ///
    /// - Parameter span: how long the run goes on: some devices are no longer young in the middle of it.
    init(_ random: inout SeededRandom, span: Int64) {
        hasCode = random.chance(150)
        guard random.chance(500) else {
            (age, days, lastDayAgo) = (0, 0, 0)
            return
        }
        let isAboutToBeOld = random.chance(400)
        age = isAboutToBeOld ? Self.day - Int64(random.below(Int(span))) : Int64(random.within(2...20)) * Self.day
        days = random.pick([0, 1, 5, 6, 6, 7])
        lastDayAgo = days == 0 ? 0 : random.pick([0, 1, 3])
    }

    /// Gives devices a past, by their numbers from 1.
    static func install(_ pasts: [SimulatedPast], in database: ServiceDatabase) throws {
        let values = pasts.enumerated().map { place, past in
            "(\(place + 1), \(past.age), \(past.hasCode ? "1" : "NULL"), \(past.days), \(past.lastDayAgo))"
        }
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER simulated_past AFTER INSERT ON devices BEGIN
                        UPDATE devices SET enrolled_at = NEW.enrolled_at - column2, activation_batch = column3,
                            days_seen = column4,
                            last_seen_day = CASE column4 WHEN 0 THEN 0 ELSE NEW.enrolled_at / \(day) - column5 END
                        FROM (VALUES \(values.joined(separator: ", ")))
                        WHERE column1 = NEW.ordinal AND devices.ordinal = NEW.ordinal;
                    END
                    """)
        }
    }

    /// What ingest's directory would find of a device that enrolled now.
    func trust(_ now: Int64) -> DeviceTrust {
        DeviceTrust(
            enrolledAt: now - age, isActivated: hasCode, daysSeen: UInt8(days),
            lastDay: days == 0 ? 0 : UInt32(now / Self.day - lastDayAgo))
    }

    /// What the model is told of it.
    func reference(_ now: Int64) -> ReferenceTrust {
        let last = Int(now / Self.day - lastDayAgo)
        return ReferenceTrust(
            enrolledAt: Int(now - age), hasCode: hasCode, daysSeen: Set((0..<days).map { last - $0 }))
    }
}
