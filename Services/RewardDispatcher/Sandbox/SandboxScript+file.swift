internal import Foundation
internal import ServiceKit

extension SandboxScript {
    /// Reads a script; nil is the one without faults.
    ///
    /// - Throws: `ServiceError` of code `usage` naming the file and what is wrong.
    public init(file: String?) throws {
        self.init()
        guard let file else { return }
        let text = try SmallFile.read(file)
        do {
            take(try JSONDecoder().decode(SandboxDocument.self, from: Data(text.utf8)))
        } catch {
            throw ServiceError(
                .usage, "NKUL_REWARD_DISPATCHER_SANDBOX: \(file) is not a script of the sandbox: \(error)")
        }
        guard isSound else {
            throw ServiceError(
                .usage,
                "NKUL_REWARD_DISPATCHER_SANDBOX: \(file): shares are 0…1 and together at most 1, delays 0…600000 ms, least first"
            )
        }
    }

    private mutating func take(_ document: SandboxDocument) {
        seed = document.seed ?? seed
        leastDelay = document.delay_ms?.least ?? 0
        mostDelay = document.delay_ms?.most ?? leastDelay
        timeoutPaid = document.pay?.timeout_paid ?? 0
        timeoutUnpaid = document.pay?.timeout_unpaid ?? 0
        error = document.pay?.error ?? 0
        rejected = document.pay?.rejected ?? 0
        askTimeout = document.ask?.timeout ?? 0
        askProcessing = document.ask?.processing ?? 0
    }
}

/// The file as it is written; names as in JSON.
private struct SandboxDocument: Decodable {
    struct Delay: Decodable {
        let least, most: Int64?
    }
    struct Pay: Decodable {
        let timeout_paid, timeout_unpaid, error, rejected: Double?
    }
    struct Ask: Decodable {
        let timeout, processing: Double?
    }
    let seed: UInt64?
    let delay_ms: Delay?
    let pay: Pay?
    let ask: Ask?
}
