internal import ArgumentParser
package import Models

/// Points in time as arguments: RFC 3339.
package enum InstantArgument {
    /// Of the text in Unix milliseconds; for `transform` of an option.
    ///
    /// - Throws: `ValidationError` that names the format.
    package static func milliseconds(_ text: String) throws -> UnixMilliseconds {
        guard let milliseconds = Timestamp.milliseconds(text) else {
            throw ValidationError("expected RFC 3339, e.g. 2026-03-01T00:00:00+01:00")
        }
        return milliseconds
    }

    /// The text itself, if it is one.
    package static func text(_ text: String) throws -> String {
        _ = try milliseconds(text)
        return text
    }
}
