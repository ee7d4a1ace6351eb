import Foundation
import GRDB
import Models
import ServiceKit
import Storage
import Testing

@testable import Administration

struct DoctorRetentionTests {
    private let now: UnixMilliseconds = 1_772_366_400_000
    private let folder = ScratchFolder()
    private let home: Home

    init() throws {
        home = Home(path: folder.path + "/home")
        try home.prepare(for: .privacyWorker, timeZone: "Africa/Douala")
    }

    /// The tables as the privacy worker has them, as far as the doctor looks.
    private func write(begin: UnixMilliseconds?, runs: [(issued: UnixMilliseconds, isCompleted: Bool)]) throws {
        let database = try ServiceDatabase(path: home.database(of: .privacyWorker), migrations: [])
        defer { try? database.close() }
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE retention_orders (issued_at INTEGER, is_dry_run INTEGER, completed_at INTEGER);
                    CREATE TABLE retention_begin (at INTEGER);
                    """)
            if let begin { try db.execute(sql: "INSERT INTO retention_begin VALUES (?)", arguments: [begin]) }
            for run in runs {
                try db.execute(
                    sql: "INSERT INTO retention_orders VALUES (?, 0, ?)",
                    arguments: [run.issued, run.isCompleted ? run.issued : nil])
            }
        }
    }

    private func finding() -> DoctorFinding { DoctorRetention(home: home, now: now).finding() }

    @Test func `a home without a privacy worker, or without a run in its first two days, is sound`() throws {
        #expect(finding().state == .sound)
        try write(begin: now - 47 * 3_600_000, runs: [])
        #expect(finding().state == .sound)
    }

    @Test func `two days without a run that everybody executed are told`() throws {
        try write(begin: now - 90 * 3_600_000, runs: [(now - 49 * 3_600_000, true), (now - 25 * 3_600_000, false)])
        let finding = finding()
        #expect(finding.state == .warning && finding.sentence.contains("nkul admin retention list"))
    }

    @Test func `a run of yesterday is sound`() throws {
        try write(begin: now - 90 * 3_600_000, runs: [(now - 25 * 3_600_000, true)])
        #expect(finding().state == .sound)
    }

    @Test func `a home in which nobody ever executed a run is told after two days`() throws {
        try write(begin: now - 49 * 3_600_000, runs: [(now - 25 * 3_600_000, false)])
        #expect(finding().state == .warning)
    }
}
