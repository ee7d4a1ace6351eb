import Foundation
import GRDB
import PipelineTesting
import TemporaryFiles
import Testing

/// Where rewards go, with real processes: sealed at the edge, opened by the dispatcher alone, in clear in no file.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct PayoutSecrecyTests {
    private static let digits = "670918273"

    @Test func `a payout number reaches the dispatcher and stands in no file of the home and no log`() throws {
        let pack = try ServicePack(["NKUL_ENCRYPT_BLOCKS": "0", "NKUL_LOG_LEVEL": "trace"])
        try pack.start(["nkul-ingest", "nkul-reward-dispatcher"])
        let phone = try EnrolledPhone.enrolled(port: pack.ingestPort)
        var answer: HTTPExchange?
        let isTaken = try becomesTrue(within: 120) {
            answer = try HTTPExchange.send(
                "PUT", "/v1/me/payout", port: pack.ingestPort,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(phone.token)"],
                body: Array(#"{"phone":"+237\#(Self.digits)","operator":"62401"}"#.utf8))
            return answer?.status == 200
        }
        #expect(isTaken && answer?.text.contains("+**********73") == true, "\(answer?.text ?? "no answer")")
        let isKept = becomesTrue(within: 120) { (try? Self.kept(pack)) == 1 }
        #expect(isKept, "the dispatcher has not taken the number: \(pack.output(of: "nkul-reward-dispatcher"))")
        for file in try Self.files(of: pack.home.path("")) {
            guard let data = FileManager.default.contents(atPath: file) else { continue }
            #expect(data.range(of: Data(Self.digits.utf8)) == nil, "\(file)")
        }
        let names = try Self.files(of: pack.home.path("home")).map { ($0 as NSString).lastPathComponent }
        #expect(names.contains("reward-payout.key") && names.filter { $0.hasSuffix(".sqlite-wal") }.count >= 3)
    }

    private static func kept(_ pack: ServicePack) throws -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(
            path: pack.home.path("home/reward-dispatcher/state.sqlite"), configuration: configuration)
        return try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM payouts") ?? 0 }
    }

    private static func files(of directory: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory).map { directory + "/" + $0 }
    }
}
