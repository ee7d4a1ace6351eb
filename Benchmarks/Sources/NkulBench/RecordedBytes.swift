import Foundation
import Laboratory
import ServiceKit

/// Bytes that reports take which phones measured in the field: each profile and each kind of id on a home of its own.
struct RecordedBytes {
    let bin: String
    let directory: String

    /// - Parameter say: told what is done.
    /// - Throws: ``BenchError`` if any report was not accepted, once, and found in raw rows.
    func measure(_ say: (String) -> Void) async throws -> [String: BenchResult.RecordedBytes] {
        say("making recordings")
        let traces = try RecordedTraces(bin: bin, directory: directory, copies: RecordingProfile.mostCopies)
        var results: [String: BenchResult.RecordedBytes] = [:]
        for profile in RecordingProfile.all {
            let uploads = RecordedUploads(traces, as: profile)
            var result = BenchResult.RecordedBytes(
                real: traces.isReal ? 1 : 0, devices: uploads.phoneCount, reports: uploads.reportCount,
                reports_of_an_upload: profile.uploadRows, connections: profile.connections)
            for ids in RecordID.allCases {
                say("\(uploads.reportCount) recorded reports, \(profile.name), ids by \(ids.rawValue)")
                result.by_id[ids.rawValue] = try await stored(uploads, profile, ids)
            }
            results[profile.name] = result
        }
        return results
    }

    /// What a home takes more after the uploads than before them.
    private func stored(
        _ uploads: RecordedUploads, _ profile: RecordingProfile, _ ids: RecordID
    ) async throws -> BenchResult.RecordedBytes.Measured {
        let home = try Fleet.makeHome(in: directory)
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        let fleet = try Fleet(bin: bin, home: home)
        defer { fleet.stop() }
        try await fleet.waitUntilReady()
        let ingest = try fleet.address("device_api", of: .ingest), files = StoredFiles(home: fleet.home)
        let phones = try await Phone.enrol(uploads.phoneCount, at: ingest)
        let before = try files.copies()
        let requests = try uploads.requests(of: phones, named: ids, to: ingest)
        try await send(requests, of: uploads.reportCount, over: profile.connections, to: ingest)
        try await wait(for: uploads.reportCount, in: fleet)
        let blocks = try files.rawBlocks()
        guard blocks.rows == uploads.reportCount else {
            throw BenchError("\(blocks.rows) raw rows of \(uploads.reportCount) accepted reports")
        }
        let bytes = try files.copies().merging(before, uniquingKeysWith: -).mapValues {
            Double($0) / Double(blocks.rows)
        }
        return Self.measured(bytes, ids, reportsOfABlock: Double(blocks.rows) / Double(blocks.count))
    }

    private func send(
        _ requests: [LoadRequest], of reports: Int, over connections: Int, to ingest: HostPort
    ) async throws {
        let pool = try LoadPool(host: ingest.host, port: ingest.port, connections: connections)
        let counts = try await BatchLoad(UploadStock(requests: requests, reports: reports, samples: []), pool: pool)
            .run(connections: connections)
        await pool.shutdown()
        guard counts.accepted == reports, counts.rejected == 0, counts.duplicates == 0 else {
            throw BenchError("of \(reports) recorded reports not all were accepted: \(counts)")
        }
    }

    /// Waits until exporter and aggregator have stored as many rows.
    private func wait(for reports: Int, in fleet: Fleet) async throws {
        for (service, name) in [
            (ServiceName.analyticsExporter, "nkul_raw_rows_total"), (.batchAggregator, "nkul_aggregator_rows_total"),
        ] {
            let counts = try ServiceCounts(fleet.address("admin", of: service))
            let deadline = ContinuousClock.now + .seconds(60)
            while try await counts.read([name])[0] < reports {
                guard ContinuousClock.now < deadline else {
                    throw BenchError("\(name) has not come to \(reports) in a minute")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            await counts.close()
        }
    }

    private static func measured(
        _ bytes: [String: Double], _ ids: RecordID, reportsOfABlock: Double
    ) -> BenchResult.RecordedBytes.Measured {
        func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
        let copies = BenchResult.StoredBytes(bytes)
        return .init(
            copies: copies, raw_beside_id: rounded(copies.raw - ids.entropyBytes), total: copies.total,
            duplicates_by_table: bytes.filter { StoredFiles.duplicateTables.contains($0.key) }.mapValues(rounded),
            reports_of_a_block: rounded(reportsOfABlock))
    }
}
