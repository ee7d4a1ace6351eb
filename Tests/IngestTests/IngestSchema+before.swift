import Storage

@testable import Ingest

extension IngestSchema {
    /// The steps that a home had before one of them came.
    static func migrations(before name: String) -> [Migration] { Array(migrations.prefix { $0.name != name }) }
}
