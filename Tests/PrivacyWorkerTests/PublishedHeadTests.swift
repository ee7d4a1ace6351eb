import Models
import Testing

@testable import PrivacyWorker

/// Heads on the privacy lane are witnesses; one that cannot be verified is no reason to look away.
struct PublishedHeadTests {
    private let bench: PrivacyBench

    init() throws {
        bench = try PrivacyBench()
        let writer = try ConsentWriter()
        for version in 1...3 { try bench.step(writer.append([.sample(1, Int64(version), [])])) }
    }

    @Test func `a head on the lane with a bad signature is a fault`() throws {
        var head = try #require(try bench.head())
        #expect(try bench.check().fault == nil)
        head.signature[7] ^= 1
        try bench.publish(head.document)
        #expect(try bench.check().fault == .falseHead(count: 4))
    }

    @Test(arguments: ["", "00", "no digits"])
    func `a head on the lane without a signature is a fault`(signature: String) throws {
        var document = try #require(try bench.head()).document
        document.signature = signature
        try bench.publish(document)
        #expect(try bench.check().fault == .falseHead(count: 4))
    }
}
