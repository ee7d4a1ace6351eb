/// The body of a long answer, made while it is sent.
package protocol AnswerStream: Sendable {
    /// The next piece, nil after the last. Called again only when the piece before has left.
    ///
    /// - Throws: what ends the connection, so that nobody takes the answer for whole.
    func next() async throws -> [UInt8]?
}
