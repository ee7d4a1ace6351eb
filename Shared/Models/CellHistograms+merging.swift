extension CellHistograms {
    /// Adds `entries`, ascending by slot, to encoded histograms and writes the sum, in one pass over both.
    ///
    /// Negative counts take samples away; bins that come to nothing are left out. Returns false, and the writer's
    /// content is worthless, if the bytes are not encoded histograms or a bin would hold less than nothing.
    public static func merge(
        _ encoded: UnsafeRawBufferPointer, adding entries: UnsafeBufferPointer<Entry>,
        into writer: inout CellHistogramWriter
    ) -> Bool {
        guard var reader = CellHistogramReader(encoded) else { return false }
        writer.begin()
        writer.reserve(bytes: encoded.count, entries: entries.count)
        var stored = reader.next()
        var index = 0
        while index < entries.count {
            var entry = entries[index]
            if let old = stored, old.slot < entry.slot {
                writer.appendReserved(old)
                stored = reader.next()
                continue
            }
            if let old = stored, old.slot == entry.slot {
                entry.count += old.count
                stored = reader.next()
            }
            index += 1
            guard entry.count >= 0 else { return false }
            if entry.count > 0 { writer.appendReserved(entry) }
        }
        while let old = stored {
            writer.appendReserved(old)
            stored = reader.next()
        }
        return reader.isSound
    }
}
