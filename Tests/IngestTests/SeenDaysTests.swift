import Foundation
import GRDB
import IngestDuplicates
import Models
import QoE
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import IngestCommit
@testable import IngestSupport
@testable import IngestUploads

/// What the engine makes of devices that come on many days.
struct SeenDaysTests {
    private let now = Reading.now
    private let day: Int64 = 86_400_000

    private func report(_ seq: Int, at time: Int64, _ more: String = "") -> String {
        #"{"seq":\#(seq),"captured_at_ms":\#(time)\#(more)}"#
    }

    private func upload(_ device: DeviceIdentity, _ text: String, at time: Int64) throws -> Upload {
        let request = UploadRequest(kind: .report, arrivedAt: time)
        return try Array(text.utf8).withUnsafeBytes { try Reading.reader.read($0, of: device, as: request) }
    }

    private func stored(_ bench: EngineBench) throws -> DeviceTrust? {
        try bench.database.read { try IngestStore($0).consent(of: 1)?.identity.trust }
    }

    /// From now on every change of a device ends the test.
    private func forbidChanges(_ bench: EngineBench) throws {
        try bench.database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER unchanged BEFORE UPDATE ON devices BEGIN SELECT RAISE(ABORT, 'written'); END
                    """)
        }
    }

    @Test func `seven days with something accepted make a device trusted, and then nothing is written any more`() throws
    {
        let bench = try EngineBench()
        var device = try ConsentBench.enrol(bench, .all).get()
        #expect(device.trust == DeviceTrust(enrolledAt: now))
        for number in 0..<7 {
            for part in 0..<3 {
                // The second part of a day has to leave the device as it is.
                let time = now + Int64(number) * day + Int64(part) * 1_000
                let one = try upload(device, report(number * 3 + part + 1, at: time), at: time)
                #expect(
                    one.flags == (number == 0 ? [.notTrusted, .young] : number == 6 && part > 0 ? [] : .notTrusted))
                let receipt = try bench.receipt(one, now: time)
                #expect((receipt.trust != nil) == (part == 0))
                if let trust = receipt.trust { device.learn(trust) }
                let today = DeviceMemory.day(time)
                #expect(device.trust == .init(enrolledAt: now, daysSeen: UInt8(number + 1), lastDay: today))
                #expect(try stored(bench) == device.trust)
            }
        }
        try forbidChanges(bench)
        let later = now + 9 * day
        #expect(try bench.receipt(upload(device, report(99, at: later), at: later), now: later).trust == nil)
    }

    @Test func `repetitions, duplicates, rejected records and enrolment alone are no day`() throws {
        let bench = try EngineBench(), device = try ConsentBench.enrol(EngineBench(), .all).get()
        _ = try ConsentBench.enrol(bench, .all).get()
        let first = try upload(device, report(1, at: now), at: now)
        #expect(try bench.receipt(first, now: now).trust?.daysSeen == 1)
        let tomorrow = now + day
        #expect(try bench.receipt(first, now: tomorrow).isRepeated)
        for text in ["[" + report(1, at: now) + "]", report(2, at: tomorrow - 20 * day)] {
            let receipt = try bench.receipt(upload(device, text, at: tomorrow), now: tomorrow)
            #expect(receipt.trust == nil && receipt.accepted == 0)
        }
        #expect(try stored(bench)?.daysSeen == 1)
    }

    @Test func `uploads that were read before the day was known count it once, and their receipts tell the truth`()
        throws
    {
        let bench = try EngineBench(), device = try ConsentBench.enrol(bench, .all).get()
        let waiting = try (1...4).map { try upload(device, report($0, at: now), at: now) }
        let together = try bench.engine.commit(Array(waiting[..<3]), now: now).receipts.map { try $0.get().trust }
        let after = try bench.receipt(waiting[3], now: now + 1).trust
        #expect(together + [after] == [DeviceTrust?](repeating: try stored(bench), count: 4))
        #expect(after?.daysSeen == 1)
    }

    @Test func `a day begins at midnight of UTC, by the clock of the commit`() throws {
        let bench = try EngineBench(), device = try ConsentBench.enrol(bench, .all).get()
        let midnight = (now / day + 1) * day
        let before = try upload(device, report(1, at: now), at: midnight - 2)
        let held = try upload(device, report(2, at: now), at: midnight - 1)
        #expect(try bench.receipt(before, now: midnight - 1).trust?.daysSeen == 1)
        #expect(try bench.receipt(held, now: midnight).trust?.daysSeen == 2)
    }

    @Test func `a clock that was set back counts no day until it is where it was`() throws {
        let bench = try EngineBench()
        var device = try ConsentBench.enrol(bench, .all).get()
        var days: [UInt8?] = []
        for (seq, days) in [0, -1, -2, 0 as Int64].enumerated() {
            let time = now + days * day
            let receipt = try bench.receipt(upload(device, report(seq + 1, at: time), at: time), now: time)
            if let trust = receipt.trust { device.learn(trust) }
        }
        days.append(try stored(bench)?.daysSeen)
        let next = try bench.receipt(upload(device, report(9, at: now + day), at: now + day), now: now + day)
        #expect(days + [next.trust?.daysSeen] == [1, 2])
    }

    @Test func `an upload that has to come again for want of room is no day before it has its receipt`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let device: DeviceIdentity
        let mixed: Upload
        do {
            let full = try EngineBench(path: path, batchLimit: 1)
            device = try ConsentBench.enrol(full, .all).get()
            _ = try full.receipt(try Reading.upload(report(1, at: now)))
            mixed = try upload(
                device, "[" + report(5, at: now, #","event":"call_drop""#) + "," + report(6, at: now) + "]", at: now)
            let half = try full.engine.commit([mixed], now: now)
            #expect(throws: DeviceAPIError.self) { try half.receipts[0].get() }
            #expect(try EngineBench.rows(half, .realtime).count == 1)
            #expect(try stored(full)?.daysSeen == 0)
            try full.engine.close()
        }
        let roomy = try EngineBench(path: path)
        #expect(try roomy.receipt(mixed).trust?.daysSeen == 1)
    }

    @Test func `a commit that fails counts no day, and one whose answer was lost counts it once`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let first: Upload
        do {
            let bench = try EngineBench(path: path), device = try ConsentBench.enrol(bench, .all).get()
            first = try upload(device, report(1, at: now), at: now)
            // Dies after the day was counted, as the memory of the device is the last thing written.
            try bench.database.write {
                try $0.execute(
                    sql: "CREATE TRIGGER dies BEFORE INSERT ON memory_changes BEGIN SELECT RAISE(ABORT, 'dies'); END")
            }
            #expect(throws: (any Error).self) { try bench.engine.commit([first], now: now) }
            #expect(try stored(bench)?.daysSeen == 0)
            try bench.database.write { try $0.execute(sql: "DROP TRIGGER dies") }
            #expect(try bench.receipt(first).trust?.daysSeen == 1)
            try bench.engine.close()
        }
        let bench = try EngineBench(path: path)
        #expect(try bench.receipt(first, now: now + 1).isRepeated)
        let device = try #require(
            try bench.database.read { try IngestStore($0).device(tokenHash: [UInt8](0..<32)) })
        #expect(device.trust == .init(enrolledAt: now, daysSeen: 1, lastDay: DeviceMemory.day(now)))
        try forbidChanges(bench)
        #expect(try bench.receipt(upload(device, report(2, at: now), at: now)).accepted == 1)
    }

    @Test func `a change of consent, before the upload or while it waits, leaves its rows what they say of the device`()
        throws
    {
        let phone = try ConsentBench(.all)
        let waiting = try phone.upload(captured: [now])
        try phone.change([.measurement, .rewards], at: now + 10)
        let consent: RowFlags = [.consentReduced, .notForOperators, .notForResearch]
        let flags = consent.union([.notTrusted, .young])
        let (receipt, rows) = try phone.commit(waiting, at: now + 20)
        #expect(rows[0][ColumnID.flags]?.integers == [flags.rawValue])
        #expect(try receipt.get().trust?.daysSeen == 1)
        // Read after the change, captured before it.
        let late = try phone.upload(captured: [now - 1])
        #expect(late.flags == flags && late.trust?.enrolledAt == now)
    }

    @Test func `a counter used again does not hide what rows say of the device`() throws {
        let bench = try EngineBench(), device = try ConsentBench.enrol(bench, .all).get()
        let ids = ["7f3c1e52-9d0a-4b7e-8c11-000000000001", "7f3c1e52-9d0a-4b7e-8c11-000000000002"]
        let uploads = try ids.map { try upload(device, report(1, at: now, #","id":"\#($0)""#), at: now) }
        let outcome = try bench.engine.commit(uploads, now: now)
        let known = RowFlags([.notTrusted, .young])
        let flags = try EngineBench.rows(outcome, .batch).flatMap { $0[ColumnID.flags]!.integers }
        #expect(flags == [known.rawValue, known.union(.seqReused).rawValue])
    }

    @Test func `a phone cannot say what it is`() throws {
        let device = try ConsentBench.enrol(EngineBench(), .all).get()
        let lies = #","flags":0,"trust":2,"days_seen":7,"enrolled_at_ms":0"#
        let one = try upload(device, report(1, at: now, lies), at: now)
        #expect(one.flags == [.notTrusted, .young] && one.rejections.isEmpty)
    }

    @Test func `devices of a home from before begin at no day; those with a code are trusted`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let old = try ServiceDatabase(
            path: path, migrations: IngestSchema.migrations(before: "names of devices on their own, erasures"))
        try old.write { db in
            for (token, batch) in [(1, nil), (2, 3)] as [(Int, Int?)] {
                try db.execute(
                    sql: """
                        INSERT INTO devices (device_id, token_hash, platform, app_version, consent, consent_version,
                            policy_version, guardian, enrolled_at, activation_batch)
                        VALUES (?1, ?1, 'android', '1', 1, 1, '1', 0, ?2, ?3)
                        """,
                    arguments: [Data(repeating: UInt8(token), count: 32), now, batch])
            }
        }
        try old.close()
        let new = try EngineBench(path: path)
        let found = try [1, 2].map { token in
            try new.database.read { try IngestStore($0).device(tokenHash: [UInt8](repeating: token, count: 32)) }
        }
        #expect(found.map { $0?.trust?.level } == [0, 1] && found.map { $0?.trust?.daysSeen } == [0, 0])
        #expect(found.map { $0?.flags(at: now + day).contains(.notTrusted) } == [true, false])
    }

    @Test func `numbers of members are not given to devices`() throws {
        let bench = try EngineBench(), last = Int64(OwnerOrdinal.devices.upperBound)
        try bench.database.write {
            try $0.execute(sql: "DELETE FROM sqlite_sequence WHERE name = 'devices'")
            try $0.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES ('devices', ?)", arguments: [last])
        }
        let error = #expect(throws: StorageError.self) { _ = try ConsentBench.enrol(bench, .all).get() }
        #expect(error?.description.contains("devices have 1...2147483647") == true, "\(String(describing: error))")
    }
}
