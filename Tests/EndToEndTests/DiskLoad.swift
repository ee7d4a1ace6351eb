import Foundation
import PipelineTesting
import Synchronization

/// Phones that upload one after another until they are told to stop, whatever they are answered; what was acknowledged is
/// remembered by record id.
final class DiskLoad: Sendable {
    private static let rows = 20

    private struct State {
        var acknowledged: Set<String> = []
        var uploads = 0
        var refused: [String: Int] = [:]
        var faults: [String] = []
        var running = 0
    }

    private let port: Int
    private let state = Mutex(State())
    private let isStopped = Atomic(false)

    /// - Parameter port: of an ingest that has enrolled nobody yet.
    init(port: Int) { self.port = port }

    /// Ids of the records of uploads that were answered 200.
    var acknowledged: Set<String> { state.withLock { $0.acknowledged } }
    /// Uploads that were answered 200.
    var uploads: Int { state.withLock { $0.uploads } }
    /// How often each code of a 503 came.
    var refused: [String: Int] { state.withLock { $0.refused } }
    /// Answers that are neither a receipt nor a 503 with `Retry-After`.
    var faults: [String] { state.withLock { $0.faults } }

    /// Enrols a few phones and lets each upload on a thread of its own.
    func start(phones: Int = 4) throws {
        for number in 1...phones {
            let phone = try EnrolledPhone.enrolled(port: port)
            state.withLock { $0.running += 1 }
            Thread.detachNewThread { [self] in
                var seq = 1
                while !isStopped.load(ordering: .relaxed) {
                    upload(phone, number, seq)
                    seq += Self.rows
                }
                state.withLock { $0.running -= 1 }
            }
        }
    }

    /// Returns when the last upload is answered.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
        _ = becomesTrue(within: 60) { state.withLock { $0.running == 0 } }
    }

    /// Waits for more uploads to be acknowledged.
    func goesOn(by count: Int, within seconds: Double = 60) -> Bool {
        let before = uploads
        return becomesTrue(within: seconds) { uploads >= before + count }
    }

    private func upload(_ phone: EnrolledPhone, _ number: Int, _ first: Int) {
        let now = Int(Date().timeIntervalSince1970 * 1000), seqs = first..<first + Self.rows
        let rows = seqs.map { "{\"seq\":\($0),\"captured_at_ms\":\(now),\"download_kbps\":\($0)}" }
        let answer = try? HTTPExchange.send(
            "POST", "/v1/reports", port: port,
            headers: ["Content-Type": "application/json", "Authorization": "Bearer \(phone.token)"],
            body: Array("[\(rows.joined(separator: ","))]".utf8))
        // Nobody there: ingest ended, or has not begun.
        guard let answer else {
            usleep(20_000)
            return
        }
        note(answer, seqs.map { ReferenceModel.uuid(device: number, seq: $0) })
    }

    private func note(_ answer: HTTPExchange, _ ids: [String]) {
        let document = (try? JSONSerialization.jsonObject(with: Data(answer.body))) as? [String: Any]
        state.withLock { state in
            if answer.status == 200, document?["accepted"] as? Int == ids.count {
                state.uploads += 1
                state.acknowledged.formUnion(ids)
            } else if answer.status == 503, answer.headers["retry-after"] != nil,
                let code = document?["code"] as? String
            {
                state.refused[code, default: 0] += 1
            } else {
                state.faults.append("\(answer.status) \(answer.text.prefix(200))")
            }
        }
    }
}
