import AggregatorCells
import Crypto
import Foundation
import GRDB
import Lanes
import Models
import Releases
import Storage
import SubjectRights
import Wire

/// Issues releases on `rollups`: atoms, then the release, with the note that it was issued, in one transaction.
struct ReleaseWriter {
    /// Bytes of atoms that go to the journal together.
    private static let tableBytes = 32_000

    let settings: ReleaseSettings
    let programmes: Programmes

    /// Issues a release, unless it was issued before or has no atoms; returns how many atoms it has.
    func write(
        _ series: ReleaseSeries, _ period: ReleasePeriod, _ atoms: AtomList, now: UnixMilliseconds, _ db: Database,
        _ emit: inout Emission
    ) throws -> Int {
        guard atoms.count > 0, let programme = programmes.all.first(where: { $0.number == series.programme }),
            try ReleaseStore.mark(series, period.seconds.lowerBound, db)
        else { return 0 }
        let head = head(series, programme, period, atoms: atoms.count, now: now)
        let text = ReleaseText(head, programme)
        var hash = SHA256(), bytes: Int64 = 0, table = AtomTable(release: head.id)
        func add(_ line: [UInt8]) {
            hash.update(data: line)
            bytes += Int64(line.count)
        }
        add(try ReleaseText.line(of: head))
        var written = 0
        try atoms.forEach { encoded in
            if written & 4_095 == 0 { IdleTurn.giveWay() }
            written += 1
            guard let atom = encoded.withUnsafeBytes({ ReleasedAtom($0) }), let line = text.line(of: atom) else {
                throw AggregatorError.openRowsCorrupt("atom of \(head.id)")
            }
            add(line)
            table.append(encoded)
            if table.byteCount >= Self.tableBytes {
                try emit.append(to: .rollups, kind: .releaseAtom, columns: table.take())
            }
        }
        if table.byteCount > 0 { try emit.append(to: .rollups, kind: .releaseAtom, columns: table.take()) }
        let document = ReleaseDocument(head: head, sha256: Hexadecimal.text(Array(hash.finalize())), bytes: bytes)
        try emit.append(to: .rollups, kind: .release, columns: .documents([(head.id, document)]))
        return atoms.count
    }

    /// Notes that no more releases of a period are made, and says so.
    func finish(
        _ period: ReleasePeriod, _ reason: ReleaseRoundDocument.Reason?, now: UnixMilliseconds, _ db: Database,
        _ emit: inout Emission
    ) throws {
        for kind in period.classes {
            let count = try ReleaseStore.count(kind, period.seconds.lowerBound, db)
            try ReleaseStore.finish(kind, period.seconds.lowerBound, db)
            let document = ReleaseRoundDocument(
                releaseClass: kind.name, fromMs: period.seconds.lowerBound * 1_000,
                toMs: period.seconds.upperBound * 1_000, k: settings.rules.k, trust: settings.trust.rawValue,
                releases: count, reason: count > 0 ? nil : reason ?? .tooFewDevices, madeAtMs: now)
            let key = "\(kind.name)-\(Self.name(of: period.seconds.lowerBound))"
            try emit.append(to: .rollups, kind: .releaseRound, columns: .documents([(key, document)]))
        }
    }

    private func head(
        _ series: ReleaseSeries, _ programme: Programme, _ period: ReleasePeriod, atoms: Int, now: UnixMilliseconds
    ) -> ReleaseHead {
        let network = PLMN(rawValue: series.scope).text
        return ReleaseHead(
            releaseClass: series.kind.name,
            id: "\(series.kind.name)-\(programme.name)-\(network)-\(Self.name(of: period.seconds.lowerBound))",
            programme: programme.name, network: network, fromMs: period.seconds.lowerBound * 1_000,
            toMs: period.seconds.upperBound * 1_000, k: settings.rules.k, trust: settings.trust.rawValue,
            binTable: BinTable.version, profile: ReleaseRules.profile, atoms: atoms, madeAtMs: now)
    }

    /// A moment as part of a name: `20261119T230000Z`.
    private static func name(of second: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(second)).formatted(
            Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    }
}

/// Atoms of a release on their way to the lane.
private struct AtomTable {
    private let release: String
    private var number = 0
    private var keys = (bytes: [UInt8](), ends: [UInt32]())
    private var atoms = (bytes: [UInt8](), ends: [UInt32]())

    init(release: String) { self.release = release }

    var byteCount: Int { keys.bytes.count + atoms.bytes.count }

    mutating func append(_ atom: ArraySlice<UInt8>) {
        keys.bytes.append(contentsOf: "\(release)/\(number)".utf8)
        keys.ends.append(UInt32(keys.bytes.count))
        atoms.bytes.append(contentsOf: atom)
        atoms.ends.append(UInt32(atoms.bytes.count))
        number += 1
    }

    mutating func take() -> Columns {
        defer { (keys, atoms) = (([], []), ([], [])) }
        let count = keys.ends.count
        return Columns(
            rowCount: count,
            columns: [
                Column(id: ColumnID.key, presence: .full(count), bytes: keys.bytes, ends: keys.ends),
                Column(id: ColumnID.document, presence: .full(count), bytes: atoms.bytes, ends: atoms.ends),
            ])
    }
}
