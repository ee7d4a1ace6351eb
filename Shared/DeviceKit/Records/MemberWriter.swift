internal import Models

/// Writes the members of a record as JSON, separated by commas. What is nil is left out.
struct MemberWriter {
    private var json = JSONWriter()
    var bytes: [UInt8] { json.bytes }

    private mutating func name(_ name: StaticString) {
        if !json.bytes.isEmpty { json.raw(",") }
        json.raw("\"")
        json.raw(name)
        json.raw("\":")
    }

    mutating func add(_ name: StaticString, _ value: Int64?) {
        guard let value else { return }
        self.name(name)
        json.raw("\(value)")
    }

    /// - Parameter scale: 10 for one place after the point.
    mutating func add(_ name: StaticString, _ value: Double?, scale: Double) {
        guard let value, value.isFinite else { return }
        self.name(name)
        json.raw("\((value * scale).rounded() / scale)")
    }

    mutating func add(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        json.string(value)
    }

    /// - Parameter raw: JSON.
    mutating func add(_ name: StaticString, raw: String) {
        self.name(name)
        json.raw(raw)
    }

    mutating func add(_ name: StaticString, _ value: Bool?) {
        guard let value else { return }
        self.name(name)
        json.raw(value ? "true" : "false")
    }
}
