internal import Models

/// UUIDs without what is known of them beforehand: RFC 9562 fixes 6 of the 128 bits of a v4 or v7, and the 48 of a v7's time
/// are those of the moment of capture, which deflate finds in another column once they are written as that is.
///
///     beside the deflated part   a v4: 15 bytes · a v7: 9 bytes · any other: 16 bytes, row after row; then the two bits that
///                                a v4 or v7 has beyond that, four rows a byte, the first in the lowest
///     in the deflated part       form u8 (4, 7: of all rows; 0: a form u8 for each row follows)
///                                zigzag varints of the times of v7s, ms, each less that of the v7 before (the first less 0)
///
/// A column of which less than half is v4 or v7 travels as `fixed16`.
enum PackedIdentifiers {
    /// What a value is.
    enum Form: UInt8 {
        case other = 0
        case v4 = 4
        case v7 = 7

        /// Bytes beside the deflated part.
        var length: Int {
            switch self {
            case .other: 16
            case .v4: 15
            case .v7: 9
            }
        }
    }

    /// Most bytes of a value in the deflated part: its form and its time.
    static let mostDeflated = 1 + Varint.maximumLength

    /// Writes what belongs into the deflated part, and moves the pointer on; it has room for a byte and
    /// ``mostDeflated`` bytes a value.
    ///
    /// - Parameter values: 16 bytes a row; those of `presence` count.
    /// - Returns: how many bytes belong beside the deflated part; nil if it is not worth it, and nothing is written.
    static func writeDeflated(
        _ values: UnsafeRawBufferPointer, _ presence: RowSet, at pointer: inout UnsafeMutablePointer<UInt8>
    ) -> Int? {
        let start = pointer
        var counts = (v4: 0, v7: 0), population = 0
        forEach(values, presence) { _, _, form in
            population += 1
            switch form {
            case .v4: counts.v4 += 1
            case .v7: counts.v7 += 1
            case .other: break
            }
        }
        let packed = counts.v4 + counts.v7
        guard packed > 0, packed * 2 >= population else { return nil }
        var out = pointer + 1
        if counts.v4 == population {
            start.pointee = Form.v4.rawValue
        } else if counts.v7 == population {
            start.pointee = Form.v7.rawValue
        } else {
            start.pointee = Form.other.rawValue
            forEach(values, presence) { _, _, form in
                out.pointee = form.rawValue
                out += 1
            }
        }
        if counts.v7 > 0 {
            var previous: Int64 = 0
            forEach(values, presence) { high, _, form in
                guard form == .v7 else { return }
                let time = Int64(high &>> 16)
                Varint.write(Varint.zigzag(time &- previous), at: &out)
                previous = time
            }
        }
        pointer = out
        return plainLength(counts.v4, counts.v7, of: population)
    }

    /// Writes what lies beside the deflated part, and moves the pointer on; it has room for as many as
    /// ``writeDeflated(_:_:at:)`` said.
    static func writePlain(
        _ values: UnsafeRawBufferPointer, _ presence: RowSet, at pointer: inout UnsafeMutablePointer<UInt8>
    ) {
        var out = UnsafeMutableRawPointer(pointer)
        forEach(values, presence) { high, low, form in
            switch form {
            case .other:
                out.storeBytes(of: high.bigEndian, as: UInt64.self)
                out.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            case .v4:
                // Six bytes before the version, the one behind it, and eight in which the variant has made room for two bits.
                out.storeBytes(of: ((high &>> 16) &<< 16 | (high & 0xFF) &<< 8).bigEndian, as: UInt64.self)
                out.storeBytes(of: joined(high, low).bigEndian, toByteOffset: 7, as: UInt64.self)
            case .v7:
                out.storeBytes(of: UInt8(truncatingIfNeeded: high), as: UInt8.self)
                out.storeBytes(of: joined(high, low).bigEndian, toByteOffset: 1, as: UInt64.self)
            }
            out += form.length
        }
        var byte: UInt8 = 0, count = 0
        forEach(values, presence) { high, _, form in
            guard form != .other else { return }
            byte |= UInt8(truncatingIfNeeded: high &>> 10 & 3) &<< UInt8(truncatingIfNeeded: 2 * (count & 3))
            count += 1
            if count & 3 == 0 {
                out.storeBytes(of: byte, as: UInt8.self)
                out += 1
                byte = 0
            }
        }
        if count & 3 != 0 {
            out.storeBytes(of: byte, as: UInt8.self)
            out += 1
        }
        pointer = out.assumingMemoryBound(to: UInt8.self)
    }

    /// The values of `presence`, 16 bytes a row and zeros elsewhere; nil if the two parts are not what was written.
    static func read(
        plain: UnsafeBufferPointer<UInt8>, deflated: UnsafeBufferPointer<UInt8>, _ presence: RowSet
    ) -> [UInt8]? {
        guard var times = deflated.baseAddress, !deflated.isEmpty, let all = Form(rawValue: times.pointee) else {
            return nil
        }
        let end = times + deflated.count, population = presence.population
        times += 1
        var forms: UnsafePointer<UInt8>?
        if all == .other {
            guard end - times >= population else { return nil }
            forms = times
            times += population
        }
        guard let counts = counts(forms, population, all), counts.v4 + counts.v7 > 0,
            plain.count == plainLength(counts.v4, counts.v7, of: population),
            forms == nil || (counts.v4 < population && counts.v7 < population)
        else { return nil }
        var values = [UInt8](repeating: 0, count: 16 * presence.count)
        let extra = plain.count - (counts.v4 + counts.v7 + 3) / 4
        let isSound = values.withUnsafeMutableBytes { target in
            unpack(UnsafeRawBufferPointer(plain), extra, presence, forms, all, &times, end, into: target)
        }
        return isSound && times == end ? values : nil
    }

    /// The version's four bits lie at 12 … 15 of the first word, the variant's two at 62 and 63 of the second.
    @inline(__always)
    private static func form(_ high: UInt64, _ low: UInt64) -> Form {
        guard low &>> 62 == 0b10 else { return .other }
        switch high &>> 12 & 0xF {
        case 4: return .v4
        case 7: return .v7
        default: return .other
        }
    }

    /// The second word, with bits 8 and 9 of the first in the place of the variant.
    @inline(__always)
    private static func joined(_ high: UInt64, _ low: UInt64) -> UInt64 {
        low & 0x3FFF_FFFF_FFFF_FFFF | (high &>> 8 & 3) &<< 62
    }

    private static func plainLength(_ v4: Int, _ v7: Int, of population: Int) -> Int {
        let packed = v4 + v7
        return v4 * Form.v4.length + v7 * Form.v7.length + (population - packed) * Form.other.length + (packed + 3) / 4
    }

    /// How many there are of each form; nil if one is not known.
    private static func counts(_ forms: UnsafePointer<UInt8>?, _ population: Int, _ all: Form) -> (v4: Int, v7: Int)? {
        guard let forms else { return all == .v4 ? (population, 0) : (0, population) }
        var counts = (v4: 0, v7: 0)
        for place in 0..<population {
            switch Form(rawValue: forms[place]) {
            case .v4: counts.v4 += 1
            case .v7: counts.v7 += 1
            case .other: break
            case nil: return nil
            }
        }
        return counts
    }

    /// Both words of each present value, and what they are.
    @inline(__always)
    private static func forEach(
        _ values: UnsafeRawBufferPointer, _ presence: RowSet, _ body: (UInt64, UInt64, Form) -> Void
    ) {
        guard let base = values.baseAddress else { return }
        for (index, word) in presence.words.enumerated() {
            var bits = word
            while bits != 0 {
                let value = base + 16 * (index &* 64 &+ bits.trailingZeroBitCount)
                let high = UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))
                let low = UInt64(bigEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                body(high, low, form(high, low))
                bits &= bits &- 1
            }
        }
    }

    /// - Parameters:
    ///   - plain: exactly as long as forms and number of values say.
    ///   - extra: where in it the bits begin that a v4 or v7 has beyond its bytes.
    /// - Returns: false if a time is none, or bits that nothing stands in are not zero.
    private static func unpack(
        _ plain: UnsafeRawBufferPointer, _ extra: Int, _ presence: RowSet, _ forms: UnsafePointer<UInt8>?, _ all: Form,
        _ times: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let source = plain.baseAddress, let target = target.baseAddress else { return false }
        var next = source, place = 0, packed = 0, time: Int64 = 0
        func bits() -> UInt8 { (source + extra + packed &>> 2).load(as: UInt8.self) &>> UInt8(2 * (packed & 3)) }
        for row in presence.rows {
            let form = forms.flatMap { Form(rawValue: $0[place]) } ?? all
            var high: UInt64, low: UInt64
            switch form {
            case .other:
                high = UInt64(bigEndian: next.loadUnaligned(as: UInt64.self))
                low = UInt64(bigEndian: next.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            case .v4:
                high = UInt64(bigEndian: next.loadUnaligned(as: UInt64.self))
                high = (high &>> 16) &<< 16 | (high &>> 8 & 0xFF)
                low = UInt64(bigEndian: next.loadUnaligned(fromByteOffset: 7, as: UInt64.self))
            case .v7:
                guard let delta = Varint.read(at: &times, end: end) else { return false }
                time = time &+ Varint.unzigzag(delta)
                guard time >= 0, time < 1 << 48 else { return false }
                high = UInt64(time) &<< 16 | UInt64(next.load(as: UInt8.self))
                low = UInt64(bigEndian: next.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
            }
            if form != .other {
                high |= UInt64(form.rawValue) &<< 12 | UInt64(bits() & 3) &<< 10 | (low &>> 62) &<< 8
                low = low & 0x3FFF_FFFF_FFFF_FFFF | 0b10 &<< 62
                packed += 1
            }
            (target + 16 * Int(row)).storeBytes(of: high.bigEndian, as: UInt64.self)
            (target + 16 * Int(row)).storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            next += form.length
            place += 1
        }
        return packed & 3 == 0 || bits() == 0
    }
}
