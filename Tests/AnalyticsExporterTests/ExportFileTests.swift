import Foundation
import Models
import Storage
import TemporaryFiles
import Testing

@testable import ExporterStores

@Suite struct ExportFileTests {
    static let sealers = [nil, BlockSealer(key: [UInt8](repeating: 3, count: 32))]

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 9) } }

    private func file(
        _ directory: TemporaryDirectory, _ content: [UInt8], _ sealer: BlockSealer?, piece: Int = 10_007
    ) throws -> ExportReader {
        let path = directory.path + "/file", export = (tenant: Int64(3), hour: Int64(492_312))
        let writer = try ExportWriter(path, export, sealer)
        for start in stride(from: 0, to: content.count, by: piece) {
            try writer.append(Array(content[start..<min(start + piece, content.count)]))
        }
        try writer.finish()
        return ExportReader(path: path, export: export, sealer: sealer, length: Int64(content.count))
    }

    private func whole(_ reader: ExportReader) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < Int(reader.length) {
            let read = try #require(try reader.read(from: Int64(all.count)))
            #expect(!read.isEmpty)
            all += read
        }
        return all
    }

    @Test(arguments: sealers, [0, 1, 65_535, 65_536, 65_537, 300_000])
    func `what is written is read`(sealer: BlockSealer?, count: Int) throws {
        let directory = try TemporaryDirectory(), content = bytes(count)
        let reader = try file(directory, content, sealer)
        #expect(try whole(reader) == content)
        for offset in [0, 1, 65_535, 65_536, 65_600, 131_072] where offset < count {
            let read = try #require(try reader.read(from: Int64(offset)))
            #expect(read == Array(content[offset..<min(count, (offset / 65_536 + 1) * 65_536)]))
        }
        let mode = try FileManager.default.attributesOfItem(atPath: reader.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `others keep their part of the disk`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/file"
        let writer = try ExportWriter(path, (1, 2), nil, reserve: .max)
        try writer.append(bytes(65_535))
        #expect { try writer.append([0]) } throws: { ($0 as? StorageError)?.code == .diskFull }
        #expect(FileManager.default.contents(atPath: path)?.isEmpty == true)
    }

    @Test func `behind its end there is nothing`() throws {
        let directory = try TemporaryDirectory()
        for sealer in Self.sealers {
            let reader = try file(directory, bytes(65_536), sealer)
            for offset in [Int64(65_536), 70_000, 200_000] {
                #expect(throws: StorageError.self) { try reader.read(from: offset) }
            }
        }
    }

    @Test func `a sealed file shows nothing and opens nowhere else`() throws {
        let directory = try TemporaryDirectory(), content = [UInt8](repeating: 65, count: 200_000)
        let reader = try file(directory, content, Self.sealers[1])
        let stored = try #require(FileManager.default.contents(atPath: reader.path))
        #expect(stored.range(of: Data(repeating: 65, count: 8)) == nil)
        for export in [(tenant: Int64(4), hour: Int64(492_312)), (tenant: 3, hour: 492_313)] {
            let other = ExportReader(path: reader.path, export: export, sealer: reader.sealer, length: reader.length)
            #expect(throws: StorageError.self) { try other.read(from: 0) }
        }
        // Chunks that change places, a byte that is another, and an end that is missing.
        let size = 65_536 + BlockSealer.overhead
        var swapped = stored
        swapped.replaceSubrange(0..<size, with: stored[size..<2 * size])
        var changed = stored
        changed[size + 100] ^= 1
        for (damaged, offset) in [(swapped, 0), (changed, 65_536), (stored.dropLast(), 196_608)] {
            try Data(damaged).write(to: URL(fileURLWithPath: reader.path))
            #expect(throws: StorageError.self) { try reader.read(from: Int64(offset)) }
        }
    }

    @Test func `a file that is gone is not read`() throws {
        let directory = try TemporaryDirectory()
        let reader = try file(directory, bytes(100_000), nil)
        #expect(try reader.read(from: 0) != nil)
        try FileManager.default.removeItem(atPath: reader.path)
        #expect(try reader.read(from: 65_536) == nil)
    }
}

@Suite struct ExportSpanTests {
    @Test func `names and times belong together`() throws {
        let zone = try #require(TimeZone(identifier: "Africa/Douala"))
        let hour = ExportSpan.hour(492_326), day = ExportSpan.day(20_513)
        #expect(hour.name == "reports-2026-03-01T14.csv.gz")
        #expect(hour.time(in: zone) == 1_772_373_600_000..<1_772_377_200_000)
        #expect(day.name == "reports-2026-03-01.csv.gz")
        #expect(day.time(in: zone) == 1_772_323_200_000..<1_772_409_600_000)
        #expect(day.hours.contains(hour.start))
        for number in stride(from: Int64(491_000), to: 493_000, by: 7) {
            for content in ExportSpan.Content.allCases {
                #expect(ExportSpan(name: ExportSpan.hour(number, of: content).name) == .hour(number, of: content))
                #expect(
                    ExportSpan(name: ExportSpan.day(number / 24, of: content).name) == .day(number / 24, of: content))
            }
        }
    }

    @Test func `days of statistics are local ones, whatever their length`() throws {
        let paris = try #require(TimeZone(identifier: "Europe/Paris"))
        // 2026-03-28 to 2026-03-30 in Paris, the second of 23 hours; and 2026-10-25 of 25.
        for (day, begin, hours) in [
            (20_540, 1_774_652_400, 24), (20_541, 1_774_738_800, 23), (20_542, 1_774_821_600, 24),
            (20_751, 1_792_879_200, 25),
        ] as [(Int64, Int64, Int64)] {
            let span = ExportSpan.day(day, of: .statistics)
            #expect(span.time(in: paris) == begin * 1_000..<(begin + hours * 3_600) * 1_000)
            #expect(ExportSpan(.day, begin: begin, in: paris) == span)
        }
        #expect(ExportSpan.day(20_540, of: .statistics).name == "statistics-2026-03-28.csv.gz")
        #expect(ExportSpan(.fiveMinutes, begin: 1_774_652_400, in: paris) == nil)
        let spans = [ExportSpan.hour(480), .day(20), .hour(480, of: .statistics), .day(20, of: .statistics)]
        // An hour and its day of raw rows have one file.
        #expect(Set(spans.map(\.binding)).count == 3)
    }

    @Test(arguments: [
        "", "reports-.csv.gz", "reports-2026-03-01T24.csv.gz", "reports-2026-03-01T4.csv.gz",
        "reports-2026-13-01.csv.gz",
        "reports-2026-02-30.csv.gz", "reports-2026-03-01T14T00.csv.gz", "reports-2026-03-01T14.csv",
        "statistics-2026-02-30.csv.gz", "figures-2026-03-01.csv.gz", "statistics2026-03-01.csv.gz",
        "reports-2026-03-01T+4.csv.gz", "../reports-2026-03-01.csv.gz", "reports-2026-03-01T.csv.gz",
    ])
    func `nothing else is a name`(text: String) { #expect(ExportSpan(name: text) == nil) }
}
