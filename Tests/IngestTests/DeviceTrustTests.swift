import IngestDuplicates
import Models
import Testing

@testable import IngestUploads

struct DeviceTrustTests {
    private let day: Int64 = 86_400_000

    private func trust(_ days: UInt8 = 0, isActivated: Bool = false, lastDay: UInt32 = 0) -> DeviceTrust {
        DeviceTrust(enrolledAt: Reading.now, isActivated: isActivated, daysSeen: days, lastDay: lastDay)
    }

    @Test func `a code makes level 1, seven days level 2, whichever comes first`() {
        #expect([0, 1, 6, 7].map { trust($0).level } == [0, 0, 0, 2])
        #expect([0, 1, 6, 7].map { trust($0, isActivated: true).level } == [1, 1, 1, 2])
    }

    @Test func `rows say that a device is not trusted only at level 0`() {
        let later = Reading.now + 30 * day
        #expect([0, 6, 7].map { trust($0).flags(at: later) } == [.notTrusted, .notTrusted, []])
        #expect([0, 6, 7].map { trust($0, isActivated: true).flags(at: later) } == [[], [], []])
    }

    @Test func `a device is young for 24 hours to the millisecond, trusted or not`() {
        for (age, isYoung) in [(0, true), (day - 1, true), (day, false), (day + 1, false)] {
            #expect(trust().flags(at: Reading.now + age) == (isYoung ? [.notTrusted, .young] : .notTrusted))
            #expect(trust(isActivated: true).flags(at: Reading.now + age) == (isYoung ? .young : []))
        }
        // A clock that was set back makes nobody older.
        #expect(trust().flags(at: Reading.now - 90 * day).contains(.young))
    }

    @Test func `a day is one of UTC, counts once, and no eighth one counts`() {
        let midnight = 20_371 * day
        #expect(DeviceMemory.day(midnight - 1) == 20_370 && DeviceMemory.day(midnight) == 20_371)
        #expect([20_369, 20_370, 20_371].map { trust(1, lastDay: 20_370).isNew($0) } == [false, false, true])
        #expect(trust().isNew(20_370) && trust(6, lastDay: 3).isNew(4) && !trust(7, lastDay: 3).isNew(4))
    }

    @Test func `what a device is known to be grows and never shrinks`() {
        var device = DeviceIdentity(ordinal: 1, consent: .all, consentVersion: 1)
        #expect(device.flags(at: 0) == [])
        device.learn(trust(3, lastDay: 9))
        device.learn(trust(2, lastDay: 8))
        #expect(device.trust == trust(3, lastDay: 9))
        device.learn(trust(7, lastDay: 13))
        #expect(device.flags(at: Reading.now + day) == [])
    }
}
