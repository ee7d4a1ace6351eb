internal import Foundation
import Lanes
import Models
package import ServiceKit
import Storage

/// One moment of a home whose services go on: every database as it was, no reader ahead of its lane.
///
/// That is the barrier: the databases are not taken at the same instant, but readers before the writers of their lanes, some
/// microseconds apart; what a reader has seen, its writer then has. Lanes of state go in circles, so in the end everything is
/// checked, and if a reader was faster, the moment is let go and the next one is taken. No service waits for anything.
///
/// The router's windows come after its own database, which takes over what they find and which they keep for an hour, and before
/// the writers of their lanes. Day files come after their service's own database: rows may be ahead of its cursors, never behind.
struct HomeMoment {
    /// Readers first; the writers of busy lanes last.
    private static let order: [ServiceName] = [
        .notifier, .privacyWorker, .analyticsExporter, .rewardDispatcher, .alertRouter, .batchAggregator, .ingest,
    ]
    /// Moments that are tried.
    private static let attempts = 20

    /// By path below the home.
    let databases: [(path: String, snapshot: DatabaseSnapshot)]
    let others: [String]
    let lanes: [BackupManifest.Lane]
    let cursors: [BackupManifest.Cursor]

    /// Takes a moment, at most ``attempts`` times, with pauses that grow.
    ///
    /// - Throws: `ServiceError` that says which reader was ahead, or what cannot be read.
    static func take(_ home: Home, _ interrupt: Interrupt, pace: BackupPace = .standard) throws -> HomeMoment {
        var fault = ""
        for attempt in 0..<attempts {
            try interrupt.check()
            if attempt > 0 { try pace.pause(min(0.02 * Double(attempt * attempt), 1), fault) }
            let moment = try HomeMoment(home, pace, &fault)
            if let moment { return moment }
        }
        throw ServiceError(
            .failed, "no moment was found in \(attempts) attempts at which the home is whole: \(fault); try again")
    }

    private init?(_ home: Home, _ pace: BackupPace, _ fault: inout String) throws {
        let restore = try home.restoration()?.id
        let files = HomeFiles(home)
        var snapshots: [String: DatabaseSnapshot] = [:]
        for path in files.databases { snapshots[path] = try DatabaseSnapshot(path: "\(home.path)/\(path)") }
        var censuses: [(service: ServiceName, census: LaneCensus)] = []
        var parts: [(reader: String, census: LaneCensus)] = []
        for service in Self.order {
            guard let snapshot = snapshots[HomeFiles.main(service)] else { continue }
            try pace.before(service)
            try snapshot.begin()
            censuses.append((service, try snapshot.read { try LaneCensus($0, restore: restore) }))
            for path in HomeFiles.readers(service) {
                try snapshots[path]?.begin()
                if let snapshot = snapshots[path] {
                    parts.append((HomeFiles.reader(path), try snapshot.read { try LaneCensus($0, restore: restore) }))
                }
            }
        }
        let begun = Set(Self.order.flatMap { [HomeFiles.main($0)] + HomeFiles.readers($0) })
        for path in files.databases where !begun.contains(path) {
            try pace.before(nil)
            try snapshots[path]!.begin()
        }
        databases = files.databases.map { ($0, snapshots[$0]!) }
        others = files.others
        lanes = Self.lanes(censuses)
        cursors = Self.cursors(censuses, parts)
        try Self.requireSettled(censuses, home)
        let manifest = BackupManifest(createdAt: 0, lanes: lanes, cursors: cursors, files: [])
        if let found = try manifest.fault ?? Self.change(files, censuses, home) {
            fault = found
            return nil
        }
    }

    /// After a restore every service must have been started once: what it has to take in is not in a backup.
    private static func requireSettled(
        _ censuses: [(service: ServiceName, census: LaneCensus)], _ home: Home
    ) throws {
        let waiting = censuses.filter { !$0.census.isSettled }.map(\.service.executable)
        guard !waiting.isEmpty else { return }
        throw ServiceError(
            .home,
            "\(home.path) was restored, and \(waiting.joined(separator: ", ")) has not been started since: start it first"
        )
    }

    /// What became different while the files were opened, in a sentence.
    private static func change(
        _ files: HomeFiles, _ censuses: [(service: ServiceName, census: LaneCensus)], _ home: Home
    ) throws -> String? {
        guard HomeFiles(home).databases == files.databases else { return "files come and go" }
        for (service, census) in censuses {
            let now = try ReadOnlyDatabase(path: home.database(of: service))
            defer { try? now.close() }
            if try now.read({ try LaneCensus.erasures($0) }) != census.erasures {
                return "\(service.executable) is executing an erasure"
            }
        }
        return nil
    }

    private static func lanes(_ censuses: [(service: ServiceName, census: LaneCensus)]) -> [BackupManifest.Lane] {
        censuses.flatMap { service, census in
            census.journals.map {
                BackupManifest.Lane(
                    lane: $0.lane, writer: service.rawValue, generation: $0.generation, oldest: $0.oldest, head: $0.head
                )
            }
        }
    }

    private static func cursors(
        _ censuses: [(service: ServiceName, census: LaneCensus)], _ parts: [(reader: String, census: LaneCensus)]
    ) -> [BackupManifest.Cursor] {
        let journals = censuses.flatMap(\.census.journals)
        return (censuses.map { ($0.service.rawValue, $0.census) } + parts).flatMap { reader, census in
            census.cursors.map { cursor in
                let entry = journals.first { $0.lane == cursor.lane }?.readers.first { $0.name == reader }
                return BackupManifest.Cursor(
                    lane: cursor.lane, reader: reader, generation: cursor.generation, block: cursor.block,
                    isAwaited: entry.map { !$0.isDetached } ?? false)
            }
        }
    }
}

/// What goes on in a live home while a moment of it is taken. A simulation lets its services go on here.
package struct BackupPace {
    /// Called before the moment of each database: with the service whose own one it is, nil before other files of services.
    package var before: (ServiceName?) throws -> Void
    /// Called when a moment was let go: waits so many seconds; told why.
    package var pause: (_ seconds: Double, _ fault: String) throws -> Void

    package init(
        before: @escaping (ServiceName?) throws -> Void,
        pause: @escaping (_ seconds: Double, _ fault: String) throws -> Void
    ) {
        self.before = before
        self.pause = pause
    }

    /// That of the program: nothing but waiting.
    package static var standard: BackupPace {
        BackupPace(before: { _ in }, pause: { seconds, _ in Thread.sleep(forTimeInterval: seconds) })
    }
}
