import Foundation
import Models
import Storage
import Testing
import Wire

@testable import SubjectRights

@Suite struct AccessPartTests {
    private let key = RecipientSeal.newKey()

    private func order(_ request: String = "r1", key: [UInt8]? = nil) throws -> AccessOrder {
        AccessOrder(
            device: 7,
            document: AccessOrderDocument(
                request: request, subject: "ab",
                publicKey: Data(try RecipientSeal.publicKey(of: key ?? self.key)).base64EncodedString(), barriers: [],
                requestedAt: 1, expiresAt: 2))
    }

    private func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what is sealed opens with the key, whole and in order`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let clear = bytes(Int(random.next() % 200_000), &random)
        let parts = try AccessPart.seal(clear, of: "sample", for: order(), from: 3, isLast: seed % 2 == 0)
        #expect(parts.map(\.document.index) == Array(3..<3 + parts.count))
        #expect(parts.dropLast().allSatisfy { !$0.document.isLast } && parts.last?.document.isLast == (seed % 2 == 0))
        #expect(parts.allSatisfy { $0.sealed.count <= AccessPart.mostSealed })
        let read = try AccessPart.all(of: AccessPart.columns(parts)).map(\.part)
        #expect(read == parts)
        #expect(try read.flatMap { try AccessPart.open($0.sealed, $0.document, with: key) } == clear)
    }

    @Test func `what deflates to next to nothing is split by what it inflates to`() throws {
        let clear = [UInt8](repeating: 32, count: 3 << 20)
        let parts = try AccessPart.seal(clear, of: "sample", for: order(), from: 1, isLast: false)
        #expect(parts.count >= 6)
        #expect(try parts.flatMap { try AccessPart.open($0.sealed, $0.document, with: key) } == clear)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a part opens with no other key, at no other place, and not with a bit changed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let part = try AccessPart.seal(bytes(100, &random), of: "sample", for: order(), from: 2, isLast: false)[0]
        let place = part.document
        for other in [
            AccessPartDocument(request: "r2", service: "sample", index: 2, isLast: false),
            AccessPartDocument(request: "r1", service: "another", index: 2, isLast: false),
            AccessPartDocument(request: "r1", service: "sample", index: 3, isLast: false),
            AccessPartDocument(request: "r1", service: "sample", index: 2, isLast: true),
        ] { #expect(throws: StorageError.self) { try AccessPart.open(part.sealed, other, with: key) } }
        #expect(throws: StorageError.self) { try AccessPart.open(part.sealed, place, with: RecipientSeal.newKey()) }
        var damaged = part.sealed
        damaged[Int(random.next() % UInt64(damaged.count))] ^= 1 << UInt8(random.next() % 8)
        #expect(throws: StorageError.self) { try AccessPart.open(damaged, place, with: key) }
        #expect(throws: StorageError.self) { try AccessPart.open(Array(part.sealed.dropLast()), place, with: key) }
    }

    @Test func `keys sort as parts are numbered, and say whose request they are of`() {
        let keys = [1, 2, 10, 99_999].map { AccessPartDocument.key("r1", "sample", $0) }
        #expect(keys == keys.sorted() && keys[0] == "r1/sample/00001")
        #expect(AccessPartDocument.request(ofKey: keys[0]) == "r1")
    }

    @Test func `a removal is told from an order`() throws {
        #expect(try AccessOrder.words(of: AccessOrder.columns([order()])) == [.ordered(order())])
        #expect(try AccessOrder.words(of: AccessPart.removals(of: ["r1"])) == [.closed("r1")])
        let mixed = try { () throws -> Columns in
            var columns = try AccessOrder.columns([order()])
            columns.append(AccessPart.removals(of: ["r2"]))
            return columns
        }()
        #expect(try AccessOrder.words(of: mixed) == [.ordered(order()), .closed("r2")])
    }
}
