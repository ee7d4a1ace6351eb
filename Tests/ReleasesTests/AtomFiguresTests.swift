import Models
import QoE
import Testing

@testable import Releases

@Suite struct AtomFiguresTests {
    private func pool(_ samples: [(device: UInt32, bin: Int32, count: Int)]) -> DevicePool {
        var pool = DevicePool()
        for sample in samples { for _ in 0..<sample.count { pool.add(sample.device, bin: sample.bin) } }
        pool.merge()
        return pool
    }

    private func figures(
        _ samples: [(device: UInt32, bin: Int32, count: Int)], _ rules: ReleaseRules = ReleaseRules(k: 10)
    ) -> AtomFigures { AtomFigures(pool(samples), rules, .linear(divisor: 1)) }

    @Test func `steps are quantiles at percents of the band of devices`() {
        func percents(_ devices: UInt32) -> [Int64] {
            figures((1...devices).map { ($0, Int32($0), 1) }).steps.map(\.percent)
        }
        #expect(figures((1...17).map { (UInt32($0), Int32($0), 1) }).steps == [AtomFigures.Step(bin: 9, percent: 50)])
        for devices in 10...19 as ClosedRange<UInt32> { #expect(percents(devices) == [50]) }
        for devices in 20...49 as ClosedRange<UInt32> { #expect(percents(devices) == [25, 50, 75]) }
        for devices in 50...99 as ClosedRange<UInt32> { #expect(percents(devices) == [10, 25, 50, 75, 90]) }
        for devices in [100, 101, 119, 199, 200, 499] as [UInt32] {
            #expect(percents(devices) == (1...19).map { 5 * $0 }, "\(devices)")
        }
        for devices in [500, 501, 999, 4_001] as [UInt32] { #expect(percents(devices).count == 59, "\(devices)") }
    }

    @Test func `of percents in one bin the last is told, and five devices lie beyond the last step`() {
        func sixteen(beyond: UInt32) -> [AtomFigures.Step] {
            figures((1...16).map { ($0, 10, 1) } + (17...16 + beyond).map { ($0, Int32($0), 1) }).steps
        }
        #expect(sixteen(beyond: 4).isEmpty)
        #expect(sixteen(beyond: 5) == [AtomFigures.Step(bin: 10, percent: 75)])
    }

    @Test func `a bin of one phone with many samples is not told`() {
        let figures = figures((1...10).map { (UInt32($0), Int32(50 + $0), 1) } + [(11, 900, 3)])
        #expect(figures.steps == [AtomFigures.Step(bin: 56, percent: 50)])
        #expect(figures.meanHundredths == nil, "between which steps?")
    }

    @Test func `a mean tells nothing of what lies beyond the steps, and without steps there is none`() {
        func devices(_ highest: Int32) -> [(device: UInt32, bin: Int32, count: Int)] {
            var samples: [(device: UInt32, bin: Int32, count: Int)] = [(0, highest, 1)]
            for device in 1...5 as ClosedRange<UInt32> {
                samples += [(device, 10, 1), (10 + device, 20, 1), (20 + device, 30, 1), (30 + device, 35, 1)]
            }
            return samples
        }
        #expect(figures(devices(40)).meanHundredths == figures(devices(900)).meanHundredths)
        #expect(figures(devices(40)).meanHundredths != nil)
        let few = figures((1...10).map { (UInt32($0), 10, 1) } + [(11, 900, 1)])
        #expect(few.steps.isEmpty && few.meanHundredths == nil)
    }

    @Test func `a bin has five devices, or half of k where that is more`() {
        #expect([5, 10, 11, 40].map { ReleaseRules(k: $0).binDevices } == [5, 5, 5, 20])
    }

    @Test func `no device speaks for more than a fifth`() {
        let low: [(device: UInt32, bin: Int32, count: Int)] = (1...10).map { (UInt32($0), 10, 1) }
        let high: [(device: UInt32, bin: Int32, count: Int)] = (11...20).map { (UInt32($0), $0 < 16 ? 500 : 900, 1) }
        let figures = figures(low + high + [(21, 500, 5_000)])
        // T = 5: 10 samples of 10, 10 of 500, and 5 above, which count as 500 in the mean.
        #expect(figures.steps == [AtomFigures.Step(bin: 10, percent: 25), AtomFigures.Step(bin: 500, percent: 75)])
        #expect(figures.meanHundredths == 30_400)
    }

    @Test func `counts are told in bands`() {
        let figures = figures((1...47).map { (UInt32($0), 10, 3) })
        #expect(figures.devices == 20 && figures.samples == 100 && figures.effectiveDevices == 20)
        #expect(CountBand.of(10) == 10...19 && CountBand.of(19) == 10...19 && CountBand.of(20) == 20...49)
        #expect(CountBand.of(99) == 50...99 && CountBand.of(100) == 100...199 && CountBand.of(1) == 1...1)
        #expect(CountBand.of(7) == 5...9 && CountBand.of(499) == 200...499 && CountBand.of(500) == 500...999)
    }

    @Test func `means have three digits`() {
        #expect(AtomFigures.rounded(123_456) == 123_000 && AtomFigures.rounded(-123_567) == -124_000)
        #expect(
            AtomFigures.rounded(999) == 999 && AtomFigures.rounded(0) == 0 && AtomFigures.rounded(-9_996) == -10_000)
    }

    @Test func `a pool counts the same whatever comes in which order`() {
        var dice = SplitMix64(seed: 4), samples: [(UInt32, Int32)] = []
        for _ in 0..<20_000 { samples.append((UInt32(dice.below(30)), Int32(dice.below(9)) - 4)) }
        var one = DevicePool(), other = DevicePool()
        for sample in samples { one.add(sample.0, bin: sample.1) }
        for sample in samples.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { other.add(sample.0, bin: sample.1) }
        one.merge()
        other.merge()
        #expect(one.entries.map(\.bits) == other.entries.map(\.bits))
        #expect(one.devices == 30 && one.entries.count == 270)
        #expect(one.entries.reduce(0) { $0 + $1.count } == 20_000)
    }
}

@Suite struct ReleasedAtomTests {
    private var atom: ReleasedAtom {
        ReleasedAtom(
            metric: 5, hour: 13, stratum: 3, cell: Quadkey(text: "1222230123012301"),
            figures: AtomFigures(
                devices: 20, samples: 100, effectiveDevices: 10, meanHundredths: -97_400,
                steps: [.init(bin: -104, percent: 25), .init(bin: -97, percent: 55)]))
    }

    private func read(_ bytes: [UInt8]) -> ReleasedAtom? { bytes.withUnsafeBytes { ReleasedAtom($0) } }

    @Test func `an atom is read as it was written, and nothing else is`() {
        var whole = atom, bare = atom
        whole.cell = nil
        (bare.figures.meanHundredths, bare.figures.steps) = (nil, [])
        for atom in [atom, whole, bare] {
            let bytes = atom.bytes
            #expect(read(bytes) == atom)
            for count in 0..<bytes.count { #expect(read(Array(bytes.prefix(count))) == nil) }
            #expect(read(bytes + [0]) == nil)
        }
        #expect(read([0, 0, 0, 21] + [UInt8](repeating: 0, count: 6)) == nil, "no such level")
        #expect(read([0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 5)) == nil, "no such cell")
    }

    @Test func `a release is always the same text`() throws {
        let head = ReleaseHead(
            releaseClass: "technology", id: "technology-qoe-62401-20260724T230000Z", programme: "qoe", network: "62401",
            fromMs: 1_784_934_000_000, toMs: 1_785_020_400_000, k: 10, trust: "trusted", binTable: 1, profile: 2,
            atoms: 1, madeAtMs: 1_785_900_000_000)
        #expect(
            String(decoding: try ReleaseText.line(of: head), as: UTF8.self) == """
                {"atoms":1,"bin_table":1,"class":"technology","from_ms":1784934000000,"id":"technology-qoe-62401-20260724T230000Z",\
                "k":10,"made_at_ms":1785900000000,"network":"62401","profile":2,"programme":"qoe","to_ms":1785020400000,\
                "trust":"trusted"}

                """)
        let line = try #require(ReleaseText(head, .qoe).line(of: atom))
        #expect(
            String(decoding: line, as: UTF8.self) == """
                {"devices":[20,49],"devices_effective":[10,19],"hour_ms":1784980800000,"mean":-97.4,"metric":"rsrp_dbm",\
                "quadkey":"1222230123012301","samples":[100,199],"steps":[[-103.1,25],[-96.1,55]],"technology":"4G"}

                """)
        var bare = atom
        bare.figures.meanHundredths = nil
        let bareLine = try #require(ReleaseText(head, .qoe).line(of: bare))
        #expect(String(decoding: bareLine, as: UTF8.self).contains(",\"mean\":null,\"metric\":"))
    }

    @Test func `decimals have no zeros at the end`() {
        let texts = [(-974, 10), (50, 10), (7, 1), (-5, 100), (0, 1_000), (123_456, 1_000)].map {
            ReleaseText.decimal(Int64($0.0), scale: Int64($0.1))
        }
        #expect(texts == ["-97.4", "5", "7", "-0.05", "0", "123.456"])
    }
}

@Suite struct DeviceClassesTests {
    private let root = [UInt8](repeating: 7, count: 32)

    @Test func `half of the devices are in final releases and a quarter in each of the others`() {
        let classes = DeviceClasses(root: root, day: 1_784_934_000)
        let counts = Dictionary(grouping: 0..<20_000 as Range<UInt32>) { classes.of($0) }.mapValues(\.count)
        #expect(abs(counts[.provisional]! - 5_000) < 300 && abs(counts[.technology]! - 5_000) < 300)
        #expect(abs(counts[.final]! - 10_000) < 400)
    }

    @Test func `classes are others each day and in each home, and the same when asked again`() {
        let day = DeviceClasses(root: root, day: 1_784_934_000), next = DeviceClasses(root: root, day: 1_785_020_400)
        let other = DeviceClasses(root: [UInt8](repeating: 8, count: 32), day: 1_784_934_000)
        let devices = 0..<1_000 as Range<UInt32>
        #expect(devices.filter { day.of($0) != next.of($0) }.count > 500)
        #expect(devices.filter { day.of($0) != other.of($0) }.count > 500)
        let again = DeviceClasses(root: root, day: 1_784_934_000)
        #expect(devices.allSatisfy { day.of($0) == again.of($0) })
    }
}
