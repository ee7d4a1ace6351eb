internal import Foundation
public import Storage

/// A provider that pays nobody: for demonstrations and tests. It keeps its books in a file of its own and behaves as its
/// script says.
public final class SandboxProvider: RewardProvider {
    /// What `ServiceDatabase` needs to open its books.
    public static let migrations: [Migration] = SandboxStore.migrations

    public let name = "sandbox"
    private let store: SandboxStore
    /// The books are written here: a commit blocks, and must not block the pool of tasks.
    private let queue = DispatchQueue(label: "reward-sandbox")

    /// - Parameter database: opened with ``migrations``; the sandbox's alone.
    public init(_ script: SandboxScript, database: ServiceDatabase) {
        store = SandboxStore(database: database, script: script)
    }

    public func pay(_ call: ProviderCall) async -> ProviderAnswer {
        await answer { store in
            let (fate, delay) = try store.pay(call)
            switch fate {
            case .paid: return (.confirmed("sandbox-\(call.reference.text)"), delay)
            case .failed: return (.failed("temporarily unavailable"), delay)
            case .rejected: return (.rejected("rejected by the sandbox"), delay)
            case .paidInSilence, .lostInSilence: return (nil, delay)
            }
        }
    }

    public func ask(_ call: ProviderCall) async -> ProviderAnswer {
        await answer { store in
            let (fate, known, delay) = try store.ask(call)
            switch fate {
            case .answered: return (known, delay)
            case .processing: return (.processing, delay)
            case .silence: return (nil, delay)
            }
        }
    }

    /// Decides in the books, then waits as long as the script says; without an answer until the caller has had enough.
    private func answer(
        _ decide: @escaping @Sendable (SandboxStore) throws -> (ProviderAnswer?, delay: Int64)
    ) async -> ProviderAnswer {
        let result = await withCheckedContinuation { continuation in
            queue.async { [store] in continuation.resume(returning: Result { try decide(store) }) }
        }
        do {
            let (answer, delay) = try result.get()
            try await Task.sleep(for: answer == nil ? .seconds(86_400) : .milliseconds(delay))
            return answer ?? .unknown("no answer")
        } catch is CancellationError {
            return .unknown("cancelled")
        } catch {
            return .unknown("\(error)")
        }
    }
}

extension SandboxProvider: ProviderBooks {
    public func replace(_ references: [ReplacedReference]) throws -> Bool {
        try store.replace(references)
        return try store.database.truncateLog()
    }
}
