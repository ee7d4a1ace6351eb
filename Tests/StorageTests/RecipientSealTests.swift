import Testing

@testable import Storage

@Suite struct RecipientSealTests {
    private let clear = Array("where rewards go".utf8)

    @Test func `only the holder of the private key opens it`() throws {
        let key = RecipientSeal.newKey(), other = RecipientSeal.newKey()
        let publicKey = try RecipientSeal.publicKey(of: key)
        let sealed = try RecipientSeal.seal(clear, to: publicKey, purpose: "p", additional: [1])
        #expect(sealed.count == 65 + clear.count + 16)
        #expect(try RecipientSeal.open(sealed, with: key, purpose: "p", additional: [1]) == clear)
        #expect(throws: StorageError.self) {
            try RecipientSeal.open(sealed, with: other, purpose: "p", additional: [1])
        }
        let again = try RecipientSeal.seal(clear, to: publicKey, purpose: "p", additional: [1])
        #expect(again != sealed, "the same bytes sealed twice look alike")
    }

    @Test func `purpose, what it is bound to, and every byte must be as they were`() throws {
        let key = RecipientSeal.newKey()
        let sealed = try RecipientSeal.seal(
            clear, to: try RecipientSeal.publicKey(of: key), purpose: "p", additional: [1])
        #expect(throws: StorageError.self) { try RecipientSeal.open(sealed, with: key, purpose: "q", additional: [1]) }
        #expect(throws: StorageError.self) { try RecipientSeal.open(sealed, with: key, purpose: "p", additional: [2]) }
        for place in sealed.indices {
            var damaged = sealed
            damaged[place] ^= 1
            #expect(throws: StorageError.self, "byte \(place)") {
                try RecipientSeal.open(damaged, with: key, purpose: "p", additional: [1])
            }
        }
        #expect(throws: StorageError.self) { try RecipientSeal.open([], with: key, purpose: "p", additional: [1]) }
    }

    @Test func `what is no key is said to be none`() {
        #expect(throws: StorageError.self) { try RecipientSeal.seal(clear, to: [4, 1], purpose: "p", additional: []) }
        #expect(throws: StorageError.self) { try RecipientSeal.publicKey(of: [1, 2, 3]) }
    }
}
