import Foundation
import Models
import PipelineTesting
import TemporaryFiles
import Testing

/// The same promise where the services are on different machines: lanes over tcp:// with CURVE.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct CurveLaneTests {
    @Test
    func `over tcp with CURVE, killed services and lost replies lose nothing and double nothing`() throws {
        var lanes: [String: String] = [:]
        for lane in LaneName.allCases {
            lanes["NKUL_LANE_\(lane.rawValue.uppercased())"] = "tcp://127.0.0.1:\(try UnusedPorts.take())"
        }
        let pack = try ServicePack(lanes)
        #expect(try pack.answer("nkul", ["lane-keys"]).contains("lanes.server.key"))
        try pack.start()
        #expect(try Self.sockets(of: pack).isEmpty)
        let proxy = try CuttingProxy(target: pack.ingestPort, seed: 8)
        defer { proxy.stop() }
        let listener = try AlarmListener(AlertAccess.regulator(of: pack))
        defer { listener.stop() }
        let load = try FieldLoad(pack, seed: 7002, mostRecords: 4_000, size: 25, port: proxy.port)
        var chaos = Chaos(seed: 12)
        load.fleet.start(threads: 4, pause: 50_000)
        try chaos.run(pack, leastKills: 1) { load.fleet.isDone }
        load.expectSent()
        try PipelineCheck.expectAgreement(pack, load.model, listener)
    }

    /// The lanes' sockets in the home: there are none.
    private static func sockets(of pack: ServicePack) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: pack.home.path("home/run")).filter { $0.hasSuffix(".sock") }
    }
}
