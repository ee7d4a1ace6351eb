import Foundation
import Models
import Testing

@testable import RewardDispatcher

/// Callbacks of the provider: a hint to ask now, and nothing else.
struct CallbackTests {
    private let start = RewardBench.start

    private func callback(_ call: ProviderCall, provider: String = "momo") -> ProviderCallbackDocument {
        ProviderCallbackDocument(provider: provider, reference: call.reference.text, providerID: nil)
    }

    private func counts(_ bench: RewardBench) -> [CallbackBook.Outcome: Int] {
        bench.reports.reduce(into: [:]) { $0.merge($1.callbacks, uniquingKeysWith: +) }
    }

    /// A bench with one order that was given and was not answered for certain.
    private func unknown(_ answer: ProviderAnswer = .unknown("timeout")) throws -> (RewardBench, ProviderCall) {
        let bench = try RewardBench(callsBack: true)
        try bench.give([Given(seq: 1)])
        try bench.tick(start)
        let pay = try #require(bench.takeCalls().first)
        bench.effects.answers.add(answer, to: pay)
        try bench.tick(start + 1)
        #expect(bench.takeCalls().isEmpty)
        return (bench, pay)
    }

    @Test func `what is unknown is asked about now, once however often the provider calls, and believed by its answer`()
        throws
    {
        let (bench, pay) = try unknown()
        // Without a call nothing is due yet.
        try bench.tick(start + 2)
        #expect(bench.takeCalls().isEmpty)
        try bench.callBack([callback(pay), callback(pay)], at: start + 3)
        try bench.callBack([callback(pay)], at: start + 3)
        try bench.tick(start + 4)
        let asks = bench.takeCalls()
        #expect(asks.map(\.purpose) == [.ask] && asks.first?.reference == pay.reference)
        try bench.callBack([callback(pay)], at: start + 5)
        try bench.tick(start + 6)
        #expect(bench.takeCalls().isEmpty, "it is being asked about")
        bench.effects.answers.add(.processing, to: asks[0])
        try bench.tick(start + 7)
        #expect(try bench.states() == [.unknown], "what the call said counts for nothing")
        #expect(counts(bench) == [.heeded: 3, .idle: 1])
    }

    @Test func `a call before the answer waits for nothing and changes nothing`() throws {
        let bench = try RewardBench(callsBack: true)
        try bench.give([Given(seq: 1)])
        try bench.tick(start)
        let pay = try #require(bench.takeCalls().first)
        try bench.callBack([callback(pay)], at: start + 1)
        try bench.tick(start + 2)
        #expect(bench.takeCalls().isEmpty && counts(bench) == [.idle: 1])
        bench.effects.answers.add(.confirmed("x"), to: pay)
        try bench.tick(start + 3)
        #expect(try bench.states() == [.confirmed])
    }

    @Test func `what is settled is asked about again, and a payment that was taken back is found out`() throws {
        let (bench, pay) = try unknown(.confirmed("x"))
        try bench.callBack([callback(pay)], at: start + 10)
        try bench.tick(start + 11)
        let ask = try #require(bench.takeCalls().first)
        bench.effects.answers.add(.reversed("no such number"), to: ask)
        try bench.tick(start + 12)
        #expect(try bench.states() == [.reversed])
    }

    @Test func `the provider's own name of an order does as well`() throws {
        let (bench, _) = try unknown(.accepted("their-7"))
        try bench.callBack([
            ProviderCallbackDocument(provider: "momo", reference: nil, providerID: "their-7"),
            ProviderCallbackDocument(provider: "momo", reference: nil, providerID: "their-8"),
        ])
        try bench.tick(start + 2)
        #expect(bench.takeCalls().map(\.providerID) == ["their-7"])
        #expect(counts(bench) == [.heeded: 1, .foreign: 1])
    }

    @Test func `references of nobody, other providers and what cannot be read are counted, and nobody is asked`() throws
    {
        let (bench, pay) = try unknown()
        let nobody = ProviderCallbackDocument(
            provider: "momo", reference: String(repeating: "a", count: 32), providerID: nil)
        let nothing = ProviderCallbackDocument(provider: "momo", reference: nil, providerID: "")
        try bench.callBack([nobody, callback(pay, provider: "dtone"), nil, nothing])
        try bench.tick(start + 2)
        #expect(bench.takeCalls().isEmpty)
        #expect(counts(bench) == [.foreign: 3, .unreadable: 1])
    }

    @Test func `an erased grant is nobody's, whoever calls about it`() throws {
        let (bench, pay) = try unknown(.confirmed("x"))
        try bench.erase(1)
        try bench.callBack([callback(pay)])
        try bench.tick(start + 2)
        #expect(bench.takeCalls().isEmpty && counts(bench) == [.foreign: 1])
    }

    @Test func `the edge is told the hash of the secret once, and that a provider before does not call any more`()
        throws
    {
        let bench = try RewardBench(callsBack: true)
        try bench.tick(start)
        let told: [CallbackSecretDocument] = try bench.told(.callbackSecret)
        #expect(told == [RewardBench.callbackSecrets.document(of: "momo")])
        let path = RewardBench.callbackSecrets.path(of: "momo"), secret = path.suffix(32)
        #expect(path.hasPrefix("/v1/callbacks/momo/") && secret.allSatisfy(\.isHexDigit))
        #expect(told[0].sha256.count == 64 && !told[0].sha256.contains(secret))
        #expect(RewardBench.callbackSecrets.path(of: "dtone").suffix(32) != secret)
        try bench.restart()
        try bench.tick(start + 1)
        let again: [CallbackSecretDocument] = try bench.told(.callbackSecret)
        #expect(again == told, "it is told once")
        try bench.restart(provider: "dtone")
        try bench.tick(start + 2)
        let all: [CallbackSecretDocument] = try bench.told(.callbackSecret)
        #expect(all.map(\.provider) == ["momo", "dtone"])
        #expect(try bench.texts("SELECT provider FROM callback_secrets") == ["dtone"])
    }
}
