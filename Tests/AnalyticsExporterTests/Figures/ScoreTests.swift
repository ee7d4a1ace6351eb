import Foundation
import Testing

@testable import ExporterScores

/// Profiles of scores, at every bound of theirs.
@Suite struct ScoreTests {
    static func profile(_ name: String) throws -> ScoreProfile {
        let path =
            #filePath.components(separatedBy: "/Tests/")[0]
            + "/Services/AnalyticsExporter/Reference/scores/\(name).json"
        return try ScoreProfile([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    /// A score of values by metric, whatever the statistic.
    private func score(_ name: String, _ values: [String: Double]) throws -> Score {
        Score(try Self.profile(name)) { indicator in
            values[indicator.metric].map { MeasuredIndicator(value: $0, count: 7) }
        }
    }

    @Test(arguments: ["etsi", "crc", "rtr", "iqb", "voice_mos"])
    func `a value at a bound counts as beyond it, and one a little short does not`(name: String) throws {
        var bounds = 0
        for item in try Self.profile(name).parts.flatMap(\.items) {
            switch item.rule {
            case .linear(let bad, let good):
                let step = (good - bad) / 1_000
                #expect(item.rule.points(bad) == 0 && item.rule.points(bad - step) == 0)
                #expect(item.rule.points(good) == 100 && item.rule.points(good + step) == 100)
                #expect(item.rule.points(bad + step) > 0 && item.rule.points(good - step) < 100)
                #expect(abs(item.rule.points((bad + good) / 2) - 50) < 1e-9)
                bounds += 2
            case .atLeast(let least):
                #expect(item.rule.points(least) == 100 && item.rule.points(least - 0.001) == 0)
                bounds += 1
            case .atMost(let most):
                #expect(item.rule.points(most) == 100 && item.rule.points(most + 0.001) == 0)
                bounds += 1
            case .classes(let thresholds, let isHigherBetter):
                for (place, threshold) in thresholds.enumerated() {
                    // Where two classes share a threshold the better one counts.
                    let first = thresholds.firstIndex(of: threshold)!
                    #expect(item.rule.points(threshold) == Double(4 - first))
                    let short = threshold + (isHigherBetter ? -0.001 : 0.001)
                    let next = thresholds.lastIndex(of: threshold)! + 1
                    #expect(item.rule.points(short) == Double(4 - next), "\(item.id) \(place)")
                    bounds += 1
                }
            case .argument: break
            }
        }
        #expect(bounds == ["etsi": 18, "crc": 10, "rtr": 63, "iqb": 24, "voice_mos": 0][name])
    }

    @Test func `the best values have the best score and the worst the worst`() throws {
        let best = ["download_kbps": 1e6, "upload_kbps": 1e6, "latency_ms": 0, "jitter_ms": 0, "loss_pct": 0]
        let worst = ["download_kbps": 0.0, "upload_kbps": 0, "latency_ms": 1e4, "jitter_ms": 1e4, "loss_pct": 100]
        for name in ["etsi", "crc", "iqb"] {
            #expect(abs(try #require(try score(name, best).value) - 100) < 1e-9)
            #expect(try #require(try score(name, worst).value) == 0)
        }
        #expect(try score("rtr", best).parts.map(\.points) == Array(repeating: 4, count: 7))
        #expect(try score("rtr", worst).parts.map(\.points) == Array(repeating: 1, count: 7))
        #expect(try score("rtr", best).value == nil)
    }

    @Test func `a score is the sum that its profile says, worked out by hand`() throws {
        // CRC: 15 of 5…25 Mbit/s is 50, 7.55 of 2.6…12.5 is 50, 62.5 of 100…25 ms is 50, 25 of 50…0 is 50, 50 of 100…0 % is 50.
        let half = ["download_kbps": 15_000, "upload_kbps": 7_550, "latency_ms": 62.5, "jitter_ms": 25, "loss_pct": 50]
        #expect(abs(try #require(try score("crc", half).value) - 50) < 1e-9)
        // IQB, web: download met (3), upload not (2), latency met (4), loss not (4): 7 of 13.
        let some = ["download_kbps": 10_000.0, "upload_kbps": 9_000, "latency_ms": 100, "loss_pct": 1.1]
        let iqb = try score("iqb", some)
        #expect(abs(try #require(iqb.parts[0].points) - 700.0 / 13) < 1e-9)
        // Audio: download 4, upload 1, latency 3, not loss 4: 8 of 12.
        #expect(abs(try #require(iqb.parts[2].points) - 800.0 / 12) < 1e-9)
        // RTR, VoIP at 250 kbit/s, 60 ms: 3, 3, 2: the worst counts.
        let rtr = try score("rtr", ["download_kbps": 250, "upload_kbps": 250, "latency_ms": 60])
        #expect(rtr.parts[0].points == 2 && rtr.parts[0].items.map(\.points) == [3, 3, 2])
    }

    @Test func `the percentiles of IQB are those in the user's favour`() throws {
        for item in try Self.profile("iqb").parts.flatMap(\.items) {
            let isSpeed = item.id == "download" || item.id == "upload"
            #expect(item.indicator?.statisticName == (isSpeed ? "p95" : "p5"))
            if case .atLeast = item.rule { #expect(isSpeed) } else { #expect(!isSpeed) }
        }
    }

    @Test func `the weight of what is missing is shared, and the answer says what is missing`() throws {
        let score = try score("crc", ["download_kbps": 25_000, "latency_ms": 100])
        #expect(score.parts[0].missing == ["upload", "jitter", "loss"])
        let shares = score.parts[0].items.compactMap(\.share)
        #expect(abs(shares.reduce(0, +) - 1) < 1e-9 && abs(shares[0] - 0.375 / 0.559) < 1e-9)
        #expect(abs(try #require(score.value) - 100 * 0.375 / 0.559) < 1e-9)
        // Of ETSI's voice part nothing is measured: the data part is the whole.
        let etsi = try self.score("etsi", ["download_kbps": 1e6])
        #expect(etsi.parts[0].points == nil && etsi.parts[0].missing.count == 2 && etsi.value == 100)
        #expect(abs(etsi.parts[1].items.compactMap(\.share).reduce(0, +) - 1) < 1e-9)
        for name in ["etsi", "crc", "iqb", "rtr", "voice_mos"] { #expect(try self.score(name, [:]).value == nil) }
    }

    @Test(
        arguments: [
            (0, 0, 83.2), (177.3, 0, 94.2 - 11 - 0.024 * 177.3), (277.3, 0, 94.2 - 11 - 0.024 * 277.3 - 11),
            (100, 0.1, 94.2 - 11 - 2.4 - 40 * 0.693147180559945),
        ] as [(Double, Double, Double)])
    func `a call's opinion score follows from its rating`(delay: Double, loss: Double, rating: Double) {
        let expected = 1 + 0.035 * rating + 7e-6 * rating * (rating - 60) * (100 - rating)
        #expect(abs(VoiceQuality.meanOpinionScore(oneWayDelay: delay, loss: loss) - expected) < 1e-9)
    }

    @Test func `a hopeless call has 1, and one needs latency and loss`() throws {
        #expect(VoiceQuality.meanOpinionScore(oneWayDelay: 2_000, loss: 0.5) == 1)
        #expect(try score("voice_mos", ["latency_ms": 50]).value == nil)
        let score = try score("voice_mos", ["latency_ms": 100, "loss_pct": 10])
        #expect(score.value == VoiceQuality.meanOpinionScore(oneWayDelay: 50, loss: 0.1))
    }

    @Test func `the level of data is that of the worst criterion, and each bar is reached at its figure`() {
        #expect(DataQuality(devices: 1_000, effectiveDevices: 1_000, days: 1, cells: 1).level == 5)
        #expect(DataQuality(devices: 1_000, effectiveDevices: nil, days: 1, cells: 1).level == 1)
        for bar in DataQuality.bars {
            let at = { (devices: Int64, effective: Double, days: Double, cells: Double) in
                DataQuality(devices: devices, effectiveDevices: effective, days: days, cells: cells).level
            }
            #expect(at(bar.devices, 1e9, 1, 1) == bar.level && at(bar.devices - 1, 1e9, 1, 1) == bar.level - 1)
            #expect(at(1_000_000, bar.effectiveDevices, 1, 1) == bar.level)
            #expect(at(1_000_000, bar.effectiveDevices - 0.1, 1, 1) == bar.level - 1)
            #expect(
                at(1_000_000, 1e9, bar.days, 1) == bar.level && at(1_000_000, 1e9, bar.days - 0.01, 1) == bar.level - 1)
            #expect(
                at(1_000_000, 1e9, 1, bar.cells) == bar.level
                    && at(1_000_000, 1e9, 1, bar.cells - 0.01) == bar.level - 1)
        }
    }

    @Test(arguments: [
        #"{"id":"a","version":"1","title":"","source":"","method":"magic","scale":[0,1],"parts":[]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"weighted","scale":[1,1],"parts":[]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"weighted","scale":[0,1],"parts":[]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"weighted","scale":[0,1],"parts":[{"id":"p","items":[{"id":"i","metric":"x","statistic":"p0","linear":[0,1]}]}]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"weighted","scale":[0,1],"parts":[{"id":"p","items":[{"id":"i","linear":[1,1]}]}]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"weighted","scale":[0,1],"parts":[{"id":"p","items":[{"id":"i","at_least":1,"at_most":1}]}]}"#,
        #"{"id":"a","version":"1","title":"","source":"","method":"worst_class","scale":[1,4],"parts":[{"id":"p","items":[{"id":"i","classes":[1,2,3],"better":"higher"}]}]}"#,
    ])
    func `a profile that makes no sense is refused`(text: String) {
        #expect(throws: ScoreProfileError.self) { _ = try ScoreProfile(Array(text.utf8)) }
    }
}
