import Storage
import Testing

@Suite struct SealingStreamTests {
    private let key = RecipientSeal.newKey()
    private let chunks: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 5_000)]

    private func sealed() throws -> (key: [UInt8], chunks: [[UInt8]]) {
        var stream = try SealingStream(to: RecipientSeal.publicKey(of: key), purpose: "p")
        let sealed = try chunks.enumerated().map { try stream.seal($1, isLast: $0 == chunks.count - 1) }
        return (stream.encapsulatedKey, sealed)
    }

    private func opening(_ encapsulated: [UInt8], with other: [UInt8]? = nil, purpose: String = "p") throws
        -> OpeningStream
    {
        try OpeningStream(encapsulatedKey: encapsulated, with: other ?? key, purpose: purpose)
    }

    @Test func `chunks come out as they went in`() throws {
        let sealed = try sealed()
        var stream = try opening(sealed.key)
        let clear = try sealed.chunks.enumerated().map { try stream.open($1, isLast: $0 == 2) }
        #expect(clear == chunks)
        #expect(sealed.key.count == OpeningStream.encapsulatedBytes)
        #expect(zip(sealed.chunks, chunks).allSatisfy { $0.count == $1.count + SealingStream.overhead })
    }

    @Test func `a chunk opens at its place only`() throws {
        let sealed = try sealed()
        for place in 1...2 {
            var stream = try opening(sealed.key)
            #expect(throws: StorageError.self) { try stream.open(sealed.chunks[place], isLast: place == 2) }
        }
        var stream = try opening(sealed.key)
        #expect(throws: StorageError.self, "a stream that was cut") { try stream.open(sealed.chunks[0], isLast: true) }
    }

    @Test func `another key, another purpose and every changed byte are noticed`() throws {
        let sealed = try sealed()
        var other = try opening(sealed.key, with: RecipientSeal.newKey())
        #expect(throws: StorageError.self) { try other.open(sealed.chunks[0], isLast: false) }
        var purpose = try opening(sealed.key, purpose: "q")
        #expect(throws: StorageError.self) { try purpose.open(sealed.chunks[0], isLast: false) }
        for place in sealed.chunks[0].indices {
            var damaged = sealed.chunks[0]
            damaged[place] ^= 1
            var stream = try opening(sealed.key)
            #expect(throws: StorageError.self) { try stream.open(damaged, isLast: false) }
        }
    }
}
