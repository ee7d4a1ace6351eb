import Wire

@testable import Administration

/// Messages as an alert endpoint sends them.
enum TailFrames {
    static func alarm(
        _ seq: Int64, topic: String = "alerts/62401/major/1222", severity: String = "major", previous: String? = nil,
        care: String = ""
    ) throws -> TailMessage {
        let header =
            "{\"seq\":\(seq),\"time\":\"2026-01-01T00:00:00.000Z\",\"severity\":\"\(severity)\""
            + ",\"previousSeverity\":\(previous.map { "\"\($0)\"" } ?? "null")}"
        return try message(
            topic, header, "{\"specificProblem\":\"calls are dropped\",\"devices\":2,\"records\":3\(care)}")
    }

    static func message(_ topic: String, _ header: String, _ document: String) throws -> TailMessage {
        let body = try Deflater.deflate(Array(document.utf8), format: .zlib)
        guard let message = TailMessage([Array(topic.utf8), Array(header.utf8), body]) else {
            throw WireError.corrupt(what: "test message")
        }
        return message
    }
}
