internal import ServiceKit

/// A call whose other errors are told as control errors.
func wrapped(
    _ answer: @escaping @Sendable (JSONValue) async throws -> JSONValue
) -> @Sendable (JSONValue) async throws -> JSONValue {
    { arguments in
        do {
            return try await answer(arguments)
        } catch let problem as Problem {
            throw ControlError(code: problem.code, message: problem.detail)
        } catch {
            throw ControlError(error)
        }
    }
}
