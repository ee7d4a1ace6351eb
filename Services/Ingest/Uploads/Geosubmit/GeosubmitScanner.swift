/// Finds the elements of `items` in a body of Geosubmit that comes in pieces, so that of a long body one element is in memory.
///
///     {"items": [ {…}, {…}, … ], …}
///
/// It follows quotes and brackets and leaves what is between them to ``GeosubmitItem``. A value; confined to who feeds it.
struct GeosubmitScanner {
    /// Bytes of an element that are kept; some hundred access points have 100 KB.
    static let mostItemBytes = 262_144

    /// What was found.
    enum Element {
        /// An object or an array, whole.
        case value(UnsafeRawBufferPointer)
        /// A number, a text or a name.
        case scalar
        /// Longer than ``mostItemBytes``.
        case tooLarge
    }

    /// Open brackets and braces around what comes.
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// The last name of the outermost object, its first bytes.
    private var name: [UInt8] = []
    private var isItems = false
    private var isInItems = false
    private var hasScalar = false
    /// The beginning of an element whose end has not come yet.
    private var carried: [UInt8] = []
    private var isTooLarge = false
    /// True once `items`, an array, has begun.
    private(set) var hasItems = false
    /// True once the outermost object has ended.
    private(set) var hasEnded = false

    /// Takes the next piece and tells `found` of each element that ends in it.
    mutating func feed<Failure: Error>(
        _ piece: UnsafeRawBufferPointer, _ found: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        var start = isInItems && depth > 2 ? 0 : piece.count
        for (place, byte) in piece.enumerated() {
            if isInText {
                passText(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): beginText()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if isInItems, depth == 3 { start = place }
                if !isInItems, depth == 2, isItems, byte == UInt8(ascii: "[") { beginItems() }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if isInItems, depth == 3 {
                    try end(piece[start...place], found)
                    start = piece.count
                }
                try close(found)
            case UInt8(ascii: ":"):
                if depth == 1 { isItems = name.elementsEqual("items".utf8) }
            case UInt8(ascii: ","): try pass(found)
            case 0x20, 0x0A, 0x0D, 0x09: break
            default: if isInItems, depth == 2 { hasScalar = true }
            }
        }
        if isInItems, depth > 2, start < piece.count { carry(piece[start...]) }
    }

    private mutating func passText(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            return
        }
        if depth == 1, name.count < 8 { name.append(byte) }
    }

    private mutating func beginText() {
        isInText = true
        if depth == 1 { name.removeAll(keepingCapacity: true) }
        if isInItems, depth == 2 { hasScalar = true }
    }

    private mutating func beginItems() {
        isInItems = true
        hasItems = true
    }

    private mutating func end<Failure: Error>(
        _ last: Slice<UnsafeRawBufferPointer>, _ found: (Element) throws(Failure) -> Void
    ) throws(Failure) {
        defer {
            carried.removeAll(keepingCapacity: true)
            isTooLarge = false
        }
        guard !isTooLarge, carried.count + last.count <= Self.mostItemBytes else { return try found(.tooLarge) }
        guard !carried.isEmpty else { return try found(.value(UnsafeRawBufferPointer(rebasing: last))) }
        carried.append(contentsOf: last)
        let result = carried.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try found(.value(bytes)) }
        }
        try result.get()
    }

    private mutating func close<Failure: Error>(_ found: (Element) throws(Failure) -> Void) throws(Failure) {
        if isInItems, depth == 2 {
            try pass(found)
            isInItems = false
            isItems = false
        }
        depth -= 1
        if depth == 0 { hasEnded = true }
    }

    /// Between two elements, or two members.
    private mutating func pass<Failure: Error>(_ found: (Element) throws(Failure) -> Void) throws(Failure) {
        if depth == 1 { isItems = false }
        guard isInItems, depth == 2, hasScalar else { return }
        hasScalar = false
        try found(.scalar)
    }

    private mutating func carry(_ rest: Slice<UnsafeRawBufferPointer>) {
        guard !isTooLarge, carried.count + rest.count <= Self.mostItemBytes else {
            isTooLarge = true
            return carried.removeAll(keepingCapacity: true)
        }
        carried.append(contentsOf: rest)
    }
}
