package import Models

/// Where phones send which kind of records. Immutable; used by all threads.
package struct RecordPaths: Sendable {
    /// Few, and most requests have the first.
    private let paths: [(path: String, kind: RecordKind)]

    /// - Throws: ``ProgrammeError`` if a kind's path is one of the device API's own.
    package init(_ programmes: Programmes) throws(ProgrammeError) {
        for kind in programmes.kinds where DeviceRoute(kind.path[...]) != .unknown {
            let programme = programmes.programme(of: kind.kind.id)?.name ?? ""
            throw ProgrammeError(programme, "kind \(kind.kind.name): \(kind.path) is another call of the device API")
        }
        paths = programmes.kinds.map { ($0.path, $0.kind) }
    }

    /// The kind whose records a path takes; nil if it takes none.
    func kind(_ path: Substring) -> RecordKind? { paths.first { $0.path == path }?.kind }
}
