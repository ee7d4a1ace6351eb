import Models
import Testing

struct TrustPolicyTests {
    /// What ingest notices of a device: new, new and a day old, with a code, with a code and a day old.
    private let devices: [RowFlags] = [[.notTrusted, .young], .notTrusted, .young, []]

    @Test(arguments: [
        (TrustPolicy.any, [true, true, true, true]), (.aged, [false, true, true, true]),
        (.trusted, [false, false, true, true]),
    ])
    func `a policy counts a device by its trust and its age, whatever else is noticed`(
        policy: TrustPolicy, counts: [Bool]
    ) {
        #expect(devices.map(policy.counts) == counts)
        let others: RowFlags = [.seqReused, .consentReduced, .notForOperators, .notForResearch, .notForRewards]
        #expect(devices.map { policy.counts($0.union(others)) } == counts)
    }

    @Test func `flags are bits of their own, which stored rows have`() {
        let all: [RowFlags] = [
            .seqReused, .consentReduced, .notForOperators, .notForResearch, .notForRewards, .notTrusted, .young,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64])
    }
}
