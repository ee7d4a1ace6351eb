import Foundation
import PipelineTesting
import ProviderEmulators
import Synchronization
import TemporaryFiles

/// Who pays in a reward test: the dispatcher's own sandbox, or an emulated provider that it calls over HTTP.
enum RewardPayer {
    case sandbox
    case emulator(EmulatedPayer)

    /// Settings of the dispatcher beside those of ``RewardFaults``.
    var settings: [String: String] {
        switch self {
        case .sandbox: [:]
        case .emulator(let payer): payer.settings
        }
    }

    /// How often each reference was paid so far.
    func payments(_ pack: ServicePack) throws -> [String: Int] {
        switch self {
        case .sandbox: try RewardBooks.sandboxPayments(pack)
        case .emulator(let payer): payer.payments
        }
    }

    /// Whether it can be asked about an order whose answer was lost. Africa's Talking knows orders by its own names alone: such
    /// a one stays unknown until somebody decides, and is never paid twice.
    var knowsOurNames: Bool {
        if case .emulator(let payer) = self { return payer.dialect != .africastalking }
        return true
    }

    func paymentCount(_ pack: ServicePack) -> Int {
        ((try? payments(pack)) ?? [:]).values.reduce(0, +)
    }
}

/// An emulated provider on a port of loopback. Three of ten of its orders are not answered, half of those after they were paid; others
/// fail, take their time or are answered with half an answer. It calls back never, once or twice, and with nonsense.
final class EmulatedPayer: Sendable {
    private let emulator: EmulatedProvider
    var dialect: EmulatedProvider.Dialect { emulator.dialect }
    private let server: EmulatorServer
    private let files: TemporaryDirectory
    private let seed: UInt64
    private let isOver = Atomic(false)
    private let answered = Mutex<[Int: Int]>([:])

    init(_ dialect: EmulatedProvider.Dialect, seed: UInt64) throws {
        self.seed = seed
        files = try TemporaryDirectory()
        var rules = EmulatedProvider.Rules()
        rules.gap = 0
        let emulator = EmulatedProvider(
            dialect, rules: rules, clock: { Int64(Date().timeIntervalSince1970 * 1_000) }
        ) { Self.fate($0, seed) }
        self.emulator = emulator
        server = try Self.waiting { try await EmulatorServer(emulator) }
        try write(
            "provider.json",
            #"""
            {"url":"http://127.0.0.1:\#(server.port)","token_url":"http://127.0.0.1:\#(server.port)",
             "operators":{"62401":"341"},"username":"nkul","environment":"sandbox"}
            """#)
        try write("secrets.json", Self.secrets(of: dialect))
    }

    private static func secrets(of dialect: EmulatedProvider.Dialect) -> String {
        switch dialect {
        case .reloadly: #"{"client_id":"i","client_secret":"s"}"#
        case .dtone: #"{"key":"k","secret":"s"}"#
        case .africastalking: #"{"api_key":"a"}"#
        case .momo: #"{"user":"u","key":"k","subscription_key":"p"}"#
        }
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: files.path(name), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: files.path(name))
    }

    private static func fate(_ order: Int, _ seed: UInt64) -> EmulatedFate {
        var random = SeededRandom(seed: seed &* 1_000 &+ UInt64(order)), fate = EmulatedFate()
        switch random.below(100) {
        case 0..<15: fate.isSilent = true
        case 15..<30:
            fate.refusal = 502
            fate.isSilent = true
        case 30..<40: fate.state = .failed
        case 40..<55: fate.delay = Int64(random.below(400))
        case 55..<60: fate.isGarbled = true
        case 60..<63: fate.refusal = 429
        default: break
        }
        return fate
    }

    /// As long as a request may be under way after its sender has died, orders that are not known yet count as not taken.
    var settings: [String: String] {
        [
            "NKUL_REWARD_DISPATCHER_PROVIDER": emulator.dialect.rawValue,
            "NKUL_REWARD_DISPATCHER_PROVIDER_FILE": files.path("provider.json"),
            "NKUL_REWARD_DISPATCHER_PROVIDER_SECRETS": files.path("secrets.json"),
            "NKUL_REWARD_DISPATCHER_CALLS_PER_SECOND": "0", "NKUL_REWARD_DISPATCHER_NUMBER_GAP_MS": "0",
            "NKUL_REWARD_DISPATCHER_CALL_TIMEOUT_MS": "500", "NKUL_REWARD_DISPATCHER_SETTLE_MS": "2000",
        ]
    }

    var payments: [String: Int] {
        emulator.books.orders.reduce(into: [:]) { $0[$1.reference, default: 0] += $1.isPaid ? 1 : 0 }
            .filter { $0.value > 0 }
    }

    /// Calls back about new orders until ``stop()``, to a path of a port of loopback; from a thread of its own.
    func callBack(to path: String, port: Int) {
        let thread = Thread { [self] in
            var random = SeededRandom(seed: seed), seen = 0
            while !isOver.load(ordering: .relaxed) {
                let orders = emulator.books.orders
                guard orders.count > seen else {
                    usleep(5_000)
                    continue
                }
                let reference = orders[seen].reference
                seen += 1
                for _ in 0..<random.below(3) { send(emulator.callback(about: reference, to: path), port) }
                if random.chance(100) {
                    send(EmulatedRequest(method: "POST", target: path, headers: [:], body: Data("{\"".utf8)), port)
                }
            }
        }
        thread.start()
    }

    /// Answers by status, of all callbacks.
    var callbacks: [Int: Int] { answered.withLock { $0 } }

    private func send(_ request: EmulatedRequest?, _ port: Int) {
        guard let request else { return }
        let answer = try? HTTPExchange.send(
            request.method, request.path, port: port, headers: request.headers, body: Array(request.body), timeout: 5)
        answered.withLock { $0[answer?.status ?? 0, default: 0] += 1 }
    }

    func stop() throws {
        isOver.store(true, ordering: .relaxed)
        try Self.waiting { [server] in try await server.stop() }
    }

    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = DispatchSemaphore(value: 0), result = Mutex<Result<Value, any Error>?>(nil)
        Task {
            do {
                let value = try await body()
                result.withLock { $0 = .success(value) }
            } catch { result.withLock { $0 = .failure(error) } }
            done.signal()
        }
        done.wait()
        return try result.withLock { try $0!.get() }
    }
}
