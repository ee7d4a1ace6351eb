internal import Foundation
internal import Models
internal import ServiceKit
internal import Storage

/// A provider that pays by file: orders are collected, written into a dated file with its SHA-256, and confirmed by a file of
/// results. For operators whose airtime no API sells.
///
/// Usable from any thread; its books are written on a queue of its own.
final class PayoutFileProvider: RewardProvider {
    /// What a file of results did.
    struct Outcome: Sendable, Encodable {
        /// Rows that said something new.
        var applied = 0
        /// Rows that said what was known.
        var unchanged = 0
        /// Rows that were left out, and why.
        var problems = RowProblems()
        /// Orders of which it said something, known or new.
        var told: [PaymentReference] = []

        enum CodingKeys: String, CodingKey {
            case applied, unchanged, problems
            case problemCount = "problem_count"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(applied, forKey: .applied)
            try container.encode(unchanged, forKey: .unchanged)
            try container.encode(problems.count, forKey: .problemCount)
            try container.encode(problems.named, forKey: .problems)
        }
    }

    let name = "csv"
    private let database: ServiceDatabase
    private let store: PayoutFileStore
    private let directory: String
    private let queue = DispatchQueue(label: "reward-payout-files")

    /// - Parameters:
    ///   - database: opened with the migrations of ``PayoutFileStore``.
    ///   - directory: where files are written, 0700; made if it is missing.
    init(_ database: ServiceDatabase, _ sealer: BlockSealer, directory: String) throws {
        self.database = database
        self.directory = directory
        store = PayoutFileStore(sealer)
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ServiceError(.usage, "NKUL_REWARD_DISPATCHER_CSV_DIRECTORY: cannot make \(directory): \(error)")
        }
    }

    func pay(_ call: ProviderCall) async -> ProviderAnswer {
        guard let recipient = call.recipient else { return .notTaken("there is no number to pay to") }
        let line = PayoutLine(reference: call.reference, recipient: recipient, amount: call.amount, orderedAt: call.at)
        return await answer { [database, store] in
            try database.write { try store.add(line, $0) }
            return .accepted(call.reference.text)
        }
    }

    func ask(_ call: ProviderCall) async -> ProviderAnswer {
        await answer { [database, store] in
            guard let order = try database.read({ try store.order(call.reference, $0) }) else {
                // What was ordered after the backup is not in books that came out of it.
                return try database.read(store.isRestored)
                    ? .unknown("the books were restored from a backup") : .notFound
            }
            let note = ProviderText.masked(order.note)
            return switch order.result {
            case .paid: .confirmed(note.isEmpty ? call.reference.text : note)
            case .failed: .failed(note)
            case .rejected: .rejected(note)
            case .reversed: .reversed(note)
            case nil: .accepted(call.reference.text)
            }
        }
    }

    /// Writes all orders that are in no file into one, and what a crash has left unwritten.
    ///
    /// - Parameter day: the local day in the file's name, since 1970.
    /// - Returns: the files, in the order of their names.
    /// - Throws: `StorageError`, `ServiceError` naming the file that cannot be written; the next call writes it.
    func writeFile(day: Int64) async throws -> [PayoutFile] {
        try await onQueue { [database, store, directory] in
            _ = try database.write { try store.assign(day: day, $0) }
            let files = try database.read { try store.unwritten($0) }
            for file in files {
                let path = directory + "/" + file.name
                try SmallFile.replace(path + ".sha256", with: file.digestLine)
                try SmallFile.replace(path, with: file.text)
                try database.write { try store.forgetNumbers(of: file.name, $0) }
            }
            return files
        }
    }

    /// Takes over what a file says. A row at fault is left out and named; the others count.
    func take(_ file: ResultFile) async throws -> Outcome {
        try await onQueue { [database, store] in
            try database.write { db in
                var outcome = Outcome(problems: file.problems)
                for row in file.rows {
                    guard let order = try store.order(row.reference, db) else {
                        outcome.problems.add(row.line, "there is no order \(row.reference.text)")
                        continue
                    }
                    if let problem = order.problem(row) {
                        outcome.problems.add(row.line, problem)
                    } else if order.result == row.result {
                        outcome.unchanged += 1
                        // The grant may not have heard it: the process may have died in between.
                        outcome.told.append(row.reference)
                    } else {
                        try store.put(row.result, note: row.note, of: row.reference, db)
                        outcome.applied += 1
                        outcome.told.append(row.reference)
                    }
                }
                return outcome
            }
        }
    }

    func counts() async throws -> (unwritten: Int64, open: Int64) {
        try await onQueue { [database, store] in try database.read { try store.counts($0) } }
    }

    private func answer(_ body: @escaping @Sendable () throws -> ProviderAnswer) async -> ProviderAnswer {
        do { return try await onQueue(body) } catch { return .unknown("\(error)") }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}

extension PayoutFileProvider: ProviderBooks {
    func replace(_ references: [ReplacedReference]) throws -> Bool {
        try database.write { try store.replace(references, $0) }
        return try database.truncateLog()
    }

    /// Between two files: none is written with a number that goes.
    func withdraw(_ references: [PaymentReference]) throws {
        try queue.sync {
            try database.write { db in
                for reference in references {
                    try store.withdraw(
                        reference, isOnDisk: { FileManager.default.fileExists(atPath: directory + "/" + $0) }, db)
                }
            }
        }
    }
}

extension PayoutFileStore.Order {
    /// Why a row cannot be about the order, or cannot follow what is known of it; nil if it can.
    fileprivate func problem(_ row: ResultFile.Row) -> String? {
        guard isWritten else { return "the order is in no file yet" }
        if let amount = row.amount, amount != self.amount { return "amount_xaf is \(amount), and not \(self.amount)" }
        switch (result, row.result) {
        case (nil, _), (.paid?, .reversed), (.rejected?, .paid): return nil
        case (let known?, let said) where known == said: return nil
        case (let known?, let said): return "\(said.rawValue) cannot follow \(known.rawValue)"
        }
    }
}
