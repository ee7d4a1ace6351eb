import Foundation
import Lanes
import Models
import Storage
import Wire

@testable import PrivacyWorker

/// The writer of the requests lane, as ingest is one: makes its blocks.
final class ConsentWriter {
    let database: ServiceDatabase
    let journal: Journal
    private var encoder = ColumnEncoder()

    init(path: String = ":memory:") throws {
        database = try ServiceDatabase(path: path, migrations: [])
        journal = try Journal(lane: .requests, in: database, newGeneration: { 3 })
    }

    /// Appends consents in one transaction.
    func append(_ records: [ConsentRecord]) throws -> [Block] {
        let documents = try records.map { [UInt8](try JSONEncoder().encode($0.document)) }
        var ends: [UInt32] = []
        for document in documents { ends.append((ends.last ?? 0) + UInt32(document.count)) }
        let all = RowSet.full(records.count)
        let columns = Columns(
            rowCount: records.count,
            columns: [
                Column(id: ColumnID.device, presence: all, integers: records.map(\.device)),
                Column(id: ColumnID.receivedAt, encoding: .delta, presence: all, integers: records.map(\.receivedAt)),
                Column(id: ColumnID.document, presence: all, bytes: documents.flatMap(\.self), ends: ends),
            ])
        return try database.write { db in
            try journal.append(db, kind: .consent, columns: columns, encoder: &encoder, now: records[0].receivedAt)
        }
    }
}

extension ConsentRecord {
    static func sample(_ device: Int64, _ version: Int64, _ purposes: [String], at time: Int64 = 1_000) -> ConsentRecord
    {
        ConsentRecord(
            device: device, receivedAt: time,
            document: ConsentDocument(version: version, purposes: purposes, policyVersion: "2025-1"))
    }
}
