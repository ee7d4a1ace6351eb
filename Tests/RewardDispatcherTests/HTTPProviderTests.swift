import Foundation
import Models
import ProviderEmulators
import ServiceKit
import Synchronization
import TemporaryFiles
import Testing

@testable import RewardDispatcher

/// Providers over HTTP on loopback, each dialect against an emulator of it.
@Suite struct HTTPProviderTests {
    private final class Fates: Sendable {
        let next = Mutex(EmulatedFate())
        let now = Mutex<Int64>(1_000_000)
    }

    /// An emulator on a port, and the product's client of it.
    private final class Bench: Sendable {
        let emulator: EmulatedProvider
        let server: EmulatorServer
        let provider: HTTPProvider
        let fates = Fates()

        init(_ kind: EmulatedProvider.Dialect, timeout: Duration = .seconds(20), tokenUses: Int = 50) async throws {
            var rules = EmulatedProvider.Rules()
            rules.tokenUses = tokenUses
            rules.gap = 0
            emulator = EmulatedProvider(kind, rules: rules, clock: { [fates] in fates.now.withLock { $0 } }) {
                [fates] _ in fates.next.withLock { $0 }
            }
            server = try await EmulatorServer(emulator)
            provider = HTTPProvider(
                EmulatedWorldProvider.dialect(kind, url: "http://127.0.0.1:\(server.port)"),
                try HTTPTransport(timeout: timeout, authorities: nil))
        }

        func expect(_ change: (inout EmulatedFate) -> Void) {
            fates.next.withLock {
                $0 = EmulatedFate()
                change(&$0)
            }
        }

        func pass(_ milliseconds: Int64) { fates.now.withLock { $0 += milliseconds } }

        func stop() async throws {
            await provider.close()
            try await server.stop()
        }
    }

    private func call(
        _ purpose: ProviderCall.Purpose = .pay, seq: Int64 = 1, attempt: Int = 1, id: String = "",
        plmn: String = "62401"
    ) -> ProviderCall {
        let grant = GrantID(device: 1, campaign: "c", record: RecordIdentifier(device: 1, seq: seq))
        var call = ProviderCall(
            purpose: purpose, grant: grant, reference: PaymentReference(grant, attempt: attempt), device: 1, amount: 50,
            attempt: attempt, ask: purpose == .ask ? 1 : 0, at: 0, quietMilliseconds: 0)
        call.providerID = id
        call.recipient = PayoutNumber(phone: "+237670000001", operator: plmn)
        return call
    }

    /// Pays and asks until there is a word.
    private func settle(_ bench: Bench, seq: Int64 = 1, attempt: Int = 1) async -> ProviderAnswer {
        var answer = await bench.provider.pay(call(seq: seq, attempt: attempt)), id = ""
        for _ in 0..<3 {
            switch answer {
            case .accepted(let name): id = name
            case .processing, .unknown: break
            default: return answer
            }
            bench.pass(10_000)
            answer = await bench.provider.ask(call(.ask, seq: seq, attempt: attempt, id: id))
        }
        return answer
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `an order is paid once to its number, and the float is told`(kind: EmulatedProvider.Dialect) async throws {
        let bench = try await Bench(kind)
        guard case .confirmed(let id) = await settle(bench) else {
            Issue.record("\(kind) does not confirm")
            return
        }
        #expect(!id.isEmpty)
        let orders = bench.emulator.books.orders
        #expect(orders.count == 1 && orders[0].phone.hasSuffix("237670000001") && orders[0].amount == 50)
        #expect(orders[0].reference == call().reference.text)
        #expect(try await bench.provider.float() == 9_999_950)
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `what fails may be tried again, and what is taken back is not paid`(kind: EmulatedProvider.Dialect)
        async throws
    {
        let bench = try await Bench(kind)
        bench.expect { $0.state = .failed }
        guard case .failed = await settle(bench, seq: 1) else {
            Issue.record("\(kind): a failure is none")
            return
        }
        bench.expect { $0.change = (.reversed, 60_000) }
        guard case .confirmed(let id) = await settle(bench, seq: 2) else {
            Issue.record("\(kind) does not confirm")
            return
        }
        bench.pass(100_000)
        let name = kind == .africastalking ? id : kind == .reloadly ? id : ""
        switch await bench.provider.ask(call(.ask, seq: 2, id: name)) {
        case .reversed, .failed, .rejected: break
        case let other: Issue.record("\(kind): taken back, and told \(other)")
        }
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `a reference that was used is refused, and the order is not given as failed`(kind: EmulatedProvider.Dialect)
        async throws
    {
        let bench = try await Bench(kind)
        _ = await bench.provider.pay(call())
        switch await bench.provider.pay(call()) {
        case .unknown: break
        case let other: Issue.record("\(kind): a duplicate is \(other)")
        }
        #expect(bench.emulator.books.orders.count == 1 && bench.emulator.books.refusedReferences.count == 1)
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `an answer that never comes or falls over is none, one that is cut off says nothing`(
        kind: EmulatedProvider.Dialect
    ) async throws {
        let bench = try await Bench(kind, timeout: .milliseconds(300))
        let faults: [(inout EmulatedFate) -> Void] = [
            { $0.isSilent = true }, { $0.refusal = 502 }, { $0.isGarbled = true },
        ]
        for (seq, fault) in faults.enumerated() {
            bench.expect(fault)
            // MoMo has no body that could be cut off.
            if kind == .momo, seq == 2 { continue }
            let answer = await bench.provider.pay(call(seq: Int64(seq + 1)))
            switch (seq, answer) {
            case (2, .unknown), (0...1, .silent): break
            default: Issue.record("\(kind), fault \(seq): \(answer)")
            }
        }
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `what was never heard of is not found, where one can ask by reference`(kind: EmulatedProvider.Dialect)
        async throws
    {
        let bench = try await Bench(kind)
        let answer = await bench.provider.ask(call(.ask))
        if bench.provider.asking.contains(.reference) {
            #expect(answer == .notFound)
        } else {
            guard case .unknown = answer else {
                Issue.record("\(answer) is not unknown")
                return
            }
        }
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `without a connection, and when overrun, an order is not taken`(kind: EmulatedProvider.Dialect) async throws {
        let bench = try await Bench(kind)
        bench.expect { $0.refusal = 429 }
        let overrun = await bench.provider.pay(call())
        try await bench.stop()
        guard case .notTaken = overrun else {
            Issue.record("\(kind): 429 counts as more than not taken")
            return
        }
        // Nobody listens there.
        let gone = HTTPProvider(
            EmulatedWorldProvider.dialect(kind, url: "http://127.0.0.1:1"),
            try HTTPTransport(timeout: .seconds(5), authorities: nil))
        let unheard = await gone.pay(call(seq: 2))
        await gone.close()
        guard case .notTaken = unheard else {
            Issue.record("\(kind): nobody is there, and it is told \(unheard)")
            return
        }
        #expect(bench.emulator.books.orders.isEmpty)
    }

    @Test(arguments: [EmulatedProvider.Dialect.reloadly, .momo])
    func `a token is used until it is refused, and then renewed`(kind: EmulatedProvider.Dialect) async throws {
        let bench = try await Bench(kind, tokenUses: 5)
        var refused = 0
        for _ in 0..<12 {
            if await bench.provider.ask(call(.ask)) == .silent("not authorized (401)") { refused += 1 }
        }
        #expect(refused == 2 && bench.emulator.tokenCount == 2)
        try await bench.stop()
    }

    @Test(arguments: EmulatedProvider.Dialect.allCases)
    func `too little float is told as such, and the order may be given again`(kind: EmulatedProvider.Dialect)
        async throws
    {
        let bench = try await Bench(kind)
        bench.emulator.deposit(10)
        guard case .unfunded(_, let isReferenceUsed) = await settle(bench) else {
            Issue.record("\(kind): an empty float counts as something else")
            return
        }
        bench.emulator.deposit(1_000)
        let answer = await settle(bench, attempt: isReferenceUsed ? 2 : 1)
        guard case .confirmed = answer else {
            Issue.record("\(kind) does not pay once it could: \(answer)")
            return
        }
        try await bench.stop()
    }

    @Test func `what Africa's Talking says of an order that it does not take up is read by what was given before`() {
        let dialect = EmulatedWorldProvider.dialect(.africastalking, url: "http://127.0.0.1:1")
        func answer(_ purpose: ProviderCall.Purpose, _ fault: String, status: String? = nil) -> ProviderAnswer {
            let recipient: JSONValue = [
                "phoneNumber": "+237670000001", "errorMessage": .string(fault), "requestId": "None",
                "status": .string(status ?? "Failed"),
            ]
            let json: JSONValue = [
                "errorMessage": .string(status == nil ? fault : "None"),
                "responses": .array(status == nil ? [] : [recipient]),
            ]
            return dialect.answer(to: call(purpose), ProviderResponse(status: 201, json: json))
        }
        let duplicate = "A duplicate request was received within the last 5 minutes"
        for status in [nil, "Failed"] {
            // The same order again was taken up before. Another like it says nothing of this one.
            #expect(answer(.payAgain, duplicate, status: status) == .processing)
            #expect(answer(.pay, duplicate, status: status) == .unknown(duplicate))
            #expect(
                answer(.pay, "Insufficient Balance", status: status)
                    == .unfunded("Insufficient Balance", isReferenceUsed: true))
            // Nothing was left for the second; the first may have been paid.
            #expect(answer(.payAgain, "Insufficient Balance", status: status) == .unknown("Insufficient Balance"))
        }
        #expect(answer(.pay, "Invalid number", status: "Failed") == .failed("Invalid number"))
        // What was sent was sent, whatever else is said.
        #expect(answer(.pay, duplicate, status: "Sent") == .processing)
    }

    @Test func `no free words of a provider hold a number of somebody`() {
        #expect(ProviderText.masked("no account for +237 670-00.00 01, sorry") == "no account for +…, sorry")
        #expect(ProviderText.masked("237670000001") == "…" && ProviderText.masked("(670) 000 001.") == "(….")
        #expect(ProviderText.masked("code 1007001\r\nline 2") == "code 1007001 line 2")
        #expect(ProviderText.masked(String(repeating: "x", count: 500)).count == 100)
        let refused = ProviderAnswer.failed("237670000001 is barred")
        #expect(refused.masked == .failed("… is barred"))
        #expect(ProviderAnswer.accepted("237670000001").masked == .accepted("237670000001"), "a name of the provider's")
    }

    @Test func `a request is given up before its call is`() {
        #expect(HTTPTransport.timeout(within: .seconds(10)) < .seconds(10))
    }

    @Test(arguments: [EmulatedProvider.Dialect.reloadly, .dtone, .momo])
    func `a number of an operator that the provider does not serve is rejected`(kind: EmulatedProvider.Dialect)
        async throws
    {
        let bench = try await Bench(kind)
        let answer = await bench.provider.pay(call(plmn: "62402"))
        #expect(answer == .rejected("\(kind.rawValue) does not serve operator 62402"))
        #expect(bench.emulator.books.orders.isEmpty)
        try await bench.stop()
    }

    @Test func `the order that is given again under a key is refused while the key is known, and pays nothing twice`()
        async throws
    {
        let bench = try await Bench(.africastalking, timeout: .milliseconds(300))
        bench.expect { $0.isSilent = true }
        guard case .silent = await bench.provider.pay(call()) else {
            Issue.record("silence is something else")
            return
        }
        bench.expect { _ in }
        #expect(await bench.provider.pay(call(.payAgain)) == .processing)
        #expect(bench.emulator.books.orders.count == 1)
        // An order that was lost is carried out when it is given again.
        guard case .accepted = await bench.provider.pay(call(.payAgain, seq: 2)) else {
            Issue.record("a lost order is not carried out")
            return
        }
        try await bench.stop()
    }

    @Test func `the files of a provider are checked by member, and no secret is shown`() throws {
        let directory = try TemporaryDirectory()
        func write(_ name: String, _ text: String) throws -> String {
            let path = directory.path(name)
            let isMade = FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
            #expect(isMade)
            return path
        }
        func fault(_ file: String, _ secrets: String) throws -> String {
            let paths = (try write("\(UUID())", file), try write("\(UUID())", secrets))
            do {
                _ = try ProviderAccount(
                    file: paths.0, secretsFile: paths.1, standard: nil, needs: ["operators"],
                    secrets: ["key", "secret"])
                return ""
            } catch { return "\(error)" }
        }
        let good = #"{"url":"https://x.example/v1/","operators":{"62401":341,"62402":"b"}}"#
        #expect(try fault(good, #"{"key":"k","secret":"s"}"#) == "")
        #expect(try fault(#"{"url":"http://x.example","operators":{}}"#, "{}").contains("url is"))
        #expect(try fault(#"{"url":"https://x.example"}"#, "{}").contains("operators is missing"))
        #expect(try fault(#"{"url":"https://x.example","operators":{"1":"a"}}"#, "{}").contains("operators.1"))
        #expect(try fault(#"{"url":"https://x.example","operators":{},"uri":"x"}"#, "{}").contains("uri is unknown"))
        let hidden = try fault(good, #"{"key":"hush","password":"hush"}"#)
        #expect(
            hidden.contains("secret is missing") && hidden.contains("password is unknown") && !hidden.contains("hush"))
    }
}
