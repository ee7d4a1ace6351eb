import AggregatorDeriving
import AggregatorReleasing
import BatchAggregator
import Crypto
import Foundation
import Lanes
import Models
import QoE
import Releases
import Storage
import SubjectRights
import Testing
import Wire

@Suite struct ReleaserTests {
    /// 18:20 on a local day in Douala.
    private static let captured = AcceptedRow.plain().values[ColumnID.capturedAt]!
    private static let dayBegin: Int64 = 1_784_934_000
    /// The hour is over for an hour.
    private static let hourDue = (dayBegin + 20 * 3_600) * 1_000
    /// Nine days after the local day and half a day.
    private static let dayDue = (dayBegin + 10 * 86_400 + 43_200) * 1_000
    private static let settings = ReleaseSettings(
        rules: ReleaseRules(k: 10), trust: .trusted, root: [UInt8](repeating: 9, count: 32))
    private static let classes = DeviceClasses(root: settings.root, day: dayBegin)

    private func row(_ device: Int64, download: Int64 = 5_000, flags: RowFlags = []) -> AcceptedRow {
        var row = AcceptedRow.plain(device: device)
        row[ColumnID.download] = download + 100 * device
        row[ColumnID.rsrp] = -900
        if !flags.isEmpty { row[ColumnID.flags] = flags.rawValue }
        return row
    }

    private func world(_ rows: [AcceptedRow], releases: ReleaseSettings = settings) throws -> AggregatorWorld {
        let world = try AggregatorWorld(releases: releases)
        try world.step([try world.block(rows)])
        return world
    }

    /// Steps for some minutes of the world's clock.
    private func pass(_ world: AggregatorWorld, until time: UnixMilliseconds? = nil) throws {
        if let time { world.now = max(world.now, time) }
        for _ in 0..<150 { try world.step() }
    }

    private struct Release: Equatable {
        var head: ReleaseHead
        var atoms: [ReleasedAtom] = []
        var text: [UInt8] = []
    }

    /// What is on the lane, in the order of their ids; the text is checked.
    private func released(_ world: AggregatorWorld) throws -> [Release] {
        var decoder = ColumnDecoder(), atoms: [String: [ReleasedAtom]] = [:], releases: [Release] = []
        let blocks = try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0,
            kinds: [RecordKind.release.id, RecordKind.releaseAtom.id],
            limit: JournalPage.Limit(blocks: .max, bytes: .max)
        ).blocks
        for block in blocks {
            let columns = try block.columns(with: &decoder)
            if block.header.kind == RecordKind.releaseAtom.id {
                for row in 0..<columns.rowCount {
                    let key = String(decoding: columns[ColumnID.key]!.value(row)!, as: UTF8.self)
                    let parts = key.split(separator: "/")
                    #expect(Int(parts[1]) == atoms[String(parts[0]), default: []].count)
                    let atom = columns[ColumnID.document]!.withBytes(row) { ReleasedAtom($0) }
                    atoms[String(parts[0]), default: []].append(try #require(atom))
                }
            } else {
                for (_, document) in try columns.documents(ReleaseDocument.self) {
                    var release = Release(head: document.head, atoms: atoms[document.head.id] ?? [])
                    let text = ReleaseText(document.head, .qoe)
                    release.text = try ReleaseText.line(of: document.head)
                    for atom in release.atoms { release.text += try #require(text.line(of: atom)) }
                    #expect(Hexadecimal.text(Array(SHA256.hash(data: release.text))) == document.sha256)
                    #expect(release.text.count == document.bytes && release.atoms.count == document.head.atoms)
                    releases.append(release)
                }
            }
        }
        #expect(Set(releases.map(\.head.id)).count == releases.count, "none is issued twice")
        return releases.sorted { $0.head.id < $1.head.id }
    }

    private func rounds(_ world: AggregatorWorld) throws -> [ReleaseRoundDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.releaseRound.id],
            limit: JournalPage.Limit(blocks: .max, bytes: .max)
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(ReleaseRoundDocument.self).map(\.document) }
    }

    private func devices(_ kind: ReleaseClass, _ all: ClosedRange<Int64>) -> Int64 {
        Int64(all.filter { Self.classes.of(UInt32($0)) == kind }.count)
    }

    @Test func `an hour is released an hour after its end, with the devices that are of its class`() throws {
        let world = try world((1...200).map { row($0) })
        try pass(world, until: Self.hourDue - 400_000)
        #expect(try released(world).isEmpty)
        try pass(world, until: Self.hourDue)
        let release = try #require(try released(world).first)
        #expect(release.head.id == "provisional-qoe-62401-20260725T170000Z")
        #expect(release.head.fromMs == Self.hourDue - 7_200_000 && release.head.toMs == Self.hourDue - 3_600_000)
        let count = CountBand.of(devices(.provisional, 1...200)).lowerBound
        #expect(release.atoms.map(\.figures.devices) == [count, count])
        #expect(release.atoms.map(\.metric) == [Metric.download.rawValue, Metric.rsrp.rawValue])
        #expect(release.atoms.allSatisfy { $0.cell?.level == 16 })
        let round = try #require(try rounds(world).first { $0.releases > 0 })
        #expect(round.releaseClass == "provisional" && round.k == 10 && round.trust == "trusted" && round.reason == nil)
        #expect(try rounds(world).filter { $0.reason == .tooFewDevices }.count == 18, "the hours before")
    }

    @Test func `what comes after a release changes nothing of it and brings no second one`() throws {
        let world = try world((1...200).map { row($0) })
        try pass(world, until: Self.hourDue)
        let before = try released(world)
        try world.step([try world.block((201...400).map { row($0) })])
        try pass(world)
        try world.step([try world.order("r", of: 1), try world.order("q", of: 2)])
        try pass(world)
        world.kill()
        try world.start()
        try pass(world, until: world.now + 3_600_000)
        #expect(try before.count == 1 && released(world).filter { $0.head.fromMs == before[0].head.fromMs } == before)
    }

    @Test func `a day is released before its rows go, by hour and technology and as a whole`() throws {
        let world = try world((1...200).map { row($0) })
        try pass(world, until: Self.hourDue)
        world.now = Self.dayDue
        try world.step([try world.retention(at: Self.dayDue)])
        while try world.open.existingDays().contains(Self.dayBegin) {
            try world.step()
            #expect(world.now < Self.dayDue + 600_000)
        }
        let all = try released(world)
        try #require(all.map(\.head.releaseClass) == ["final", "provisional", "technology"])
        #expect(
            all[0].atoms.map(\.figures.devices)
                == Array(repeating: CountBand.of(devices(.final, 1...200)).lowerBound, count: 2))
        #expect(all[2].atoms.allSatisfy { $0.hour == 18 && $0.stratum == UInt8(Technology.g4.rawValue) })
        #expect(
            all[2].atoms.map(\.figures.devices)
                == Array(repeating: CountBand.of(devices(.technology, 1...200)).lowerBound, count: 2))
        #expect(all[0].head.id == "final-qoe-62401-20260724T230000Z")
        try pass(world)
        #expect(try released(world) == all)
    }

    @Test
    func `rows without consent to research or to sharing, and of devices that are not trusted, are in no release`()
        throws
    {
        let wanted = (1...100).map { row($0) }
        let others = (101...800 as ClosedRange<Int64>).map { device in
            row(device, flags: [.notForOperators, .notForResearch, .notTrusted][Int(device) % 3])
        }
        let alone = try world(wanted), together = try world(wanted + others)
        for world in [alone, together] { try pass(world, until: Self.hourDue) }
        #expect(try released(alone).count == 1)
        #expect(try released(together).map(\.atoms) == released(alone).map(\.atoms))
        var aged = Self.settings
        aged.trust = .aged
        let trusting = try world(wanted + others, releases: aged)
        try pass(trusting, until: Self.hourDue)
        #expect(try released(trusting).map(\.head.trust) == ["aged"])
        #expect(try released(trusting).map(\.atoms) != released(alone).map(\.atoms))
    }

    @Test func `a network with fewer devices than k is not told of`() throws {
        let world = try world((1...20).map { row($0) })
        try pass(world, until: Self.hourDue)
        #expect(try released(world).isEmpty)
        let round = try rounds(world).last
        #expect(round?.releases == 0 && round?.reason == .tooFewDevices)
    }

    /// Rows all over the country, of four networks.
    private func country(_ count: Int) -> [AcceptedRow] {
        var dice = SplitMix64(seed: 8)
        return (0..<count).map { number in
            var row = AcceptedRow.random(&dice)
            row[ColumnID.capturedAt] = Self.captured - Int64(dice.below(4)) * 3_600_000
            row[ColumnID.device] = Int64(number % 900)
            row[ColumnID.flags] = nil
            return row
        }
    }

    private func sealed(_ world: AggregatorWorld) throws -> [Release] {
        world.now = Self.dayDue
        try world.step([try world.retention(at: Self.dayDue)])
        while try world.open.existingDays().contains(Self.dayBegin) { try world.step() }
        return try released(world).map { release in
            // When it was made is another time.
            var release = release
            (release.head.madeAtMs, release.text) = (0, [])
            return release
        }
    }

    @Test func `releases are the same however little of a day may be in memory, and in whatever order rows came`()
        throws
    {
        let rows = country(6_000)
        let whole = try sealed(try world(rows))
        #expect(whole.count >= 4 && whole.reduce(0) { $0 + $1.atoms.count } > 50)
        let parts = try AggregatorWorld(releases: Self.settings)
        parts.kill()
        parts.releaseBytes = 20_000
        try parts.start()
        var dice = SplitMix64(seed: 3)
        let shuffled = rows.shuffled(using: &dice)
        for first in stride(from: 0, to: rows.count, by: 500) {
            try parts.step([try parts.block(Array(shuffled[first..<first + 500]))])
        }
        #expect(try sealed(parts) == whole)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `releases are the same and each is issued once, whenever the power fails`(seed: UInt64) throws {
        let rows = country(3_000)
        let whole = try sealed(try world(rows))
        let world = try world(rows)
        var dice = SplitMix64(seed: seed), accidents = Accidents()
        world.now = Self.dayDue
        try world.step([try world.retention(at: Self.dayDue)])
        while try world.open.existingDays().contains(Self.dayBegin) {
            accidents.mayCut(world, &dice)
            _ = try world.stepOrDie()
        }
        let all = try released(world).map { release in
            var release = release
            (release.head.madeAtMs, release.text) = (0, [])
            return release
        }
        #expect(all == whole)
    }

    @Test func `under another secret no day is released that had begun`() throws {
        let world = try world((1...200).map { row($0) })
        try pass(world)
        world.kill()
        world.releases?.root = [UInt8](repeating: 1, count: 32)
        try world.start()
        try pass(world, until: Self.hourDue)
        #expect(try released(world).isEmpty && rounds(world).last?.reason == .restored)
        #expect(try sealed(world).isEmpty)
    }

    @Test func `after a restore no day is released that had begun before it`() throws {
        let world = try world((1...200).map { row($0) })
        try world.settle()
        let rollups = Restoration.Lane(
            lane: .rollups, oldGeneration: world.journal.generation, head: world.journal.head, generation: 4_001)
        let batch = Restoration.Lane(
            lane: .batch, oldGeneration: world.position(.batch).generation, head: 1, generation: 4_000)
        let restoration = Restoration(
            id: "r", backedUpAt: 0, restoredAt: world.now, lanes: [batch, rollups], readers: [])
        world.kill()
        try world.start(restoration)
        world.restoreLanes(restoration.lanes)
        try pass(world, until: Self.hourDue)
        #expect(try released(world).isEmpty && rounds(world).last?.reason == .restored)
        // The day after is released.
        world.now = Self.hourDue + 86_400_000
        let next = (1...200 as ClosedRange<Int64>).map { device in
            var row = row(device)
            row[ColumnID.capturedAt]! += 86_400_000
            return row
        }
        try world.step([try world.block(next)])
        try pass(world)
        #expect(try released(world).map(\.head.releaseClass) == ["provisional"])
    }

    @Test func `who is erased while a release is made is not in it`() throws {
        let rows = (1...300).map { row($0) }
        let gone = (1...300 as ClosedRange<Int64>).filter { Self.classes.of(UInt32($0)) == .final }.prefix(2)
        let without = try sealed(try world(rows.filter { !gone.contains($0[ColumnID.device]!) }))
        let world = try world(rows)
        world.now = Self.dayDue
        try world.step([try world.retention(at: Self.dayDue)])
        for _ in 0..<3 { try world.step() }
        for (number, device) in gone.enumerated() {
            try world.step([try world.order("r\(number)", of: UInt64(device))])
        }
        while try world.open.existingDays().contains(Self.dayBegin) { try world.step() }
        #expect(
            try released(world).filter { $0.head.releaseClass == "final" }.map(\.atoms)
                == without.filter { $0.head.releaseClass == "final" }.map(\.atoms))
    }
}
