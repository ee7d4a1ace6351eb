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
        return writer.write(bytes: encoded.count, entries: entries.count) { pen in
            merge(&reader, entries, &pen)
        }
    }

    private static func merge(
        _ reader: inout CellHistogramReader, _ entries: UnsafeBufferPointer<Entry>, _ pen: inout CellHistogramWriter.Pen
    ) -> Bool {
        var stored = reader.next()
        for added in entries {
            var entry = added
            while let old = stored, old.slot < entry.slot {
                pen.append(old)
                stored = reader.next()
            }
            if let old = stored, old.slot == entry.slot {
                entry.count += old.count
                stored = reader.next()
            }
            guard entry.count >= 0 else { return false }
            if entry.count > 0 { pen.append(entry) }
        }
        while let old = stored {
            pen.append(old)
            stored = reader.next()
        }
        return reader.isSound
    }
}
