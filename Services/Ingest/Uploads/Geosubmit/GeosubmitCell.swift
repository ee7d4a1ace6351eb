/// One element of `cellTowers`. Points into the bytes of its item.
struct GeosubmitCell {
    /// Families of radio, by what `signalStrength` and `primaryScramblingCode` mean there.
    private enum Family { case unknown, early, late }

    private var cursor: JSONCursor
    private var radioType: Range<Int>?
    private var family = Family.unknown
    private var countryCode: Range<Int>?
    private var networkCode: Range<Int>?
    private var area: Range<Int>?
    private var cell: Range<Int>?
    private var code: Range<Int>?
    private var channel: Range<Int>?
    private var signal: Range<Int>?
    /// Whether the phone was registered there.
    private(set) var isServing = false

    /// Reads the cell that stands at a place.
    ///
    /// - Throws: `JSONCursor.Malformed` if it is no object.
    init(_ bytes: UnsafeRawBufferPointer, at place: Range<Int>) throws(JSONCursor.Malformed) {
        cursor = JSONCursor(UnsafeRawBufferPointer(rebasing: bytes[place]))
        var cursor = cursor, found = self
        try cursor.members { name, value throws(JSONCursor.Malformed) in
            let place = try value.skip()
            switch JSONToken(name) {
            case "radioType": found.readType(place)
            case "mobileCountryCode": found.countryCode = found.known(place) ?? found.countryCode
            case "mobileNetworkCode": found.networkCode = found.known(place) ?? found.networkCode
            case "mobileCountryCodeStr": found.countryCode = found.countryCode ?? found.known(place)
            case "mobileNetworkCodeStr": found.networkCode = found.networkCode ?? found.known(place)
            case "locationAreaCode": found.area = place
            case "cellId": found.cell = place
            case "primaryScramblingCode": found.code = place
            case "arfcn": found.channel = place
            case "signalStrength": found.signal = place
            case "serving":
                let value = JSONToken(found.cursor.slice(place))
                found.isServing = value.is("1") || value.is("true")
            default: break
            }
        }
        self = found
    }

    /// Writes its members behind those of its item.
    func write(to rows: inout [UInt8]) {
        for (name, value) in [
            ("network_type", radioType), ("mcc", countryCode), ("mnc", networkCode), ("area_code", area),
            ("cell_id", cell), ("channel", channel),
            // A scrambling code of 3G is no physical cell identity.
            ("pci", family == .late ? code : nil),
            ("rsrp_dbm", family == .late ? signal : nil), ("rssi_dbm", family == .early ? signal : nil),
        ] { rows.append(name, value.map(cursor.slice)) }
    }

    /// Nil for null.
    private func known(_ place: Range<Int>) -> Range<Int>? {
        cursor.slice(place).first == UInt8(ascii: "n") ? nil : place
    }

    private mutating func readType(_ place: Range<Int>) {
        radioType = place
        switch JSONToken(cursor.slice(place)) {
        case "\"lte\"", "\"nr\"": family = .late
        case "\"gsm\"", "\"wcdma\"", "\"umts\"", "\"tdscdma\"": family = .early
        default: family = .unknown
        }
    }
}
