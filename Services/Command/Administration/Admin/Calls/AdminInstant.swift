import ArgumentParser
import Models

/// A point in time as an argument: RFC 3339.
struct AdminInstant: ExpressibleByArgument, Sendable {
    let milliseconds: UnixMilliseconds

    init?(argument: String) {
        guard let milliseconds = InstantText.milliseconds(argument) else { return nil }
        self.milliseconds = milliseconds
    }
}
