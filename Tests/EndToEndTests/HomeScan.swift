import ExporterRows
import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import Wire

@testable import AggregatorCells
@testable import ExporterStores

/// Looks for subjects in everything under a home: the raw bytes of every file, every table of every database, blobs opened,
/// inflated and decoded, and the text of every export.
final class HomeScan {
    /// Where which subjects were found: a file, or a file and a table.
    private(set) var places: [String: Set<Int>] = [:]
    private let home: String
    private let search: NeedleSearch
    private let subjects: [Int64: Int]
    private var decoder = ColumnDecoder()

    /// Looks everywhere.
    static func run(_ home: String, for subjects: [ScannedSubject]) throws -> HomeScan {
        let scan = HomeScan(home, subjects)
        for path in try FileManager.default.subpathsOfDirectory(atPath: home).sorted() {
            try scan.look(into: path)
        }
        return scan
    }

    /// Numbers of the subjects that were found anywhere.
    var found: Set<Int> { places.values.reduce(into: []) { $0.formUnion($1) } }

    private init(_ home: String, _ subjects: [ScannedSubject]) {
        self.home = home
        search = NeedleSearch(
            subjects.enumerated().flatMap { owner, subject in subject.needles.map { (owner, $0) } })
        self.subjects = Dictionary(uniqueKeysWithValues: subjects.enumerated().map { ($1.ordinal, $0) })
    }

    private func look(into path: String) throws {
        let file = home + "/" + path
        // What phones themselves keep of the recording they play is not the home's.
        guard !path.hasPrefix("replay/"), let bytes = FileManager.default.contents(atPath: file) else { return }
        note(path, search.owners(in: [UInt8](bytes)))
        if path.contains("/exports/") { note("\(path): text", search.owners(in: try exported(path, [UInt8](bytes)))) }
        guard path.hasSuffix(".sqlite") else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let database = try DatabaseQueue(path: file, configuration: configuration)
        defer { try? database.close() }
        try database.read { db in
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for table in tables { try look(into: table, of: path, db) }
            if path.contains("/raw/") { try look(intoRawRows: path, db) }
        }
    }

    private func look(into table: String, of path: String, _ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
        let place = "\(path): \(table)"
        while let row = try rows.next() {
            for (column, value) in row { note(place, owners(column, value, table)) }
            if let columns = try decoded(row, table, path) { note(place, owners(of: columns)) }
        }
    }

    private func note(_ place: String, _ owners: Set<Int>) {
        if !owners.isEmpty { places[place, default: []].formUnion(owners) }
    }

    private func owners(_ column: String, _ value: DatabaseValue, _ table: String) -> Set<Int> {
        switch value.storage {
        case .int64(let number):
            // A row of names that are gone stays as an empty one: its number names nobody.
            let names = column == "device" || column == "ordinal" && table != "device_names"
            return names ? Set([subjects[number]].compactMap(\.self)) : []
        case .string(let text):
            return search.owners(in: Array(text.utf8)).union(ordinals(inJSON: text))
                .union(column == "owner" ? Set([Int64(text).flatMap { subjects[$0] }].compactMap(\.self)) : [])
        case .blob(let data): return owners(inBlob: [UInt8](data), column, table)
        default: return []
        }
    }

    private func owners(inBlob bytes: [UInt8], _ column: String, _ table: String) -> Set<Int> {
        var owners = search.owners(in: bytes)
        if table == "cells" && column == "devices", let set = bytes.withUnsafeBytes({ DeviceSet.ordinals($0) }) {
            owners.formUnion(set.compactMap { subjects[Int64($0)] })
        }
        if table.hasSuffix("_keys") && column == "key" {
            let key = String(decoding: bytes.dropFirst(), as: UTF8.self)
            let number = Int64(key.split(separator: "/").last ?? "")
            if bytes.first == RecordKind.contribution.id || bytes.first == RecordKind.balance.id {
                owners.formUnion([number.flatMap { subjects[$0] }].compactMap(\.self))
            }
        }
        return owners
    }

    /// The table in a row that has one: a block of a lane, of raw rows or of open rows.
    private func decoded(_ row: Row, _ table: String, _ path: String) throws -> Columns? {
        guard let payload = row["payload"] as Data? else { return nil }
        if table.hasPrefix("lane_") {
            let header = try BlockHeader(decoding: [UInt8](row["header"] as Data))
            note("\(path): \(table) headers", Set(header.subjects.compactMap { subjects[Int64($0)] }))
            let lane = LaneName(rawValue: String(table.dropFirst(5).dropLast(7)))!
            let binding = [lane.id] + (0..<8).map { UInt8(truncatingIfNeeded: header.number >> (8 * UInt64($0))) }
            let clear = try open([UInt8](payload), header.keyID, binding, path)
            return try decoder.decode(
                clear, rowCount: header.rowCount, rawLength: header.rawLength, crc32: header.crc32)
        }
        guard row.hasColumn("row_count"), row.hasColumn("raw_length"), !path.contains("/raw/") else { return nil }
        return try decoder.decode(
            [UInt8](payload), rowCount: row["row_count"], rawLength: row["raw_length"],
            crc32: UInt32(row["crc32"] as Int64))
    }

    /// The text of an export: opened, put together and inflated.
    private func exported(_ path: String, _ stored: [UInt8]) throws -> [UInt8] {
        let parts = (path as NSString).lastPathComponent.split(separator: "-", maxSplits: 2)
        guard parts.count == 3, let tenant = Int64(parts[0]), let span = ExportSpan(name: parts[2]) else { return [] }
        // One that is clear is a gzip file.
        let isClear = stored.starts(with: [0x1F, 0x8B])
        let sealer = isClear ? nil : try KeyStore(directory: home + "/keys").blockSealer(service: "analytics-exporter")
        let size = Int(ExportFile.chunk) + BlockSealer.overhead
        let chunks = (stored.count + size - 1) / size
        let length = Int64(isClear ? stored.count : stored.count - chunks * BlockSealer.overhead)
        let reader = ExportReader(
            path: home + "/" + path, export: (tenant, span.binding), sealer: sealer, length: length)
        var bytes: [UInt8] = []
        while bytes.count < Int(length) {
            // It may be made anew at this moment.
            guard let read = try reader.read(from: Int64(bytes.count)) else { return [] }
            bytes += read
        }
        return try Inflater.inflate(bytes, limit: 1 << 28)
    }

    /// Raw rows are opened as the exporter opens them.
    private func look(intoRawRows path: String, _ db: Database) throws {
        let day = String((path as NSString).lastPathComponent.dropLast(".sqlite".count))
        let sealer = try KeyStore(directory: home + "/keys").blockSealer(service: "analytics-exporter")
        let rows = try Row.fetchCursor(db, sql: "SELECT \(StoredRow.columns) FROM \(StoredRow.from)")
        while let row = try rows.next() {
            let block = try StoredRow(row, day: day, RawRowLayout(.qoe)).opened(day: day, in: path, sealer, &decoder)
            note("\(path): raw rows", owners(of: block.columns))
        }
    }

    private func open(_ payload: [UInt8], _ keyID: UInt32, _ binding: [UInt8], _ path: String) throws -> [UInt8] {
        guard keyID != 0 else { return payload }
        let service = path.split(separator: "/")[0]
        let sealer = try KeyStore(directory: home + "/keys").blockSealer(service: String(service))
        return try sealer.open(payload, additional: binding, place: path)
    }

    private func owners(of columns: Columns) -> Set<Int> {
        var owners: Set<Int> = []
        for column in columns.columns {
            if column.id == ColumnID.device {
                for row in 0..<columns.rowCount {
                    if let number = column.integer(row), let owner = subjects[number] { owners.insert(owner) }
                }
            }
            if !column.bytes.isEmpty { owners.formUnion(search.owners(in: column.bytes)) }
            if column.id == ColumnID.document {
                for row in 0..<columns.rowCount {
                    let text = column.value(row).map { String(decoding: $0, as: UTF8.self) } ?? ""
                    owners.formUnion(ordinals(inJSON: text))
                }
            }
        }
        return owners
    }

    /// Numbers that stand as `device` in a JSON text.
    private func ordinals(inJSON text: String) -> Set<Int> {
        var owners: Set<Int> = []
        for match in text.matches(of: /"device":(\d+)/) {
            if let number = Int64(match.1), let owner = subjects[number] { owners.insert(owner) }
        }
        return owners
    }
}
