import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// What a person asks for through the device kit, with real processes: `nkul phone` has a P-256 key, and ingest refuses what is not signed.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled), .timeLimit(.minutes(10)))
struct PhoneRightsTests {
    private func phone(_ pack: ServicePack, _ arguments: [String]) -> ServiceProcess {
        pack.program(
            "nkul",
            [
                "phone", "--url", "http://127.0.0.1:\(pack.ingestPort)", "--store",
                pack.home.path("phone/store.sqlite"), "--online", "--quiet", "--every", "0.02", "--json",
            ] + arguments)
    }

    @Test func `the kit fetches a copy of everything, has it erased, and is silent then`() throws {
        let pack = try ServicePack(["NKUL_INGEST_UPLOAD_PERIOD_SECONDS": "1"])
        try pack.start()
        let path = pack.home.path("copy.ndjson")
        let process = phone(pack, ["--samples", "200", "--copy", path, "--erase"])
        try process.start()
        #expect(process.exitCode(within: 300) == 0, "\(process.output.suffix(2_000))")
        let file = try SubjectFile(try String(contentsOfFile: path, encoding: .utf8))
        #expect(file.lines("report").count >= 200)
        let device = try #require(file.lines("device").first)
        #expect(device["device_key"] != nil && device["signed_at_ms"] != nil)
        #expect(try becomesTrue(within: 60) { try RawRowsPage.read(pack).isEmpty })
        let again = phone(pack, ["--samples", "300"])
        try again.start()
        #expect(again.exitCode(within: 60) == 0)
        #expect(try RawRowsPage.read(pack).isEmpty, "an erased phone sends nothing")
    }
}
