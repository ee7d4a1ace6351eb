internal import Storage

extension RawRowFiles {
    /// What queries need to read day files through connections of their own.
    ///
    /// `@unchecked Sendable`: all parts are constants of sendable types except `memory`, which only simulations set,
    /// and they use one thread.
    struct Opener: @unchecked Sendable {
        let layout: RawRowLayout
        let directory: String
        let options: DatabaseOptions
        let sealer: BlockSealer?
        let index: RawRowIndex
        let rewritten: RecentChanges
        let memory: RawRowFiles?

        /// A reader of all rows that are there now, after a cursor; confined to one thread from then on.
        func reader(after cursor: RawRowCursor) throws -> RawRowReader {
            RawRowReader(files: self, spans: index.current, after: cursor)
        }

        /// A reading connection to one day.
        func open(_ day: String) throws -> ReadOnlyDatabase {
            if let memory { return try memory.database(of: day).reader() }
            return try ReadOnlyDatabase(path: RawRowFiles.path(of: day, in: directory), options: options)
        }
    }
}
