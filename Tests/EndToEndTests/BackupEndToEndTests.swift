import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// A home is lost and comes back from a backup that was made while everything went on.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct BackupEndToEndTests {
    private let outside = try! TemporaryDirectory()
    private let devices = EndToEnd.number("NKUL_E2E_DEVICES", default: 120)

    @Test func `a restored home is whole, erased devices stay erased, and nothing is paid twice`() throws {
        let first = try pack()
        try first.start()
        let load = try ErasureLoad(first, devices: devices, erased: devices / 10, seed: 31)
        load.begin()
        #expect(becomesTrue(within: 120) { load.isDone } && load.problems.isEmpty, "\(load.problems.prefix(3))")
        load.goOn()
        // Some have themselves erased before the backup, some after it.
        #expect(becomesTrue(within: 120) { load.requested.count >= load.erased.count / 3 })
        let file = try backUp(first)
        #expect(becomesTrue(within: 300) { load.isDone } && load.problems.isEmpty, "\(load.problems.prefix(3))")
        try expectPayments(first, load)
        first.kill()
        let paid = try RewardBooks(first).payments

        let second = try restored(first, file)
        let before = try RawRowsPage.read(second).count
        try expectWholeUploads(second, load)
        try expectAlarms(second, load)
        print(
            "\(before) rows in the backup of \(load.uploads.joined().joined().count), \(paid) payments before it was restored"
        )
        try expectErased(second, load)
        try sendAgain(load, to: second)
        try PipelineCheck.expectRowsAndStatistics(second, load.model)
        try expectHeatmapOfAHomeThatWasNeverLost(second, load)
        try expectPaidOnce(second, load)
        let doctor = second.program("nkul", ["doctor"])
        try doctor.start()
        #expect(doctor.exitCode(within: 60) == 0, "\(doctor.output)")
        #expect(doctor.output.contains("all services have taken it in"))
    }

    /// Services whose provider lives on when their home is lost.
    private func pack() throws -> ServicePack {
        let faults = RewardFaults(seed: 5), script = outside.path("sandbox.json")
        try faults.script.write(toFile: script, atomically: true, encoding: .utf8)
        var settings = faults.settings(script: script)
        settings["NKUL_REWARD_DISPATCHER_SANDBOX_BOOKS"] = outside.path("provider.sqlite")
        settings["NKUL_INGEST_ADDRESS_CALLS_PER_MINUTE"] = "0"
        return try ServicePack(settings)
    }

    private func backUp(_ pack: ServicePack) throws -> String {
        let file = outside.path("backup.nkul"), identity = outside.path("identity")
        let recipient = try pack.answer("nkul", ["backup", "key", "-o", identity])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        print(try pack.answer("nkul", ["backup", "-o", file, "--to", recipient]))
        print(try pack.answer("nkul", ["backup", "verify", file, "--identity", identity]))
        return file
    }

    private func restored(_ first: ServicePack, _ file: String) throws -> ServicePack {
        let second = try pack()
        let arguments = [
            "restore", file, "--identity", outside.path("identity"), "--previous-home", first.home.path("home"),
        ]
        print(try second.answer("nkul", arguments))
        try second.start()
        return second
    }

    /// Until the provider has paid much of what is owed: more than it had at the backup.
    private func expectPayments(_ pack: ServicePack, _ load: ErasureLoad) throws {
        let owed = RewardedFeedback.all(in: load.model).count
        #expect(becomesTrue(within: 120) { RewardPayer.sandbox.paymentCount(pack) >= owed * 9 / 10 })
    }

    /// Of each upload all rows are there or none, and of those that were answered before the backup all.
    private func expectWholeUploads(_ pack: ServicePack, _ load: ErasureLoad) throws {
        let gone = Set(load.erased)
        var torn = 0, missing = 0
        let areThere = try becomesTrue(within: 60) {
            let rows = try RawRowsPage.read(pack)
            (torn, missing) = (0, 0)
            for place in load.phones.indices where !gone.contains(place) {
                for (number, upload) in load.uploads[place].enumerated() {
                    let found = upload.count { rows[$0.text("id") ?? ""] != nil }
                    if found != 0 && found != upload.count { torn += 1 }
                    if number == 0 && found == 0 { missing += 1 }
                }
            }
            return torn == 0 && missing == 0
        }
        #expect(areThere, "\(torn) uploads are torn, \(missing) of before the backup are missing")
    }

    /// Every alarm that the rows raise is there, and none that no row of the backup or of an erased device can have raised.
    private func expectAlarms(_ pack: ServicePack, _ load: ErasureLoad) throws {
        let rows = try RawRowsPage.read(pack)
        var present = ReferenceModel(), all = ReferenceModel()
        for place in load.phones.indices {
            for upload in load.uploads[place] {
                // As early as can be: more count then.
                _ = all.submit(upload, device: place + 1, receivedAt: load.now)
                let isPresent = upload.allSatisfy { rows[$0.text("id") ?? ""] != nil }
                if isPresent { _ = present.submit(upload, device: place + 1, receivedAt: load.now) }
            }
        }
        present = present.received { (rows[$0.id]?.first?["received_at_ms"] as? NSNumber)?.intValue }
        var heard: Set<ReferenceAlarm> = []
        let areThere = try becomesTrue(within: 120) {
            heard = try alarms(pack)
            return present.alarms.isSubset(of: heard)
        }
        #expect(areThere, "missing \(present.alarms.subtracting(heard).sorted().prefix(3))")
        #expect(heard.isSubset(of: all.alarms) && !heard.isEmpty)
    }

    private func alarms(_ pack: ServicePack) throws -> Set<ReferenceAlarm> {
        struct Page: Decodable {
            struct Alarm: Decodable { let plmn, cell: String }
            let alarms: [Alarm]
        }
        let answer = try HTTPExchange.send(
            "GET", "/v1/alarms", port: pack.exporterPort,
            headers: ["Authorization": "Bearer \(try RawRowsPage.regulatorToken(pack))"])
        let page = try JSONDecoder().decode(Page.self, from: Data(answer.body))
        return Set(page.alarms.map { ReferenceAlarm(plmn: $0.plmn, cell: $0.cell) }.filter(\.isOfOneRecord))
    }

    /// Whoever asked, before the backup or after it, is found nowhere, and can read that it is so.
    private func expectErased(_ pack: ServicePack, _ load: ErasureLoad) throws {
        var open = load.requested
        let isDone = becomesTrue(within: 180) {
            for (place, request) in open {
                let answer = try? HTTPExchange.send(
                    "GET", "/v1/me/erasures/\(request)", port: pack.ingestPort,
                    headers: ["Authorization": "Bearer \(load.phones[place].token)"])
                if answer?.text.contains("\"completed\"") == true { open[place] = nil }
            }
            return open.isEmpty
        }
        let listed = isDone ? "" : try pack.answer("nkul", ["admin", "erasure", "list"])
        #expect(isDone, "\(open.count) of \(load.requested.count) are open; \(listed)")
        let scan = try HomeScan.run(pack.home.path("home"), for: load.subjects(sentOnly: false))
        #expect(scan.places.isEmpty, "\(scan.places.mapValues { $0.sorted().prefix(5) })")
    }

    /// Phones send everything again, as if no answer had ever come.
    private func sendAgain(_ load: ErasureLoad, to pack: ServicePack) throws {
        let gone = Set(load.erased)
        for place in load.phones.indices where !gone.contains(place) {
            for upload in load.uploads[place] {
                let statuses = try load.phones[place].send(upload, key: nil, port: pack.ingestPort)
                #expect(statuses.allSatisfy { ["accepted", "duplicate"].contains($0) }, "\(statuses)")
            }
        }
        let late = try load.phones[load.erased[0]].exchange(load.uploads[load.erased[0]][0], port: pack.ingestPort)
        #expect(late.status == 410)
    }

    /// The heat map is that of a home to which those who are left sent the same, and which was never lost.
    private func expectHeatmapOfAHomeThatWasNeverLost(_ pack: ServicePack, _ load: ErasureLoad) throws {
        let other = try ServicePack(["NKUL_INGEST_ADDRESS_CALLS_PER_MINUTE": "0"])
        try other.start()
        let gone = Set(load.erased)
        for place in load.phones.indices where !gone.contains(place) {
            let phone = try EnrolledPhone.enrolled(port: other.ingestPort)
            for upload in load.uploads[place] { _ = try phone.send(upload, key: nil, port: other.ingestPort) }
        }
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        var map: [String] = [], expected: [String] = []
        let isEqual = try becomesTrue(within: 120) {
            map = try HeatmapPage.read(pack, plmns: ["62401", "62402"], around: now)
            expected = try HeatmapPage.read(other, plmns: ["62401", "62402"], around: now)
            return map == expected && !map.isEmpty
        }
        let difference = TextDifference.first(map.joined(separator: "\n"), expected.joined(separator: "\n"))
        #expect(isEqual, "\(map.count) and \(expected.count) cells, \(difference)")
        other.kill()
    }

    /// Each feedback of those who are left is paid once in both lives together.
    private func expectPaidOnce(_ pack: ServicePack, _ load: ErasureLoad) throws {
        let feedback = RewardedFeedback.all(in: load.model)
        var fault: String?
        // The provider is asked about every attempt that the lost life may have made.
        let isPaid = try becomesTrue(within: 400) {
            fault = try RewardBooks(pack).faultAfterRestore(paying: feedback)
            return fault == nil
        }
        #expect(isPaid, "\(fault ?? "")")
        let most = load.uploads.joined().joined().count { $0.kind == "feedback" }
        #expect(try RewardBooks(pack).payments <= most)
    }
}
