import ArgumentParser
import Foundation
import Models
import NkulDevice
import QoE
import TemporaryFiles
import Testing

@testable import Laboratory

/// `nkul phone` without a service: what it is told, where it keeps what it records, and whom it simulates.
struct PhoneCommandTests {
    @Test(arguments: [["--samples", "0"], ["--every", "0"], ["--every", "x"], ["--speed", "-1"], ["--speed", "0"]])
    func `what cannot be is refused, with what can`(arguments: [String]) {
        #expect(throws: (any Error).self) { try PhoneCommand.parse(arguments) }
    }

    @Test func `seconds between samples are those of moving and of lying still`() throws {
        let settings = try PhoneCommand.parse(["--every", "0.5"]).settings
        #expect(settings.sampling.movingMilliseconds == 500 && settings.sampling.stillMilliseconds == 500)
        #expect(try PhoneCommand.parse([]).settings.sampling == SamplingPolicy())
    }

    @Test func `the key is made once, for its owner alone, and another length is refused`() throws {
        let directory = try TemporaryDirectory(), path = directory.path("phones/one/store.sqlite")
        let first = try PhoneStore(path: path)
        #expect(try PhoneStore(path: path).key == first.key && first.key.count == 32)
        let mode = try FileManager.default.attributesOfItem(atPath: path + ".key")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + ".key"))
        #expect(throws: (any Error).self) { try PhoneStore(path: path) }
    }

    @Test func `one seed is one person, who has so many readings`() {
        let begin: UnixMilliseconds = 1_760_000_000_000
        func readings(_ seed: UInt64) -> [SIMReading] {
            var life = PhoneLife(seed: seed, begin: begin, speed: 60, isAlwaysOnline: true)
            life.left = 10
            return (0..<40).flatMap { life.sample(at: begin + Int64($0) * 60_000).sims }
        }
        let one = readings(5)
        #expect(one == readings(5) && one != readings(6))
        #expect((10...11).contains(one.count) && one.allSatisfy { $0.mcc != nil && $0.networkType != .unknown })
    }
}
