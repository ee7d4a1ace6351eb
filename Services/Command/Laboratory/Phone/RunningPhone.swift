import Foundation
import Models
import NkulDevice
import ServiceKit
import Synchronization
import UnixSignals

/// A phone that runs until it is told to stop or has done what was asked.
final class RunningPhone: Sendable {
    /// How a run ended.
    struct End {
        let standing: DeviceStanding
        let isInterrupted: Bool
    }

    private let device: Device
    private let handset: SimulatedHandset
    /// Records that are to be made; nil: no end.
    private let wanted: Int64?
    private let rights: PhoneRights
    private let isInterrupted = Mutex(false)
    private let isTerminal = isatty(STDERR_FILENO) == 1

    /// What the person of `nkul phone` agrees to: everything.
    static let consent = ConsentChoice(
        purposes: Set(ConsentChoice.everyPurpose), policyVersion: "1", ageBand: "18+")

    init(_ command: PhoneCommand, _ store: PhoneStore, _ transport: PhoneTransport) throws {
        wanted = command.samples.map(Int64.init)
        handset = SimulatedHandset(
            PhoneLife(
                seed: command.seed, begin: SystemTime.unixMilliseconds(), speed: command.speed,
                isAlwaysOnline: command.online), isAlive: !command.quiet)
        device = try Device(
            store: store.path, key: store.key, settings: command.settings,
            platform: DevicePlatform(
                clock: PhoneClock(), location: handset, radio: handset, battery: handset, screen: handset,
                transport: transport, signingKey: store.signingKey))
        rights = PhoneRights(device: device, copyFile: command.copy, erases: command.erase)
    }

    /// Lives. Ctrl-C and SIGTERM end it after what is being kept is on the disk.
    ///
    /// - Parameter refusal: why it can never work, if it cannot.
    func run(refusal: @Sendable () -> String?) async throws -> End {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let watch = Task { for await _ in signals { isInterrupted.withLock { $0 = true } } }
        defer { watch.cancel() }
        var standing = await device.standing
        handset.limit(wanted.map { Int(max(0, $0 - (standing.counters["made"] ?? 0))) })
        handset.tell(device)
        if !standing.isMeasuring { try await device.consent(Self.consent) }
        device.start()
        var told = ContinuousClock.now
        while !isInterrupted.withLock({ $0 }), !standing.isErased, refusal() == nil {
            try? await Task.sleep(for: .milliseconds(100))
            standing = await device.standing
            if isDone(standing) { break }
            if isComplete(standing) { try? await device.sendNow() }
            tell(standing, &told)
        }
        handset.tell(nil)
        standing = try await end(standing, isRefused: refusal() != nil)
        if isTerminal { write("\r\u{1B}[K") }
        return End(standing: standing, isInterrupted: isInterrupted.withLock { $0 } && !isDone(standing))
    }

    /// Asks for what the person wants at the end, and closes the store.
    private func end(_ standing: DeviceStanding, isRefused: Bool) async throws -> DeviceStanding {
        do {
            if !isRefused, wanted == nil || isDone(standing) { try await rights.exercise() }
        } catch {
            await device.stop()
            throw error
        }
        let last = await device.standing
        await device.stop()
        return last
    }

    /// Everything is made that is wanted.
    private func isComplete(_ standing: DeviceStanding) -> Bool {
        wanted.map { standing.counters["made"] ?? 0 >= $0 } ?? false
    }

    private func isDone(_ standing: DeviceStanding) -> Bool { isComplete(standing) && standing.unsent == 0 }

    private func tell(_ standing: DeviceStanding, _ told: inout ContinuousClock.Instant) {
        guard ContinuousClock.now - told > (isTerminal ? .milliseconds(500) : .seconds(10)) else { return }
        told = .now
        let line = PhoneSummary(standing, interrupted: false).line
        write(isTerminal ? "\r\(line)\u{1B}[K" : "phone: \(line)\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
