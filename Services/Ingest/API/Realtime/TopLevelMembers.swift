/// Walks over the names of a JSON object's members without reading what is in them.
///
/// It only tells what the members are; text that is not JSON ends the walk somewhere and is refused by the parser.
struct TopLevelMembers {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0
    /// The text value of the member that was found last, without quotes; empty if it is none.
    private(set) var text: Slice<UnsafeRawBufferPointer>
    /// The value of the member that was found last, as it is written.
    private(set) var value: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        text = bytes[0..<0]
        value = text
    }

    /// Steps into the object; false if the text does not begin with one.
    mutating func beginObject() -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "{") else { return false }
        place += 1
        return true
    }

    /// The name of the next member, as it is written between its quotes; nil at the end.
    mutating func next() -> Slice<UnsafeRawBufferPointer>? {
        skipSpace()
        if place < bytes.count, bytes[place] == UInt8(ascii: ",") { place += 1 }
        skipSpace()
        guard let name = string() else { return nil }
        skipSpace()
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { return nil }
        place += 1
        skipSpace()
        let begin = place
        skipValue()
        value = bytes[begin..<min(place, bytes.count)]
        return name
    }

    private mutating func skipSpace() {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
    }

    /// Steps over a text in quotes; nil if there is none.
    private mutating func string() -> Slice<UnsafeRawBufferPointer>? {
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
        let begin = place + 1
        place = begin
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard place < bytes.count else { return nil }
        place += 1
        return bytes[begin..<place - 1]
    }

    private mutating func skipValue() {
        text = string() ?? bytes[0..<0]
        var depth = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                guard string() != nil else { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            place += 1
        }
    }
}
