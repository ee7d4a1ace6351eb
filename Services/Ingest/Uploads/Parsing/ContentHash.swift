internal import Models

/// A 64-bit hash of what a record says, without its `id` and `seq` and before clock correction and consent: a record that
/// comes again has the same, whatever happened in between. Values alone count, not how they were written.
enum ContentHash {
    /// Writes a hash per row into the scratch.
    static func compute(_ scratch: RowScratch, _ table: RowTable, rows: Int) {
        let hashes = scratch.hashes
        hashes.update(repeating: UInt64(table.kind.id) &* 0x9E37_79B9_7F4A_7C15, count: rows)
        for target in table.targets where target.column != ColumnID.id && target.column != ColumnID.seq {
            let salt = UInt64(target.column) &* 0xD6E8_FEB8_6659_FD93
            let presence = scratch.presence[target.slot]
            for word in 0..<(rows + 63) / 64 {
                var bits = presence[word]
                let base = word * 64
                if bits == RowScratch.mask(word, rows: rows),
                    target.storage == .integer || target.storage == .delta
                {
                    let values = scratch.integers[target.slot]
                    for row in base..<min(base + 64, rows) {
                        hashes[row] = mix(hashes[row], UInt64(bitPattern: values[row]) ^ salt)
                    }
                    continue
                }
                while bits != 0 {
                    let row = base + bits.trailingZeroBitCount
                    bits &= bits - 1
                    hashes[row] = mix(hashes[row], value(scratch, target, row) ^ salt)
                }
            }
        }
    }

    /// One step: multiply, fold the high half down.
    static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
        let product = (hash ^ value) &* 0xFF51_AFD7_ED55_8CCD
        return product ^ product >> 32
    }

    private static func value(_ scratch: RowScratch, _ target: RowTable.Target, _ row: Int) -> UInt64 {
        switch target.storage {
        case .integer, .delta: return UInt64(bitPattern: scratch.integers[target.slot][row])
        case .fixed16:
            let bytes = UnsafeRawPointer(scratch.identifiers[target.slot] + 16 * row)
            return mix(bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        case .bytes:
            let reference = scratch.integers[target.slot][row]
            let start = Int(reference >> 32), size = Int(reference & 0xFFFF_FFFF)
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for place in start..<start + size { hash = (hash ^ UInt64(scratch.text[place])) &* 0x100_0000_01B3 }
            return hash
        }
    }
}

extension RowIdentity {
    /// Hash of an id; 64 bits of a mix of its 128.
    static func hash(_ id: RecordIdentifier) -> UInt64 {
        ContentHash.mix(ContentHash.mix(0x9E37_79B9_7F4A_7C15, id.high), id.low)
    }
}
