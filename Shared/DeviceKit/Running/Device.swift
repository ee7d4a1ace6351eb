internal import Dispatch
internal import Foundation

/// A phone that measures, keeps, sends and asks. An app makes one and starts it; everything else it does by itself.
///
/// Any thread: all state is touched on one queue of its own, one event after another. What a function says was kept is on the disk
/// when it returns. When the process is killed at any moment, the next one goes on where it was.
public final class Device: @unchecked Sendable {
    // Sendable: `loop`, `isStopped` and `isKeyTold` are touched on `queue` alone; the rest is constant.
    private let queue = DispatchQueue(label: "nkul.device")
    private let platform: DevicePlatform
    private var loop: DeviceLoop
    private var isStopped = false
    /// The core knows the public half of the phone's key.
    private var isKeyTold = false

    /// Opens the store; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - store: path of a file in the app's private directory; one process at a time may use it.
    ///   - key: 32 random bytes from the platform's key store, always the same.
    ///   - energy: what things cost of the battery, for the ledger.
    /// - Throws: ``DeviceStoreError``.
    public init(
        store path: String, key: [UInt8], settings: DeviceSettings, platform: DevicePlatform,
        energy: EnergyModel = EnergyModel()
    ) throws {
        self.platform = platform
        loop = try DeviceLoop(
            DeviceStore(path: path, key: key), settings, energy: energy, seed: UInt64.random(in: .min ... .max))
    }

    /// Begins; also to be called when the system gives the app time, and when the network is back.
    public func start() {
        Task {
            await tellKey()
            await post(.woke(conditions()))
        }
    }

    /// Ends, and closes the store. What is on its way is sent again after the next start.
    public func stop() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { [self] in
                if !isStopped { try? loop.store.close() }
                isStopped = true
                continuation.resume()
            }
        }
    }

    /// The person has decided what is allowed. Without `measurement` everything that is unsent is dropped.
    public func consent(_ choice: ConsentChoice) async throws { try await take(.consented(choice)) }

    /// The person has chosen which SIM cards are reported, or named the operator.
    public func choose(_ choice: SIMChoice) async throws { try await take(.simChosen(choice)) }

    /// Sends what waits for its time, as far as network, data plan and service allow: when the person opens the app.
    public func sendNow() async throws { try await take(.hurried) }

    /// The system told of a dropped call, an outage that is over, an emergency.
    public func happened(_ occurrence: Occurrence) async throws { try await take(.happened(occurrence)) }

    /// The person said how it was.
    public func rate(_ rating: Rating) async throws { try await take(.rated(rating)) }

    /// A question went away: the person closed it, or the system took it from the screen.
    public func promptGone(_ id: String, isDismissed: Bool) async throws {
        try await take(.promptGone(id: id, isDismissed: isDismissed))
    }

    /// Asks the service for something that concerns the person alone: erasure, a copy, where rewards go. Signed by the phone's key if
    /// it has one; asked a second time if the service finds the phone's clock wrong.
    ///
    /// - Throws: ``DeviceStoreError``.
    public func ask(_ wish: PersonalRequest) async throws -> PersonalAnswer {
        let answer = try await askOnce(wish)
        guard case .refused("signature_expired", _) = answer else { return answer }
        return try await askOnce(wish)
    }

    private func askOnce(_ wish: PersonalRequest) async throws -> PersonalAnswer {
        for effect in try await take(.wished(wish)) {
            guard case .ask(let request) = effect else { continue }
            let (exchange, milliseconds, path) = await exchange(request)
            try await take(.heard(wish, exchange, milliseconds: milliseconds, path: path))
            return PersonalAnswer(wish, exchange.response)
        }
        return .notEnrolled
    }

    /// How it stands.
    public var standing: DeviceStanding {
        get async {
            await withCheckedContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: DeviceStanding(loop)) }
            }
        }
    }

    /// - Returns: what followed from it, begun already but for ``DeviceEffect/ask(_:)``.
    @discardableResult
    private func take(_ event: DeviceEvent) async throws -> [DeviceEffect] {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<[DeviceEffect], any Error>) in
            queue.async { [self] in continuation.resume(with: Result { try step(event) }) }
        }
    }

    /// Before the phone can enrol, and once in a process.
    private func tellKey() async {
        let isTold = await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: isKeyTold) }
        }
        guard !isTold, let point = await platform.signingKey?.publicPoint() else { return }
        await post(.keyed(point))
    }

    /// An event of the kit's own making: where it cannot be kept, the kit looks again in a minute.
    private func post(_ event: DeviceEvent) async {
        do { try await take(event) } catch DeviceStoreError.closed {} catch { wake(after: DeviceLoop.storagePause) }
    }

    /// On the queue.
    private func step(_ event: DeviceEvent) throws -> [DeviceEffect] {
        guard !isStopped else { throw DeviceStoreError.closed }
        let effects = try loop.take(event, at: platform.clock.now)
        if case .keyed = event { isKeyTold = true }
        for effect in effects { perform(effect) }
        return effects
    }

    private func perform(_ effect: DeviceEffect) {
        switch effect {
        case .wake(let after): wake(after: after)
        case .sample(let request): Task { await post(.sampled(sample(request), conditions())) }
        case .send(let call, let request): Task { await send(call, request) }
        case .show(let prompt): Task { [screen = platform.screen] in await screen.show(prompt) }
        case .withdraw(let prompt): Task { [screen = platform.screen] in await screen.withdraw(prompt) }
        case .askForConsent: Task { [screen = platform.screen] in await screen.askForConsent() }
        // The loop has given it its bytes and made it a request.
        case .upload: break
        // Who has wished waits for the answer.
        case .ask: break
        }
    }

    private func wake(after milliseconds: Int64) {
        platform.clock.wake(after: milliseconds) { [weak self] in self?.start() }
    }

    private func send(_ call: DeviceCall, _ request: DeviceRequest) async {
        let (exchange, milliseconds, path) = await exchange(request)
        await post(.answered(call, exchange, milliseconds: milliseconds, path: path))
    }

    private func exchange(
        _ request: DeviceRequest
    ) async -> (exchange: DeviceExchange, milliseconds: Int64, path: NetworkPath) {
        let path = await platform.radio.path().path
        let signed = await signed(request)
        let begin = platform.clock.now.uptime
        let exchange = await platform.transport.send(signed)
        return (exchange, max(0, platform.clock.now.uptime - begin), path)
    }

    /// With its signature, if it is to have one. What the key store does not sign goes out as it is: the service says what it lacks.
    private func signed(_ request: DeviceRequest) async -> DeviceRequest {
        guard let created = request.signedAt, let key = platform.signingKey else { return request }
        let signature = RequestSignature(of: request, created: created)
        guard let bytes = await key.sign(signature.base) else { return request }
        var signed = request
        signed.headers.merge(signature.headers(bytes)) { _, new in new }
        return signed
    }

    private func sample(_ request: SampleRequest) async -> Sample {
        var place: PlaceReading?
        if let isPrecise = request.isPlacePrecise { place = await platform.location.place(precise: isPrecise) }
        let sims = await platform.radio.sims()
        let speed = request.testBytes > 0 ? await platform.radio.test(atMost: request.testBytes) : nil
        return Sample(sims: sims, place: place, speed: speed)
    }

    private func conditions() async -> Conditions {
        let (path, isRoaming) = await platform.radio.path()
        return Conditions(
            path: path, isRoaming: isRoaming, battery: await platform.battery.battery(),
            motion: await platform.location.motion())
    }
}
