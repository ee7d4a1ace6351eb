/// How hard a table is compressed. Both give deflate (RFC 1951), which every reader reads.
public enum CompressionEffort: Sendable {
    /// Every block on its way: igzip of ISA-L, level 1. A third of the time of libdeflate's level 1, under 1 % more bytes.
    case fast
    /// Rows that are written again where there is little room: libdeflate, level 9.
    case small
}
