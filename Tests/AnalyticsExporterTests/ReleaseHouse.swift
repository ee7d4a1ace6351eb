import Crypto
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Models
import QoE
import Releases
import SubjectRights
import TemporaryFiles
import Wire

@testable import AnalyticsExporter

/// A release of so many atoms, as the aggregator issues it.
struct IssuedRelease {
    let document: ReleaseDocument
    let text: String
    let atoms: [(key: String, bytes: [UInt8])]

    init(_ id: String, _ kind: ReleaseClass, network: String = "62401", at time: UnixMilliseconds, atoms count: Int)
        throws
    {
        let atoms = (0..<count).map { number in
            ReleasedAtom(
                metric: Metric.latency.rawValue, hour: 0, stratum: 0, cell: Quadkey(level: 16, code: UInt64(number)),
                figures: AtomFigures(
                    devices: 10, samples: 20, effectiveDevices: 10, meanHundredths: 43_200,
                    steps: [.init(bin: 300, percent: 40)]))
        }
        try self.init(id, kind, network: network, at: time, of: atoms)
    }

    init(
        _ id: String, _ kind: ReleaseClass, network: String = "62401", at time: UnixMilliseconds,
        of atoms: [ReleasedAtom]
    ) throws {
        let head = ReleaseHead(
            releaseClass: kind.name, id: id, programme: "qoe", network: network, fromMs: time,
            toMs: time + 86_400_000, k: 10, trust: "trusted", binTable: 1, profile: 2, atoms: atoms.count,
            madeAtMs: time + 800_000_000)
        let text = ReleaseText(head, .qoe)
        let bytes = try ReleaseText.line(of: head) + atoms.flatMap { text.line(of: $0)! }
        document = ReleaseDocument(
            head: head, sha256: Hexadecimal.text(Array(SHA256.hash(data: bytes))), bytes: Int64(bytes.count))
        self.text = String(decoding: bytes, as: UTF8.self)
        self.atoms = atoms.enumerated().map { ("\(id)/\($0)", $1.bytes) }
    }

    func block(_ lane: inout TestLane, _ range: Range<Int>? = nil) throws -> LaneBlock {
        let atoms = range.map { Array(self.atoms[$0]) } ?? self.atoms
        return try lane.block(
            kind: .releaseAtom,
            Columns(
                rowCount: atoms.count,
                columns: [
                    Column(id: ColumnID.key, strings: atoms.map { Array($0.key.utf8) }),
                    Column(id: ColumnID.document, strings: atoms.map(\.bytes)),
                ]))
    }

    func head(_ lane: inout TestLane) throws -> LaneBlock {
        try lane.block(kind: .release, .documents([(document.head.id, document)]))
    }
}

struct ReleaseHouse {
    static let from: UnixMilliseconds = 1_784_934_000_000

    let directory: TemporaryDirectory
    let exporter: TestExporter
    var lane = TestLane(.rollups)

    init(settings: [String: String] = [:]) throws {
        directory = try TemporaryDirectory()
        exporter = try TestExporter(directory, settings: settings)
    }

    mutating func issue(_ release: IssuedRelease) throws {
        try exporter.take([try release.block(&lane), try release.head(&lane)])
    }

    mutating func round(_ kind: ReleaseClass, releases: Int, _ reason: ReleaseRoundDocument.Reason?) throws {
        let document = ReleaseRoundDocument(
            releaseClass: kind.name, fromMs: Self.from, toMs: Self.from + 3_600_000, k: 10,
            trust: "trusted", releases: releases, reason: reason, madeAtMs: Self.from + 7_200_000)
        try exporter.take([try lane.block(kind: .releaseRound, .documents([("\(kind.name)-x", document)]))])
    }

    func list(_ query: String = "", as token: String? = nil) async throws -> [String: Any] {
        let text = try await exporter.text("/v1/releases" + query, headers: token.map(TestExporter.bearer))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }

    func ids(_ query: String = "", as token: String? = nil) async throws -> [String] {
        try await (list(query, as: token)["releases"] as! [[String: Any]]).map { $0["id"] as! String }
    }
}
