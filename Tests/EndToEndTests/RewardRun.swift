import Foundation
import PipelineTesting
import TemporaryFiles

/// One short life of ingest and dispatcher: every feedback is sent five times, the provider errs, the dispatcher is killed.
struct RewardRun {
    private(set) var outcome = RewardOutcome()
    private let scripts: TemporaryDirectory
    private let pack: ServicePack
    private let dispatcher: ServiceProcess
    private let faults: RewardFaults
    private let payer: RewardPayer
    private var random: SeededRandom

    init(seed: UInt64, payer: RewardPayer = .sandbox) throws {
        faults = RewardFaults(seed: seed)
        self.payer = payer
        random = SeededRandom(seed: seed)
        scripts = try TemporaryDirectory()
        let script = scripts.path("sandbox.json")
        try faults.script.write(toFile: script, atomically: true, encoding: .utf8)
        pack = try ServicePack(faults.settings(script: script).merging(payer.settings) { $1 })
        dispatcher = pack.processes["nkul-reward-dispatcher"]!
    }

    /// Lives it, until the provider has answered about every grant.
    mutating func live(leastKills: Int) throws {
        try pack.start(["nkul-ingest", "nkul-reward-dispatcher"])
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let feedback = faults.feedback(now: now)
        let fleet = try fleet(feedback)
        if case .emulator(let payer) = payer {
            for (index, phone) in fleet.phones.enumerated() { try giveNumber(phone, "67091827\(index)") }
            payer.callBack(to: try callbackPath(), port: pack.ingestPort)
        }
        fleet.start(threads: 3, pause: 15_000)
        while !fleet.isDone || outcome.kills < leastKills { try killDispatcher() }
        if let problem = fleet.problems.first { outcome.faults.append(problem) }
        var model = ReferenceModel()
        for upload in fleet.uploads where upload.phone < 2 {
            _ = model.submit(upload.records, device: upload.phone + 1, receivedAt: now)
        }
        let deserving = RewardedFeedback.all(in: model)
        try settle(deserving)
        if case .emulator(let payer) = payer { outcome.callbacks = payer.callbacks[200, default: 0] }
        for (index, phone) in fleet.phones.enumerated() where payer.knowsOurNames {
            try compareBalance(of: phone, deserving.count { $0.device == index + 1 })
        }
    }

    /// Every upload five times, by whichever thread, in any order, half of them with the same key each time.
    private mutating func fleet(_ feedback: [[ReferenceRecord]]) throws -> PhoneFleet {
        let phones = try feedback.indices.map { phone in
            try EnrolledPhone.enrolled(port: pack.ingestPort, withholding: phone == 2 ? ["rewards"] : [])
        }
        let once = PhoneFleet.uploads(of: feedback, size: 2, seed: faults.seed)
        let uploads = (0..<5).flatMap { _ in once }.shuffled(using: &random)
        return PhoneFleet(phones: phones, uploads: uploads, port: pack.ingestPort)
    }

    private func callbackPath() throws -> String {
        try pack.answer("nkul", ["admin", "rewards", "callback"]).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Where a phone's rewards go. Taken once ingest knows the dispatcher's key.
    private func giveNumber(_ phone: EnrolledPhone, _ digits: String) throws {
        var answer: HTTPExchange?
        let isTaken = try becomesTrue(within: 60) {
            answer = try HTTPExchange.send(
                "PUT", "/v1/me/payout", port: pack.ingestPort,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(phone.token)"],
                body: Array("{\"phone\":\"+237\(digits)\",\"operator\":\"62401\"}".utf8))
            return answer?.status == 200 || answer?.status == 403
        }
        if !isTaken { throw Refused(status: answer?.status ?? 0, text: answer?.text ?? "no answer") }
    }

    private mutating func killDispatcher() throws {
        if outcome.kills.isMultiple(of: 2) {
            let before = payer.paymentCount(pack)
            _ = becomesTrue(within: 2) { payer.paymentCount(pack) > before }
        } else if let code = dispatcher.exitCode(within: Double(random.within(1...400)) / 1000) {
            outcome.faults.append(
                "the dispatcher ended by itself, exit code \(code): \(pack.output(of: dispatcher.name))")
        }
        dispatcher.kill()
        outcome.kills += 1
        let books = try RewardBooks(pack, payer)
        if let fault = books.fault { outcome.faults.append("after \(outcome.kills) kills: \(fault)") }
        outcome.unheard += books.unheard
        try dispatcher.start()
    }

    private mutating func settle(_ deserving: Set<RewardedFeedback>) throws {
        var books = try RewardBooks(pack, payer)
        _ = try becomesTrue(within: 120) {
            books = try RewardBooks(pack, payer)
            return books.isSettled(deserving.count, knowsOurNames: payer.knowsOurNames)
        }
        outcome.grants = deserving.count
        let fault = books.fault(paying: deserving, knowsOurNames: payer.knowsOurNames)
        outcome.faults += [books.fault, fault].compactMap { $0 }
    }

    /// What the subscriber is told.
    private mutating func compareBalance(of phone: EnrolledPhone, _ grants: Int) throws {
        let wanted = "\"paid_xaf\":\(50 * grants),\"pending_xaf\":0"
        var told = ""
        let isTold = try becomesTrue(within: 120) {
            told = try HTTPExchange.send(
                "GET", "/v1/me/rewards", port: pack.ingestPort, headers: ["Authorization": "Bearer \(phone.token)"]
            ).text
            return told.contains(wanted)
        }
        if !isTold { outcome.faults.append("\(phone.device) is told \(told), not \(wanted)") }
    }
}

/// What came of one life of the reward dispatcher.
struct RewardOutcome: Sendable {
    /// How often it was killed: every second time when the provider had just paid, otherwise at random.
    var kills = 0
    /// Payments that the provider had made and the dispatcher had not heard of when it was killed.
    var unheard = 0
    /// Grants that were paid in the end.
    var grants = 0
    /// Callbacks that ingest took.
    var callbacks = 0
    /// What must not be, and was.
    var faults: [String] = []
}
