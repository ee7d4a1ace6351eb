internal import Foundation
internal import Models

/// The kit without threads: the core, and the store in which its changes are before its effects happen. Confined to one thread at a
/// time; ``Device`` runs it on a phone, simulations run it in virtual time.
struct DeviceLoop {
    private(set) var core: DeviceCore
    let store: DeviceStore

    /// An effect that failed for want of disk is tried again after so many milliseconds.
    static let storagePause: Int64 = 60_000
    /// Changes that plans may make for one event: a few uploads and limits.
    private static let mostPlans = 8

    /// - Throws: ``DeviceStoreError``, also if the state that is kept cannot be read.
    init(_ store: DeviceStore, _ settings: DeviceSettings, energy: EnergyModel = EnergyModel(), seed: UInt64) throws {
        self.store = store
        let state = try Self.read(DeviceState.self, store.state) ?? DeviceState()
        // A store of version 1 has both in one.
        let slow = try Self.read(SlowState.self, store.slow ?? store.state) ?? SlowState()
        core = DeviceCore(state, slow, settings, energy: energy, seed: seed)
    }

    private static func read<Value: Decodable>(_ type: Value.Type, _ kept: [UInt8]?) throws -> Value? {
        guard let kept else { return nil }
        do { return try JSONDecoder().decode(type, from: Data(kept)) } catch {
            throw DeviceStoreError.doesNotOpen("the state of the kit (\(error))")
        }
    }

    /// Takes an event; when it returns, what the event brought is on the disk.
    ///
    /// - Returns: what is to be done now, in this order.
    /// - Throws: ``DeviceStoreError``; nothing of the event happened then.
    mutating func take(_ event: DeviceEvent, at reading: ClockReading) throws -> [DeviceEffect] {
        let before = core
        do {
            let step = core.handle(event, at: reading, store.facts)
            try keep(step.changes, before)
            let effects = try step.effects.map { try filled($0) }
            return effects + plan()
        } catch {
            core = before
            throw error
        }
    }

    /// What is due now. The event is kept already: if there is no space for more, that is tried again later.
    private mutating func plan() -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        for _ in 0..<Self.mostPlans {
            let before = core
            do {
                let step = core.plan(store.facts)
                if !step.changes.isEmpty || core.state != before.state { try keep(step.changes, before) }
                effects += try step.effects.map { try filled($0) }
                guard !step.changes.isEmpty else { return effects }
            } catch {
                core = before
                return effects + [.wake(after: Self.storagePause)]
            }
        }
        return effects + [.wake(after: 1_000)]
    }

    private func keep(_ changes: [QueueChange], _ before: DeviceCore) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let isSlow = store.slow == nil || core.slow != before.slow
        try store.apply(
            changes, state: [UInt8](try encoder.encode(core.state)),
            slow: isSlow ? [UInt8](try encoder.encode(core.slow)) : nil)
    }

    /// An upload with its bytes.
    private func filled(_ effect: DeviceEffect) throws -> DeviceEffect {
        guard case .upload(let call, let slot, var request, let isMessage) = effect else { return effect }
        let body = try store.body(of: slot)
        request.body =
            isMessage ? DeviceCore.message(body, sentAt: request.headers["X-Nkul-Sent-At"] ?? "0") : body
        return .send(call, request)
    }
}
