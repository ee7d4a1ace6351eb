import TemporaryFiles
/// A home that several services of one test use one after another.
final class TestHome: Sendable {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var path: String { directory.path }
}
