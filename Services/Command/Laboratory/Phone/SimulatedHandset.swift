import Foundation
import Models
import NkulDevice
import ServiceKit
import Synchronization

/// What a phone's system would be to the kit, with a simulated life behind it. Any thread.
final class SimulatedHandset: LocationSource, RadioSource, BatterySource, NotificationScreen {
    private let life: Mutex<PhoneLife>
    private let device: Mutex<Device?> = Mutex(nil)
    /// Whether the person is asked and things befall the phone.
    private let isAlive: Bool

    init(_ life: sending PhoneLife, isAlive: Bool) {
        self.life = Mutex(life)
        self.isAlive = isAlive
    }

    /// Lets so many readings be had from now on; nil: any number.
    func limit(_ left: Int?) { life.withLock { $0.left = left } }

    /// Whom to tell of what happens.
    func tell(_ device: Device?) { self.device.withLock { $0 = device } }

    private var now: UnixMilliseconds { SystemTime.unixMilliseconds() }

    func place(precise: Bool) async -> PlaceReading? {
        let now = now
        return life.withLock { $0.place(precise: precise, at: now) }
    }

    func motion() async -> Motion {
        let now = now
        return life.withLock { $0.motion(at: now) }
    }

    func sims() async -> [SIMReading] {
        let now = now
        let (sims, occurrence) = life.withLock { $0.sample(at: now) }
        if isAlive, let occurrence, let device = device.withLock({ $0 }) {
            // The kit keeps the sample first; what cannot be kept did not happen to it.
            Task { try? await device.happened(occurrence) }
        }
        return sims
    }

    func path() async -> (path: NetworkPath, isRoaming: Bool) {
        let now = now
        return life.withLock { $0.path(at: now) }
    }

    func test(atMost bytes: Int) async -> SpeedReading? {
        let now = now
        return life.withLock { $0.test(atMost: bytes, at: now) }
    }

    func battery() async -> BatteryReading {
        let now = now
        return life.withLock { $0.battery(at: now) }
    }

    func show(_ prompt: Prompt) async {
        let now = now
        guard let device = device.withLock({ $0 }) else { return }
        guard let answer = life.withLock({ $0.answer(at: now) }) else { return }
        try? await device.rate(Rating(stars: answer.stars, comment: answer.comment, promptID: prompt.id))
    }

    /// The question is gone from the screen.
    func withdraw(_ prompt: Prompt) async {}

    func askForConsent() async {
        FileHandle.standardError.write(
            Data("nkul phone: the service knows of no consent to measurement; nothing is measured any more\n".utf8))
    }
}
