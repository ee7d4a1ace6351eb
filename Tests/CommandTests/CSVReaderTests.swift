import Laboratory
import OpenFormats
import Testing
import Wire

struct CSVReaderTests {
    private let folder = ScratchFolder()

    private func rows(_ text: String) throws -> [[String]] {
        var reader = CSVReader(try InputFile(path: folder.write("file.csv", text)))
        var row = CSVRow(), all: [[String]] = []
        while try reader.read(&row) { all.append(row.texts) }
        return all
    }

    @Test(arguments: ["a,b\nc,d\n", "a,b\r\nc,d\r\n", "a,b\rc,d", "a,b\n\n\r\nc,d"])
    func `lines end with LF, CRLF or CR, empty ones are none`(text: String) throws {
        #expect(try rows(text) == [["a", "b"], ["c", "d"]])
    }

    @Test func `U+0085 and U+2028 are text`() throws {
        #expect(try rows("a\u{85}b,c\u{2028}d\n1,2\n") == [["a\u{85}b", "c\u{2028}d"], ["1", "2"]])
    }

    @Test func `quotes hold commas, quotes and line ends`() throws {
        #expect(try rows("\"a,\"\"b\"\"\",\"c\r\nd\",\n") == [["a,\"b\"", "c\r\nd", ""]])
    }

    @Test func `a quote inside a plain cell is text`() throws {
        #expect(try rows("5\" pipe,x\n") == [["5\" pipe", "x"]])
    }

    @Test func `a quote that does not close names its line`() throws {
        #expect(
            throws: RecordingError(folder.path + "/file.csv", line: 3, "a quote that opened on line 2 does not close")
        ) {
            try rows("a,b\n1,\"2\n")
        }
    }

    @Test func `text after a closing quote names its line`() throws {
        #expect(throws: RecordingError(folder.path + "/file.csv", line: 2, "text after a closing quote")) {
            try rows("a,b\n\"1\"x,2\n")
        }
    }

    @Test func `a byte order mark is no part of the first name`() throws {
        #expect(try rows("\u{FEFF}a,b\n") == [["a", "b"]])
    }

    @Test func `gzip is told by its bytes, and its end must be there`() throws {
        let bytes = try Deflater.deflate(Array("a,b\n".utf8))
        var reader = CSVReader(try InputFile(path: folder.write("whole", bytes))), row = CSVRow()
        #expect(try reader.read(&row))
        #expect(row.texts == ["a", "b"])
        let torn = folder.write("torn", Array(bytes.dropLast(4)))
        var half = CSVReader(try InputFile(path: torn))
        #expect(throws: RecordingError.self) { while try half.read(&row) {} }
    }

    @Test func `a row has a limit`() throws {
        let long = String(repeating: "x", count: CSVReader.rowLimit + 1)
        #expect(throws: RecordingError.self) { try rows("a\n\(long)\n") }
    }

    @Test func `rows longer than a piece of the file come whole`() throws {
        let long = String(repeating: "y", count: 200_000)
        #expect(try rows("a,\(long)\nb,c\n") == [["a", long], ["b", "c"]])
    }
}
