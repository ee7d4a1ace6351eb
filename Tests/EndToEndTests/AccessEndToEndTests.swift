import Foundation
import Models
import PipelineTesting
import ServiceKit
import TemporaryFiles
import Testing

/// Copies of everything with real processes that are killed meanwhile: all that a phone sent and was granted is in its copy,
/// and nothing of another is.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct AccessEndToEndTests {
    @Test func `a phone gets everything that is held about it, and after its erasure nothing`() throws {
        let pack = try ServicePack([
            "NKUL_ENCRYPT_BLOCKS": "0", "NKUL_INGEST_ADDRESS_CALLS_PER_MINUTE": "0",
            "NKUL_INGEST_DATA_CONTACT": "privacy@nkul.example",
        ])
        try pack.start()
        let crowd = try AccessCrowd(pack, phones: 12, asking: [2, 5, 9], seed: 31)
        try crowd.send()
        crowd.fetch()
        var chaos = Chaos(seed: 41)
        try chaos.run(pack, leastKills: 2) { crowd.isDone }
        #expect(crowd.problems.isEmpty, "\(crowd.problems.prefix(3))")
        #expect(crowd.copies.count == 3)
        for (place, text) in crowd.copies.sorted(by: { $0.key < $1.key }) {
            try Self.expectEverything(of: place, in: try SubjectFile(text), crowd)
        }
        try Self.expectListed(pack, crowd)
        try Self.expectNothingAfterErasure(of: 5, pack, crowd)
        print("copies of \(crowd.copies.values.map(\.utf8.count)) bytes, \(chaos.kills.values.reduce(0, +)) kills")
    }

    private static func expectEverything(of place: Int, in file: SubjectFile, _ crowd: AccessCrowd) throws {
        let mine = crowd.records(of: place), phone = crowd.phones[place]
        for kind in ["report", "feedback"] {
            let expected = mine.filter { $0.kind == kind }.compactMap { $0.text("id") }
            #expect(file.lines(kind).compactMap { $0["id"] as? String }.sorted() == expected.sorted(), "phone \(place)")
        }
        for record in mine where record.kind == "feedback" {
            #expect(file.lines("feedback").contains { $0["comment"] as? String == record.text("comment") })
        }
        let granted = Set(file.lines("grant").compactMap { $0["record"] as? String })
        #expect(granted == Set(mine.filter { $0.kind == "feedback" }.compactMap { $0.text("id") }))
        #expect(file.lines("ledger_entry").count >= 2 * granted.count)
        #expect(file.lines("payout_number").map { $0["phone"] as? String } == [crowd.number(of: place)])
        #expect(file.lines("consent").map { $0["version"] as? Int } == [1, 2])
        #expect(file.lines("device").map { $0["device_id"] as? String } == [phone.device])
        #expect(file.lines("statistics_row").count == mine.count)
        let urgent = mine.filter { $0.text("event") == "emergency" }.count
        let counted = file.lines("alarm_contribution").compactMap { $0["records"] as? Int }.reduce(0, +)
        #expect(urgent == 0 || counted > 0)
        let actions = file.lines("audit_entry").compactMap { $0["action"] as? String }
        #expect(Set(["consent.given", "consent.changed", "access.requested"]).isSubset(of: actions), "\(actions)")
        try file.expectSound(contact: "privacy@nkul.example")
        // Nothing of others, by whatever name.
        for other in crowd.phones.indices where other != place {
            for needle in crowd.needles(of: other) {
                #expect(!file.text.contains(needle), "\(other) in \(place): \(needle)")
            }
        }
        #expect(!file.text.contains(phone.token))
    }

    /// Operators see that it was done, and the log of it is sound.
    private static func expectListed(_ pack: ServicePack, _ crowd: AccessCrowd) throws {
        let list = try pack.answer("nkul", ["admin", "access", "list"])
        #expect(list.contains("0 open, 3 to be fetched"), "\(list)")
        for request in crowd.requests.values { #expect(list.contains(request)) }
        let audit = try pack.answer("nkul", ["admin", "audit", "verify"])
        #expect(audit.contains("sound"), "\(audit)")
    }

    private static func expectNothingAfterErasure(of place: Int, _ pack: ServicePack, _ crowd: AccessCrowd) throws {
        let phone = crowd.phones[place], request = try #require(crowd.requests[place])
        let erased = try crowd.call("POST", "/v1/me/erasures", phone, #"{"scope":{"all":true}}"#)
        let members = try JSONSerialization.jsonObject(with: Data(erased.body)) as? [String: Any]
        let erasure = try #require(members?["request_id"] as? String)
        let gone = try crowd.call("GET", "/v1/me/data/\(request)", phone)
        #expect(gone.status == 410 && gone.text.contains("device_erased"))
        let isCompleted = becomesTrue(within: 120) {
            (try? crowd.call("GET", "/v1/me/erasures/\(erasure)", phone).text.contains("\"completed\"")) ?? false
        }
        #expect(isCompleted, "\((try? pack.answer("nkul", ["admin", "erasure", "show", erasure])) ?? "")")
        let subject = ScannedSubject(
            ordinal: Int64(place + 1),
            identifiers: [phone.device] + crowd.records(of: place).compactMap { $0.text("id") },
            token: phone.token, texts: crowd.records(of: place).compactMap { $0.text("comment") })
        let scan = try HomeScan.run(pack.home.path("home"), for: [subject])
        #expect(scan.places.isEmpty, "\(scan.places)")
        // Another's copy is still there.
        let other = try #require(crowd.requests[2])
        #expect(try crowd.call("GET", "/v1/me/data/\(other)", crowd.phones[2]).status == 200)
    }
}
