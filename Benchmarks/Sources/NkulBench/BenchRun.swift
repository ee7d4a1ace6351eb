import Foundation
import Laboratory
import NIOCore
import ServiceKit

/// The measurements one after another; one that fails leaves its figure out and says why.
final class BenchRun {
    let seconds: Int
    private let storedReports: Int
    /// Runs without an erasure at each load, each with a partner beside one.
    let erasurePairs: Int
    let bin: String
    let directory: String
    /// Of the year that the exporter answers from.
    let yearReports: Int
    /// Where that year's reports come from; of their own, as making its sums takes time in proportion to them.
    let yearCells: CellGrid
    private let deviceCount: Int
    let parts: Set<BenchPart>
    let cells: CellGrid
    var result = BenchResult()
    private var phones: [Phone] = []
    var samples: [[UInt8]] = []
    /// By library, before and after the uploads.
    var floors: [Floor.Libraries: [Double]] = [:]
    var rate = 0.0

    init(
        seconds: Int, bin: String, directory: String, devices: Int, cells: Int, storedReports: Int, yearReports: Int,
        yearCells: Int, erasurePairs: Int, parts: Set<BenchPart>
    ) {
        self.cells = CellGrid(count: cells, south: 40_000_000, west: 97_000_000)
        self.yearCells = CellGrid(count: yearCells, south: 40_000_000, west: 97_000_000)
        self.storedReports = storedReports
        self.yearReports = yearReports
        self.erasurePairs = erasurePairs
        self.seconds = seconds
        self.bin = bin
        self.directory = directory
        deviceCount = devices
        self.parts = parts
    }

    func run() async throws -> BenchResult {
        if !parts.isDisjoint(with: BenchPart.withFleet) { try await measureFleet() }
        if parts.contains(.storedBytesOfRecordings) { await measureRecordings() }
        if parts.contains(.year) { await measureYear() }
        measureAlone()
        let load = [
            "devices": deviceCount, "cells": cells.middles.count, "operators": ReportText.operators.count,
            "late_percent": 5, "duplicate_percent": 2, "connections": 64,
            "connections_of_small_uploads": Self.manyConnections, "seconds": seconds,
        ]
        result.load.merge(load) { $1 }
        return result
    }

    private func measureFleet() async throws {
        let home = try Fleet.makeHome(in: directory)
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        let fleet = try Fleet(bin: bin, home: home)
        defer { fleet.stop() }
        say("waiting for the services")
        try await fleet.waitUntilReady()
        try await measureServices(fleet)
        result.resident_bytes = try? fleet.residentBytes()
    }

    private func measureRecordings() async {
        result.stored_bytes_of_recordings = await attempt("stored_bytes_of_recordings") {
            try await RecordedBytes(bin: bin, directory: directory).measure(say)
        }
    }

    private func measureServices(_ fleet: Fleet) async throws {
        let ingest = try fleet.address("device_api", of: .ingest)
        let totals = try ExporterTotals(fleet.address("admin", of: .analyticsExporter))
        say("enrolling \(deviceCount) devices")
        let start = ContinuousClock.now
        phones = try await Phone.enrol(deviceCount, at: ingest)
        result.enrolments_per_second = (Double(deviceCount) / Self.seconds(since: start)).rounded()
        let subjects = parts.contains(.erasure) ? Array(phones.suffix(Self.erasable)) : []
        phones.removeLast(subjects.count)
        await beginTheDay(ingest, totals)
        result.alert_latency_ms = BenchResult.AlertLatency()
        var probe: AlertProbe?
        if !parts.isDisjoint(with: [.idleAlerts, .loadedAlerts, .erasure]) {
            probe = await attempt("alert_latency_ms") { try await AlertProbe(fleet, phones: phones) }
        }
        if let probe, parts.contains(.idleAlerts) { await measureIdleAlerts(probe) }
        if !parts.isDisjoint(with: BenchPart.withUploadsOf100) {
            await measureThroughput(fleet, ingest, totals)
        }
        // At a share of the rate just measured: minutes later the machine may be another.
        if let probe, parts.contains(.loadedAlerts) { await measureLoadedAlerts(fleet, probe, ingest, totals) }
        if parts.contains(.uploadsOf10) {
            result.end_to_end_reports_per_second_uploads_of_10 = await attempt(
                "end_to_end_reports_per_second_uploads_of_10"
            ) {
                let cpu = try fleet.cpu()
                let run = try await run(of: 10...10, seed: 3, ingest, totals)
                let used = try fleet.cpu(since: cpu, reports: run.counts.accepted)
                result.cpu_microseconds_per_report_uploads_of_10 = used.values.reduce(0, +)
                result.cpu_microseconds_per_report_uploads_of_10_by_service = used
                return run.rate.rounded()
            }
        }
        if parts.contains(.uploadsOf1To3) {
            result.end_to_end_reports_per_second_uploads_of_1_to_3 = await attempt(
                "end_to_end_reports_per_second_uploads_of_1_to_3"
            ) { try await run(of: 1...3, seed: 4, ingest, totals).rate.rounded() }
        }
        if parts.contains(.freshness) { await measureFreshness(fleet, ingest, totals) }
        if parts.contains(.detection) { await measureDetection(fleet, phones, ingest, totals) }
        if parts.contains(.hello) { await measureHello(fleet, ingest) }
        if parts.contains(.erasure) {
            await measureErasure(fleet, probe, ingest, totals, stored: storedReports, subjects)
        }
        await probe?.close()
        await totals.close()
    }

    /// Every phone sends a report of the last hour: that a device is seen on a new day is written once a day, not with each
    /// upload, and the hour's and the day's statistics have begun long before most reports come.
    private func beginTheDay(_ ingest: HostPort, _ totals: ExporterTotals) async {
        await attempt("the day's first uploads") {
            say("the hour before: an upload of each device")
            let stock = try stock(
                uploads: phones.count, sizes: 1...1, seed: 7, ingest, repeating: false, age: 600_000...3_000_000)
            _ = try await play(stock, ingest, totals, connections: Self.manyConnections)
        }
    }

    private func measureIdleAlerts(_ probe: AlertProbe) async {
        say("alert latency, idle")
        let idle = await attempt("alert_latency_ms.idle") {
            _ = try await probe.measure(50, every: .milliseconds(20))
            return try await probe.measure(1_500, every: .milliseconds(5))
        }
        result.alert_latency_ms?.idle = idle.flatMap { Self.percentiles($0.all) }
        result.alert_latency_ms?.idle_undisturbed = idle.flatMap { Self.percentiles($0.undisturbed) }
        result.alert_latency_ms?.idle_paused = idle.map { .init([$0]) }
    }

    private func measureThroughput(_ fleet: Fleet, _ ingest: HostPort, _ totals: ExporterTotals) async {
        await attempt("end_to_end_reports_per_second") {
            say("making uploads of 100")
            let warm = try stock(uploads: 400, sizes: 100...100, seed: 1, ingest)
            let stock = try stock(uploads: seconds * 4_000, sizes: 100...100, seed: 2, ingest)
            samples = stock.samples
            _ = try await play(warm, ingest, totals)
            measureFloor()
            result.load["seconds_into_bucket_uploads_of_100"] = stock.secondsIntoBucket
            say("uploads of 100")
            let cpu = try fleet.cpu(), own = try ProcessUsage.cpuMicroseconds(getpid())
            let run = try await play(stock, ingest, totals, as: "uploads_of_100")
            let used = try fleet.cpu(since: cpu, reports: run.counts.accepted)
            rate = run.rate
            result.receipts_reports_per_second = run.receipts.rounded()
            result.end_to_end_reports_per_second = rate.rounded()
            result.sent_again = run.counts.sentAgain
            let accepted = Double(run.counts.accepted)
            result.cpu_microseconds_per_report = used.values.reduce(0, +)
            result.cpu_microseconds_per_report_by_service = used
            result.generator_cpu_microseconds_per_report = (try ProcessUsage.cpuMicroseconds(getpid()) - own) / accepted
            measureFloor()
            result.stored_bytes_per_report = await attempt("stored_bytes_per_report") {
                try storedBytes(fleet, rows: Double(try await totals.read().rawRows))
            }
        }
    }

    /// Connections of small uploads: each waits for its commit, and many phones with little to say are many connections.
    private static let manyConnections = 256

    /// Sends small uploads.
    private func run(
        of sizes: ClosedRange<Int>, seed: UInt64, _ ingest: HostPort, _ totals: ExporterTotals
    ) async throws -> (rate: Double, receipts: Double, counts: BatchLoad.Counts) {
        say("uploads of \(sizes)")
        let stock = try stock(
            uploads: seconds * (sizes.upperBound < 10 ? 12_000 : 20_000), sizes: sizes, seed: seed, ingest)
        result.load["seconds_into_bucket_uploads_of_\(sizes.upperBound)"] = stock.secondsIntoBucket
        return try await play(
            stock, ingest, totals, connections: Self.manyConnections, as: "uploads_of_\(sizes.upperBound)")
    }

    private func measureHello(_ fleet: Fleet, _ ingest: HostPort) async {
        result.ingest_cpu_ratio_to_hello = await attempt("ingest_cpu_ratio_to_hello") {
            say("ingest against hello")
            let server = try ChildProcess(
                "/proc/self/exe", ["--serve-hello", "0"], log: "\(fleet.home.path)/hello.log")
            defer { server.stop() }
            guard let port = server.readLine().flatMap({ Int($0) }) else {
                throw BenchError("the hello server did not start")
            }
            let stock = try stock(uploads: seconds * 4_000, sizes: 1...1, seed: 5, ingest, repeating: false)
            let hello = try await cpu(of: server.pid, for: stock, at: HostPort(host: "127.0.0.1", port: port))
            let real = try await cpu(of: fleet.pid(of: .ingest), for: stock, at: ingest)
            return real / hello
        }
    }

    /// What needs no services.
    private func measureAlone() {
        noteFloor()
        if parts.contains(.lane) { measureLane() }
    }

    private func measureLane() {
        do {
            say("lane latency")
            let latencies = try LaneProbe.measure(directory: directory)
            result.lane_latency_us = BenchResult.LaneLatency(
                p50: Percentile.at(0.5, of: latencies), p99: Percentile.at(0.99, of: latencies),
                samples: latencies.count)
        } catch { result.absent["lane_latency_us"] = "\(error)" }
    }

    func stock(
        uploads: Int, sizes: ClosedRange<Int>, seed: UInt64, _ ingest: HostPort, repeating: Bool = true,
        age: ClosedRange<Int64> = 0...0
    ) throws -> UploadStock {
        try UploadStock.make(
            uploads: uploads, sizes: sizes, phones: phones, cells: cells, seed: seed, host: ingest,
            repeating: repeating, age: age)
    }

    /// Sends a stock and waits until all of it is in raw rows and in the heat map; accepted reports a second over both, and
    /// up to the last receipt.
    ///
    /// - Parameter name: under which it is told how much of the time the host took.
    func play(
        _ stock: UploadStock, _ ingest: HostPort, _ totals: ExporterTotals, connections: Int = 64,
        as name: String? = nil
    ) async throws -> (rate: Double, receipts: Double, counts: BatchLoad.Counts) {
        let base = try await settled(totals)
        let pool = try LoadPool(host: ingest.host, port: ingest.port, connections: connections)
        let start = ContinuousClock.now, stolen = StolenTime.seconds()
        let counts = try await BatchLoad(stock, pool: pool).run(connections: connections)
        let received = Self.seconds(since: start)
        guard counts.rejected == 0 else { throw BenchError("\(counts.rejected) reports were rejected") }
        try await totals.wait(for: counts.accepted, since: base)
        let elapsed = Self.seconds(since: start)
        if let name, let stolen, let now = StolenTime.seconds() {
            let share = (now - stolen) / elapsed / Double(ProcessInfo.processInfo.processorCount)
            result.stolen_percent[name] = (share * 1_000).rounded() / 10
        }
        await pool.shutdown()
        return (Double(counts.accepted) / elapsed, Double(counts.accepted) / received, counts)
    }

    /// The totals once nothing of earlier runs is on its way any more.
    func settled(_ totals: ExporterTotals) async throws -> ExporterTotals.Totals {
        var last = try await totals.read(), since = ContinuousClock.now
        while ContinuousClock.now - since < .seconds(3) {
            try await Task.sleep(for: .milliseconds(100))
            let now = try await totals.read()
            if now != last { (last, since) = (now, .now) }
        }
        return last
    }

    private func cpu(of pid: Int32, for stock: UploadStock, at address: HostPort) async throws -> Double {
        let pool = try LoadPool(host: address.host, port: address.port, connections: 64)
        let before = try ProcessUsage.cpuMicroseconds(pid)
        _ = try await BatchLoad(stock, pool: pool).run()
        let used = try ProcessUsage.cpuMicroseconds(pid) - before
        await pool.shutdown()
        return used / Double(stock.requests.count)
    }

    private func storedBytes(_ fleet: Fleet, rows: Double) throws -> BenchResult.StoredBytes {
        BenchResult.StoredBytes(try StoredFiles(home: fleet.home).copies().mapValues { Double($0) / rows })
    }

    @discardableResult
    func attempt<Value>(_ figure: String, _ measure: () async throws -> Value) async -> Value? {
        do { return try await measure() } catch {
            result.absent[figure] = "\(error)"
            say("\(figure): \(error)")
            return nil
        }
    }

    /// Nil without samples.
    static func percentiles(_ sorted: [Double]) -> BenchResult.Percentiles? {
        guard !sorted.isEmpty else { return nil }
        func at(_ share: Double) -> Double { (Percentile.at(share, of: sorted) * 1_000).rounded() / 1_000 }
        return BenchResult.Percentiles(p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1), samples: sorted.count)
    }

    static func seconds(since start: ContinuousClock.Instant) -> Double {
        let parts = (ContinuousClock.now - start).components
        return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
    }

    func say(_ text: String) { FileHandle.standardError.write(Data("bench: \(text)\n".utf8)) }
}
