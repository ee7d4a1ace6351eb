import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import Testing
import Wire

@testable import AnalyticsExporter
@testable import ExporterRows
@testable import ExporterStores

/// A file of an export as a client sees it in the list.
struct ListedExport: Decodable, Equatable {
    let name, content, period, state: String
    let from_ms, to_ms, version: Int64
    let rows: Int?
    let bytes: Int64?
    let sha256: String?
}

struct ExportList: Decodable {
    let tenant: String
    let kept_days: Int
    let complete_to_ms: Int64?
    let files: [ListedExport]
    let next: String?
}

extension TestExporter {
    /// Tells that everything has come that was received until now, and makes what is due.
    ///
    /// - Returns: how much was done.
    @discardableResult
    func export(atMost steps: Int = 10_000) throws -> Int {
        effects.appliedAll(before: clock.now)
        for done in 0..<steps { if try !exportThread.step() { return done } }
        return steps
    }

    func exports(_ token: String? = nil, _ query: String = "") async throws -> ExportList {
        let text = try await text("/v1/exports" + query, headers: Self.bearer(token ?? self.token))
        return try JSONDecoder().decode(ExportList.self, from: Data(text.utf8))
    }

    func download(_ name: String, _ token: String? = nil, _ headers: HTTPFields = [:]) async -> Response {
        await request("/v1/exports/" + name, headers: Self.bearer(token ?? self.token) + headers)
    }

    static func inflated(_ bytes: [UInt8]) throws -> [UInt8] { try Inflater.inflate(bytes, limit: 1 << 28) }

    /// The lines of a file behind the line of names, which must be right, as must be what the list says of it.
    func lines(_ file: ListedExport, _ token: String? = nil) async throws -> [Substring] {
        let response = await download(file.name, token)
        #expect(response.status == .ok, "\(file.name)")
        let bytes = try await response.bytes()
        #expect(bytes.count == Int(file.bytes ?? -1), "\(file.name)")
        #expect(Hexadecimal.text(SHA256.hash(data: bytes)) == file.sha256, "\(file.name)")
        let text = String(decoding: try Self.inflated(bytes), as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
        #expect(lines.first.map(String.init) == RawRowLayout(.qoe).columns.map(\.name).joined(separator: ","))
        #expect(lines.count - 1 == file.rows, "\(file.name)")
        return Array(lines.dropFirst())
    }

    /// The lines of a download of all raw rows, each with the hour in which it was received.
    func downloaded(_ token: String? = nil) async throws -> [(hour: Int64, line: Substring)] {
        let place = RawRowLayout(.qoe).columns.firstIndex { $0.name == "received_at_ms" }!
        return try await text("/v1/reports.csv", headers: Self.bearer(token ?? self.token))
            .split(separator: "\r\n").dropFirst().map { line in
                // No text of a test has a comma before that column.
                let received = Int64(line.split(separator: ",", omittingEmptySubsequences: false)[place])!
                return (ReceivedHour.number(of: received), line)
            }
    }

    /// Names of the files in the directory of exports.
    var exportFiles: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.exports!.directory).sorted() }
    }

    /// Expects every file of a tenant to be current, and to have what a download of all raw rows has of its hours.
    func expectExports(_ token: String? = nil, through: Int64, _ comment: Comment? = nil) async throws {
        let list = try await exports(token), rows = try await downloaded(token)
        #expect(list.files.allSatisfy { $0.state == "current" }, comment)
        for file in list.files where file.state == "current" {
            let hours = file.from_ms / ReceivedHour.milliseconds..<file.to_ms / ReceivedHour.milliseconds
            let expected = rows.filter { hours.contains($0.hour) }.map(\.line)
            let found = try await lines(file, token)
            // In a day its hours follow each other; within an hour the order is that of arrival.
            #expect(file.period == "hour" ? found == expected : found.sorted() == expected.sorted(), comment)
        }
        #expect(list.complete_to_ms == through * ReceivedHour.milliseconds, comment)
    }
}

func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
    var all = left
    all.append(contentsOf: right)
    return all
}
