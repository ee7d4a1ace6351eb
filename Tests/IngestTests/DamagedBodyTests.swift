import IngestUploads
import Models
import QoE
import Testing
import Wire

@Suite struct DamagedBodyTests {
    private func row(_ seq: Int) -> String { #"{"seq":\#(seq),"captured_at_ms":5,"comment":"x"}"# }

    private func seqs(_ upload: Upload) -> [Int64] {
        (0..<upload.columns.rowCount).compactMap { upload.value(ColumnID.seq, $0) }
    }

    @Test(arguments: [
        "garbage", "{garbage}", #"{"seq":9"#, #"{"seq":9}}"#, #"{"seq":9,}"#, #"{"seq" 9}"#, #"{"seq":9 "b":1}"#,
        #"{"a":[1,2}"#,
        #"{"a":{"b":[}"#, "42", "null", #""text""#, "[1,2]", #"{"a":"\q","seq":9}"#, #"{"id":"\ud800"}"#, "{1:2}", "}",
        "{", #"{"a":nul}"#,
        #"{"a":{"b":1,}}"#, #"{"a":[1 2]}"#, #"{"a":tr"ue"}"#, #"{"x":"abc,"seq":3}"#, #"{x":"abc"}"#,
    ])
    func `a row of garbage inside a good array costs only itself`(garbage: String) throws {
        let upload = try Reading.upload("[" + row(1) + "," + garbage + ",\n" + row(3) + "," + row(4) + "]")
        #expect(seqs(upload) == [1, 3, 4], "\(garbage)")
        #expect(!upload.rejections.isEmpty)
        #expect(upload.rejections.first?.row == 1)
    }

    @Test(arguments: [
        "garbage", "{garbage}", #"{"seq":9"#, "42", #"{"a":"unclosed"#, "}{", "[]", #"{"seq":9}}"#, "\u{1}",
    ])
    func aLineOfGarbageInsideGoodLinesCostsOnlyItself(garbage: String) throws {
        let upload = try Reading.upload(row(1) + "\n" + garbage + "\n" + row(3) + "\n" + row(4) + "\n")
        #expect(Set(seqs(upload)).isSuperset(of: [1, 3, 4]))
        #expect(upload.rejections.contains { $0.row >= 1 })
    }

    @Test(arguments: ["1,2,\"x", "1,2,x\"y", "1,2", "1,2,3,4", "x,5,y"])
    func `a bad line of CSV costs only itself`(garbage: String) throws {
        let upload = try Reading.upload("seq,captured_at_ms,pci\n1,5,1\n" + garbage + "\n3,5,1\n4,5,1", format: .csv)
        #expect(seqs(upload) == [1, 3, 4])
        #expect(upload.rejections.map(\.row) == [1])
    }

    @Test func `broken UTF 8 costs only its row`() throws {
        var body = Array(("[" + row(1) + #",{"seq":2,"captured_at_ms":5,"event":"no_"#).utf8)
        body += [0xC3, 0x28] + Array((#""},"# + row(3) + "]").utf8)
        let upload = try Reading.upload(body)
        #expect(seqs(upload) == [1, 3])
        #expect(upload.rejections.map(\.code) == [.badText])
        #expect(upload.rejections.map(\.field) == ["event"])
        var csv = Array("seq,captured_at_ms,network_type\n1,5,LTE\n2,5,L".utf8)
        csv += [0xFF] + Array("E\n3,5,LTE".utf8)
        let read = try Reading.upload(csv, format: .csv)
        #expect(seqs(read) == [1, 3])
        #expect(read.rejections.map(\.code) == [.badText])
    }

    @Test func `raw control characters in a text cost only their row`() throws {
        let upload = try Reading.upload(
            "[" + row(1) + ",{\"seq\":2,\"captured_at_ms\":5,\"event\":\"no\u{1}\"}," + row(3) + "]")
        #expect(seqs(upload) == [1, 3])
        #expect(upload.rejections.map(\.code) == [.badText])
    }

    @Test func `a truncated array keeps what was whole and says from where`() throws {
        let text = "[" + row(1) + "," + row(2) + "," + row(3) + "]"
        for cut in row(1).utf8.count + 1..<text.utf8.count {
            let upload = try Reading.upload(Array(text.utf8.prefix(cut)))
            let size = row(1).utf8.count
            let whole: [Int64] = [1, 2, 3].filter { (number: Int64) in cut >= Int(number) * (size + 1) }
            #expect(seqs(upload) == whole)
            #expect(upload.rejections.last?.detail.contains("damaged at byte") == true)
            #expect(upload.rowCount > upload.columns.rowCount)
        }
    }

    @Test func `deep nesting is a rejection and not a crash`() throws {
        for depth in [63, 64, 65, 1_000, 100_000] {
            let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let upload = try Reading.upload("[" + #"{"seq":1,"captured_at_ms":5,"x":\#(nested)}"# + "," + row(2) + "]")
            #expect(seqs(upload) == (depth <= 64 ? [1, 2] : [2]))
            if depth > 64 { #expect(upload.rejections.map(\.code) == [.tooDeep]) }
        }
        #expect(Reading.problem(Array(String(repeating: "[", count: 500_000).utf8))?.status == 422)
        #expect(Reading.problem(Array(String(repeating: #"{"a":"#, count: 100_000).utf8))?.status == 422)
    }

    /// Rows that are never closed, behind each of which the next one is looked for up to the end of the body: walked again for
    /// every row, these take minutes.
    @Test(.timeLimit(.minutes(1)))
    func `what a body costs is in proportion to its length`() throws {
        let rows = 9_000, size = 3_900_000
        let array = "[" + String(repeating: #"{"a":[,"#, count: rows)
        let commas = String(repeating: ",", count: size - array.utf8.count)
        #expect(Reading.problem(Array((array + commas).utf8), reader: UploadReader(.qoe))?.code == "nothing_readable")
        let line = "[" + String(repeating: "1,", count: size / rows / 2 - 1) + "\n"
        let lines = Array(String(repeating: line, count: rows).utf8)
        #expect(Reading.problem(lines, reader: UploadReader(.qoe))?.code == "nothing_readable")
        // What stands before is read, and a few such rows do not end a body.
        let some = "[" + row(1) + "," + String(repeating: #"{"a":[,"#, count: 3) + row(2) + "," + row(3) + "]"
        #expect(Set([1, 3]).isSubset(of: seqs(try Reading.upload(some))))
    }

    @Test(arguments: [
        "", " \n\t", "[]", "garbage", "nul", "\"", "[", "{", "}", "]", "[,]", "[1,2]", "\u{FEFF}", "{\"a\":NaN 1}",
        "\\",
        "\u{0}",
    ])
    func `what holds no record is 422`(text: String) {
        #expect(Reading.problem(Array(text.utf8))?.status == 422)
    }

    @Test func `a CSV without known columns is 422`() {
        #expect(Reading.problem(Array("a,b\n1,2\n".utf8), format: .csv)?.code == "no_csv_header")
        #expect(Reading.problem(Array("\r\n\r\n".utf8), format: .csv)?.code == "empty_body")
    }

    @Test func `compressed bodies that lie are problems`() throws {
        let body = Array(("[" + row(1) + "]").utf8)
        let zipped = try Deflater.deflate(body, format: .gzip)
        #expect(Reading.problem(zipped, isCompressed: true) == nil)
        #expect(Reading.problem(Array(zipped.dropLast(4)), isCompressed: true)?.code == "broken_compression")
        #expect(Reading.problem(body, isCompressed: true)?.code == "broken_compression")
        var flipped = zipped
        flipped[zipped.count / 2] ^= 0x55
        #expect(Reading.problem(flipped, isCompressed: true)?.status == 422)
        let bomb = try Deflater.deflate([UInt8](repeating: 32, count: 30_000_000), format: .gzip)
        #expect(Reading.problem(bomb, isCompressed: true)?.status == 413)
        let deflated = try Deflater.deflate(body, format: .zlib)
        #expect(Reading.problem(deflated, isCompressed: true) == nil)
    }

    @Test func `too many rows are 413 and the next upload is fine`() throws {
        let reader = UploadReader(.qoe, rowLimit: 600, inflatedLimit: 100_000, scratches: 1)
        let rows = (1...700).map(row)
        func read(_ count: Int) throws -> Upload {
            try Reading.upload(Array(("[" + rows.prefix(count).joined(separator: ",") + "]").utf8), reader: reader)
        }
        #expect(try read(600).columns.rowCount == 600)
        #expect(throws: DeviceAPIError.self) { try read(601) }
        #expect(throws: DeviceAPIError.self) { try read(700) }
        let next = try read(3)
        #expect(seqs(next) == [1, 2, 3])
        #expect(next.rejections.isEmpty)
    }

    @Test func `random bytes never crash`() throws {
        var random = SplitMix64(seed: 42)
        let seeds = [
            "[" + row(1) + "," + row(2) + "]", UploadReaderTests.full,
            "seq,captured_at_ms,id\n1,\"2\"\"\",3\r4,5,6\r\n",
        ]
        for round in 0..<20_000 {
            var bytes = Array(seeds[round % 3].utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(#"{}[]",:\0e-."#.utf8.randomElement(using: &random)!, at: place)
                default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...30, using: &random)))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            _ = Reading.problem(bytes, format: round % 3 == 2 ? .csv : .json)
        }
    }
}
