extension CellHistograms {
    /// In four bits: this many and more, the rest follows.
    static let longForm: UInt64 = 15

    /// The histograms as bytes:
    ///
    ///     version u8 = BinTable.version, then per bin, ascending by metric and bin:
    ///     first bin of a metric   0 · metric u8 · bin zigzag varint · count varint
    ///     next bin of the metric  one byte: gap to the bin before in the upper four bits, count in the lower; 15 in
    ///                             either stands for 15 and more, and the rest follows as a varint, that of the gap first
    ///
    /// Most bins of most cells take one byte. One pass writes it and one reads it, so that cells are added up without unfolding them.
    public func encoded() -> [UInt8] {
        var writer = CellHistogramWriter()
        for entry in entries { writer.append(entry) }
        return writer.bytes
    }

    /// Reads ``encoded()``; nil if the bytes are anything else or of another version of the bin tables.
    public static func decode(_ bytes: [UInt8]) -> CellHistograms? {
        bytes.withUnsafeBytes { decode($0) }
    }

    /// Reads ``encoded()``; nil if the bytes are anything else or of another version of the bin tables.
    public static func decode(_ bytes: ArraySlice<UInt8>) -> CellHistograms? {
        bytes.withUnsafeBytes { decode($0) }
    }

    /// Reads ``encoded()``; nil if the bytes are anything else or of another version of the bin tables.
    public static func decode(_ bytes: UnsafeRawBufferPointer) -> CellHistograms? {
        guard var reader = CellHistogramReader(bytes) else { return nil }
        var entries: [Entry] = []
        entries.reserveCapacity(bytes.count)
        while let entry = reader.next() { entries.append(entry) }
        return reader.isSound ? CellHistograms(sorted: entries) : nil
    }
}
