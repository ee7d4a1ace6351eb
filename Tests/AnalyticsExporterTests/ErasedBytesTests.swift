import Foundation
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing

/// Nothing of an erased record is left in any byte of any file, though blocks are not encrypted.
@Suite struct ErasedBytesTests {
    private static let start: Int64 = 1_772_323_200_000

    private func identifier(_ device: Int64, _ place: Int64) -> RecordIdentifier {
        // Random to the eye, so that no other bytes are like it.
        let seed = (UInt64(device) << 32 | UInt64(place)) &* 0x9E37_79B9_7F4A_7C15
        return RecordIdentifier(high: seed ^ 0x5DEE_CE66_D123_4567, low: seed &* 0xD6E8_FEB8_6659_FD93)
    }

    private func files(_ directory: TemporaryDirectory) throws -> [Data] {
        let all = FileManager.default.enumerator(atPath: directory.path)!.compactMap { $0 as? String }
        return try all.compactMap { name in
            var isDirectory: ObjCBool = false
            let path = directory.path + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue else {
                return nil
            }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }

    /// How many of the identifiers stand anywhere, by their last seven bytes, which a block has of all as they are. Not seen are
    /// those that begin on one page and end on another.
    private func found(_ ids: [RecordIdentifier], in files: [Data]) -> Int {
        let last = UInt64(0x00FF_FFFF_FFFF_FFFF).bigEndian
        let wanted = Set(ids.map { $0.low.bigEndian & last })
        var found: Set<UInt64> = []
        for file in files {
            file.withUnsafeBytes { bytes in
                for place in 0...max(0, bytes.count - 8) where place + 8 <= bytes.count {
                    let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & last
                    if wanted.contains(word) { found.insert(word) }
                }
            }
        }
        return found.count
    }

    @Test(arguments: [nil, BlockSealer(key: [UInt8](repeating: 3, count: 32))])
    func `no file has the identifiers of erased records`(sealer: BlockSealer?) throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory, sealer: sealer)
        var lane = TestLane(.batch), place: Int64 = 0, ids: [Int64: [RecordIdentifier]] = [:]
        var comments: [Int64: [String]] = [:]
        for block in 0..<150 {
            // From one row to some hundred, so that blocks of all sizes are neighbours on the pages.
            let rows = (0..<(block % 7 == 0 ? 1 : block * 13 % 140 + 1)).map { _ -> TestRow in
                place += 1
                let device = place * place % 23
                let id = identifier(device, place)
                ids[device, default: []].append(id)
                let comment = "comment \(device) of \(place)"
                comments[device, default: []].append(comment)
                return TestRow(
                    device: device, received: Self.start + place * 40_000, captured: Self.start + place * 40_000,
                    id: id,
                    values: [ColumnID.mcc: 624, ColumnID.mnc: 1, ColumnID.rsrp: -place % 1_000], comment: comment)
            }
            try exporter.take([try lane.block(rows)])
        }
        // An erasure rests while rows come.
        exporter.clock.advance(by: 2_000)
        var orders = TestOrders(), gone: [RecordIdentifier] = []
        if sealer == nil {
            #expect(found(ids[4]!, in: try files(directory)) > ids[4]!.count * 95 / 100)
        }
        for (number, device) in ids.keys.filter({ $0 != 8 }).sorted().enumerated() {
            try exporter.erase([.of(UInt64(device), request: "r\(number)")], &orders)
            gone += ids[device]!
            #expect(try exporter.worker.receipts().count == number + 1)
            #expect(found(gone, in: try files(directory)) == 0, "after device \(device)")
        }
        #expect(gone.count > 1_000)
        if sealer == nil {
            let left = ids[8]!
            #expect(found(left, in: try files(directory)) > left.count * 95 / 100)
        }
        exporter.end()
        #expect(found(gone, in: try files(directory)) == 0)
    }
}
