internal import Foundation
internal import GRDB
package import IngestSupport
package import Models
internal import ServiceKit
package import SubjectRights

/// What ingest knows of erasures, beside the tables of its rounds.
extension IngestStore {
    func save(_ request: ErasureRequestDocument, of device: UInt64) throws {
        try db.execute(
            sql: "INSERT INTO erasure_requests (request, device, requested_at, document) VALUES (?, ?, ?, ?)",
            arguments: [
                request.subject.request, Int64(device), request.requestedAt, try SortedJSON.text(of: request),
            ])
    }

    /// A request, and the device that asked for it if that is still known.
    package func erasure(_ request: String) throws -> (document: ErasureRequestDocument, device: UInt64?)? {
        let row = try Row.fetchOne(
            db, sql: "SELECT document, device FROM erasure_requests WHERE request = ?", arguments: [request])
        return try row.map {
            (
                try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(($0[0] as String).utf8)),
                ($0[1] as Int64?).map { UInt64($0) }
            )
        }
    }

    /// How many erasures a device asked for.
    func erasures(of device: UInt64, since time: UnixMilliseconds) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT count(*) FROM erasure_requests WHERE device = ? AND requested_at > ?",
            arguments: [Int64(device), time]) ?? 0
    }

    /// What must not be stored: subjects of requests that still name their device.
    package func refusedSubjects(now: UnixMilliseconds) throws -> [ErasureSubject] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT device, document FROM erasure_requests WHERE device IS NOT NULL AND requested_at > ?",
            arguments: [now - ErasureChange.statusKept])
        return try rows.compactMap { row in
            let text: String = row[1]
            let request = try JSONDecoder().decode(ErasureRequestDocument.self, from: Data(text.utf8))
            guard request.subject.scope.isEverything || request.requestedAt > now - ErasureGate.blocked else {
                return nil
            }
            return ErasureSubject(device: UInt64(row[0] as Int64), document: request.subject)
        }
    }

    /// Forgets what nobody may ask for any more.
    package func forgetErasures(now: UnixMilliseconds) throws {
        try db.execute(sql: "DELETE FROM erased_tokens WHERE until < ?", arguments: [now])
        try db.execute(
            sql: """
                DELETE FROM erasure_requests WHERE requested_at < ?
                    AND request NOT IN (SELECT request FROM erasures WHERE state < 2)
                """, arguments: [now - ErasureChange.statusKept])
    }
}
