import Foundation
import PipelineTesting
import Testing

/// Two tenants and the regulator on real processes: who sees what.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct TenantTests {
    @Test
    func `each sees exactly its rows and alarms, through 10 000 hostile subscriptions, reconnections and kills`() throws
    {
        let pack = try ServicePack()
        try pack.start()
        let rows = TenantRows(count: 4_800, now: Int(Date().timeIntervalSince1970 * 1000))
        let fleet = try Self.fleet(rows, pack)
        fleet.start(threads: 3, pause: 40_000)
        #expect(fleet.reaches(0.1))
        let mtn = try TenantAccess.added("mtn", ["62401"], in: pack)
        let orange = try TenantAccess.added("orange", ["62402"], in: pack)
        let everyone = [mtn, orange, try TenantAccess.regulator(of: pack)]
        let listeners = try everyone.map { try AlarmListener($0.alerts) }
        defer { for listener in listeners { listener.stop() } }

        let crowd = try HostileCrowd(HostileCrowd.intruders(with: mtn.alerts, at: everyone.dropFirst().map(\.alerts)))
        try Self.attack(crowd, pack)
        fleet.hurry()
        #expect(fleet.reaches(1) && fleet.problems.isEmpty, "\(fleet.problems.prefix(3))")
        for (access, listener) in zip(everyone, listeners) {
            try listener.expectComplete(rows.alarms(for: access))
            try Self.expectRows(rows.numbers(for: access), of: access, pack)
        }
        crowd.stop()
        #expect(crowd.foreign.first == nil)
        #expect(!crowd.alarms.isEmpty && crowd.alarms.isSubset(of: rows.alarms(for: mtn)))
        print(
            "tenants: \(crowd.subscriptions) hostile subscriptions heard \(crowd.live) messages and",
            "\(crowd.answers) answers of their own, and \(crowd.foreign.count) others")
    }

    private static func fleet(_ rows: TenantRows, _ pack: ServicePack) throws -> PhoneFleet {
        let phones = try rows.phones.indices.map { phone in
            try EnrolledPhone.enrolled(
                port: pack.ingestPort, withholding: phone == TenantRows.unsharedPhone ? ["operator_sharing"] : [])
        }
        let uploads = PhoneFleet.uploads(of: rows.phones, size: 2, seed: 5)
        return PhoneFleet(phones: phones, uploads: uploads, port: pack.ingestPort)
    }

    /// Waves of hostile sockets; in every second one the router is killed, and comes back while they are subscribed.
    private static func attack(_ crowd: HostileCrowd, _ pack: ServicePack) throws {
        var random = SeededRandom(seed: 10_000), wave = 0
        let router = pack.processes["nkul-alert-router"]!
        while crowd.subscriptions < 10_000 || wave < 4 {
            wave += 1
            let isHeard = try crowd.wave(HostileCrowd.prefixes(&random)) {
                guard wave.isMultiple(of: 2) else { return }
                router.kill()
                try router.start()
            }
            #expect(isHeard, "wave \(wave) does not hear even what it may: \(pack.output(of: router.name))")
        }
    }

    private static func expectRows(_ numbers: [Int], of access: TenantAccess, _ pack: ServicePack) throws {
        var found: [Int] = []
        let isExact = try becomesTrue(within: 60) {
            found = try RawRowsPage.rows(pack, token: access.token)
                .map { ($0["download_kbps"] as? NSNumber)?.intValue ?? -1 }.sorted()
            return found == numbers
        }
        let (missing, foreign) = (Set(numbers).subtracting(found), Set(found).subtracting(numbers))
        #expect(
            isExact,
            """
            \(access.alerts.tenant): \(found.count) rows, missing \(missing.sorted().prefix(3)), \
            foreign \(foreign.sorted().prefix(3))
            """)
    }
}
