/// The document of a record of kind `erasure_subject`: what a service needs to execute an erasure. It stands beside the
/// subject's ordinal, in a row that is rewritten away when all have signed.
public struct ErasureSubjectDocument: Codable, Sendable, Equatable {
    /// Identifier of the request.
    public var request: String
    /// HMAC-SHA-256 of the device id under the suppression key, 64 hexadecimal digits: what audit and receipts name.
    public var subject: String
    public var scope: ErasureScope
    /// The last blocks of ingest's lanes that may have rows of the scope.
    public var barriers: [Position]

    public init(request: String, subject: String, scope: ErasureScope, barriers: [Position]) {
        self.request = request
        self.subject = subject
        self.scope = scope
        self.barriers = barriers
    }
}
