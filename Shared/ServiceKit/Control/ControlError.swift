internal import Models

/// Why a control call was not done.
///
/// The message is one sentence for a person, without a final full stop; no part of it may be a secret.
public struct ControlError: Error, Codable, Sendable, Equatable, CustomStringConvertible {
    /// What programs tell errors apart by, as `unknown_call`.
    public var code: String
    public var message: String
    /// The argument at fault, as `document.zone`; nil if it is not one.
    public var field: String?

    public init(code: String, message: String, field: String? = nil) {
        self.code = code
        self.message = message
        self.field = field
    }

    public var description: String { message }
}

/// The codes that every service uses alike.
extension ControlError {
    public static let unknownCall = "unknown_call"
    public static let malformed = "malformed_request"
    public static let tooLarge = "too_large"
    public static let badArgument = "bad_argument"
    /// What was named is not there.
    public static let notFound = "not_found"
    /// It is understood and not done, for the reason told.
    public static let refused = "refused"
    public static let busy = "busy"
    /// The journal of the lane that would tell the change is full.
    public static let journalFull = "journal_full"
    public static let stopping = "stopping"
    /// No answer in time; whether it was done is not known.
    public static let timeout = "timeout"
    /// The service does not run, or went away.
    public static let down = "service_down"
    public static let failed = "failed"

    /// An argument is wrong: `argument plmns is not a list of texts`.
    public static func argument(_ name: String, _ problem: String) -> ControlError {
        ControlError(code: badArgument, message: "argument \(name) \(problem)", field: name)
    }

    /// What was named is not there.
    public static func notFound(_ message: String) -> ControlError { ControlError(code: notFound, message: message) }

    /// It is understood and not done.
    public static func refused(_ message: String) -> ControlError { ControlError(code: refused, message: message) }

    /// Any error: a control error as it is, a refused document as a wrong argument, another one as `failed` with its description.
    public init(_ error: any Error) {
        switch error {
        case let error as ControlError: self = error
        case is CancellationError: self = ControlError(code: Self.stopping, message: "the call was given up")
        case let error as DecodingError: self = Self.argument(error)
        case let error as DocumentRefusal: self = Self.argument(error)
        default: self = ControlError(code: Self.failed, message: "\(error)")
        }
    }

    /// Names the first member of a document that is wrong as every refusal does, and the others behind it.
    private static func argument(_ refusal: DocumentRefusal) -> ControlError {
        let named = refusal.problems.map {
            (field: $0.path.isEmpty ? "document" : "document.\($0.path)", text: $0.text)
        }
        let others = named.dropFirst().map { "; \($0.field) \($0.text)" }.joined()
        return argument(named[0].field, named[0].text + others)
    }

    private static func argument(_ error: DecodingError) -> ControlError {
        func name(_ context: DecodingError.Context) -> String {
            context.codingPath.map(\.stringValue).joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, _): argument(key.stringValue, "is missing")
        case .valueNotFound(_, let context): argument(name(context), "is missing")
        case .typeMismatch(_, let context), .dataCorrupted(let context): argument(name(context), "cannot be read")
        @unknown default: ControlError(code: badArgument, message: "\(error)")
        }
    }
}
