import Foundation
import Laboratory
import NIOCore
import Synchronization

/// Sends a stock over some connections: as fast as it is taken, or paced.
///
/// Every upload is sent until it has a receipt; its answer sends the next one, on the event loop.
final class BatchLoad: Sendable {
    struct Counts: Sendable {
        var accepted = 0
        var duplicates = 0
        var rejected = 0
        var sentAgain = 0
    }

    private struct State {
        var counts = Counts()
        var open = 0
        var problem: String?
        var finish: CheckedContinuation<Void, Never>?
    }

    private let pool: LoadPool
    private let requests: [LoadRequest]
    private let interval: Duration?
    private let next = Atomic(0)
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// - Parameter interval: between two uploads; nil: closed loop.
    init(_ stock: UploadStock, pool: LoadPool, interval: Duration? = nil) {
        requests = stock.requests
        self.pool = pool
        self.interval = interval
    }

    var current: Counts { state.withLock { $0.counts } }

    /// Whether there are uploads that were not yet begun.
    var hasMore: Bool { next.load(ordering: .relaxed) < requests.count }

    /// Begins no other upload.
    func stop() { next.store(requests.count, ordering: .relaxed) }

    /// Returns when every upload has its receipt.
    func run(connections: Int = 64) async throws -> Counts {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.open = connections
                $0.finish = continuation
            }
            for _ in 0..<connections { advance() }
        }
        if let problem = state.withLock({ $0.problem }) { throw BenchError(problem) }
        return current
    }

    /// Takes the next upload, at its time.
    private func advance() {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < requests.count, state.withLock({ $0.problem == nil }) else { return end() }
        guard let interval else { return send(requests[number]) }
        let wait = start + interval * number - .now
        guard wait > .zero else { return send(requests[number]) }
        let parts = wait.components
        pool.after(.nanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)) { [self] in
            send(requests[number])
        }
    }

    private func send(_ request: LoadRequest) {
        pool.send(request) { [self] result in
            switch result {
            case .success(let response) where response.status == 200:
                count(response)
                advance()
            case .success(let response) where response.status == 503 || response.status == 429:
                again(request, after: .milliseconds(20))
            case .failure(.connectionLost), .failure(.timedOut):
                again(request, after: .milliseconds(100))
            case .success(let response):
                fail("an upload was answered \(response.status) \(response.text)")
            case .failure(let failure):
                fail("an upload failed: \(failure)")
            }
        }
    }

    private func again(_ request: LoadRequest, after delay: TimeAmount) {
        state.withLock { $0.counts.sentAgain += 1 }
        pool.after(delay) { [self] in send(request) }
    }

    private func count(_ response: LoadResponse) {
        let (accepted, duplicates, rejected) = response.body.withUnsafeReadableBytes {
            (
                Self.number(after: "\"accepted\":", in: $0), Self.number(after: "\"duplicates\":", in: $0),
                Self.number(after: "\"rejected\":", in: $0)
            )
        }
        state.withLock {
            $0.counts.accepted += accepted
            $0.counts.duplicates += duplicates
            $0.counts.rejected += rejected
        }
    }

    private func fail(_ problem: String) {
        state.withLock { $0.problem = $0.problem ?? problem }
        end()
    }

    private func end() {
        let finish = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.open -= 1
            return state.open == 0 ? state.finish : nil
        }
        finish?.resume()
    }

    /// The number of a member of a receipt; 0 if it is not there. A plain search: a receipt is read for each upload, and
    /// the general one of the standard library took a third of the load's time.
    private static func number(after name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int {
        let length = name.utf8CodeUnitCount
        var place = 0
        while place + length < bytes.count {
            guard bytes[place] == name.utf8Start[0], memcmp(bytes.baseAddress! + place, name.utf8Start, length) == 0
            else {
                place += 1
                continue
            }
            var number = 0, digit = place + length
            while digit < bytes.count, (48...57).contains(bytes[digit]) {
                number = number * 10 + Int(bytes[digit]) - 48
                digit += 1
            }
            return number
        }
        return 0
    }
}
