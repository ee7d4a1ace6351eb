/// The bounds within which a payload is believed.
///
/// They are checked before memory is taken, so that a lying length costs nothing.
public enum WireLimits {
    /// Most rows of one table that may be encoded or decoded.
    public static let rows = 65_536
    /// Most values of one table, rows × stored columns: bounds decoded integers to 32 MiB.
    public static let values = 4_194_304
    /// Most bytes of the inflated section of a payload.
    public static let rawLength = 64 << 20
    /// Most bytes of a payload.
    public static let payloadLength = 64 << 20
    /// No deflate stream inflates by more than this factor (1 032 : 1 is zlib's bound).
    static let inflationFactor = 1_032
}
