public import Models
public import Wire

extension RawRowFiles {
    /// Hands out all stored rows that were not erased, block by block in the order of their arrival; for checks of everything
    /// there is.
    public func forEachBlock(_ body: (_ kind: RecordKind, _ columns: Columns) throws -> Void) throws {
        let reader = try opener.reader(after: .start)
        let everything = try RawRowQuery(
            QueryParameters([(key: String, value: String)](), known: []), layout, scope: .everything)
        while let block = try reader.next(everything) { try body(block.kind, block.columns) }
    }
}
