internal import Foundation
internal import IngestAPI
internal import IngestCommands
internal import IngestCommit
internal import IngestSupport
internal import IngestUploads
internal import Models
internal import ServiceKit
internal import Storage

/// Copies for subscribers who asked an operator, by letter or in person.
extension IngestCalls {
    /// Bytes of a piece that travel in one reply.
    private static let readAtOnce = 256 << 10

    /// A piece of a copy.
    struct Piece: Encodable, Sendable {
        /// Base64.
        let data: String
        /// `place` and `offset` of the next piece; left out after the last.
        let place: String?
        let offset: Int?
    }

    /// Takes a wish for a copy.
    func requestAccess(_ arguments: JSONValue) async throws -> JSONValue {
        let device = try await device(arguments)
        let change = AccessChange(
            device: UInt64(device.ordinal), request: UUID().uuidString.lowercased(), key: RecipientSeal.newKey(),
            source: .operatorAdmin)
        switch await queue.ask(change) {
        case .success(let ticket):
            return try JSONValue(bytes: AccessStandingAnswer(ticket: ticket, missing: nil).body)
        case .failure(let problem): throw ControlError.refused(problem.detail ?? problem.title)
        }
    }

    /// Reads a copy that an operator asked for, piece by piece. What a device asked for is the device's.
    func readAccess(_ arguments: JSONValue) async throws -> Piece {
        let document = try await document(of: try arguments.text("request"), arguments)
        let offset = Int(try arguments.integer("offset", default: 0))
        let before = await document.place
        guard let piece = try await document.next() else { return Piece(data: "", place: nil, offset: nil) }
        guard offset <= piece.count else { throw ControlError.refused("the copy has changed; begin anew") }
        let end = min(piece.count, offset + Self.readAtOnce), isWhole = end == piece.count
        let next = await document.place
        return Piece(
            data: Data(piece[offset..<end]).base64EncodedString(), place: isWhole ? next : before,
            offset: isWhole ? nil : end)
    }

    private func document(of request: String, _ arguments: JSONValue) async throws -> AccessDocument {
        guard let ticket = try await directory.access(request), ticket.source == .operatorAdmin else {
            throw ControlError.notFound("no operator asked for a copy \"\(request.prefix(64))\"")
        }
        guard ticket.isOpen(at: clock.now()), let key = try await directory.accessKey(request) else {
            throw ControlError.refused("the copy is not kept any more; nkul admin access add asks for another")
        }
        let parts = try await copies.completeAccess(request)
        let missing = AccessDocument.givers.filter { parts[$0] == nil }
        guard missing.isEmpty else {
            throw ControlError.refused("not there yet: waits for \(missing.joined(separator: ", "))")
        }
        guard let stage = AccessStage(text: try arguments.optionalText("place") ?? "head") else {
            throw ControlError(code: ControlError.badArgument, message: "place is that of the piece before")
        }
        return AccessDocument(
            ticket, key: key, parts: parts, copies: copies, directory: directory, contact: dataContact, permit: nil,
            from: stage)
    }
}
