public import Models

/// Where a record stands: its block, and its row in it from 0.
public struct RowPlace: Sendable, Hashable {
    public let position: Position
    public let row: Int

    public init(position: Position, row: Int) {
        self.position = position
        self.row = row
    }
}
