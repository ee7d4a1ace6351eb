import AggregatorCells
import Lanes
import Models

/// Emits what became of the cells of a slice, a block's worth at a time. Confined to the thread that writes the database.
final class FoldOutput: CellOutput {
    private var emission: Emission
    private var emitter = CellEmitter()
    /// The cells that sums came for.
    private(set) var folded = FoldedCells()

    init(_ emission: Emission) { self.emission = emission }

    func take(_ cell: CellKey, _ state: CellState) throws {
        emitter.add(cell, state)
        switch state {
        case .own(_, _, let histograms, _):
            folded.own += 1
            folded.bytes += histograms.count
        case .reference: folded.references += 1
        case .gone: break  // rows only come to a cell here
        }
        try emitter.emitIfFull(to: &emission)
    }

    func takeUnchanged() { folded.unchanged += 1 }

    /// Emits what is left; returns the emission.
    func finish() throws -> Emission {
        try emitter.emit(to: &emission)
        return emission
    }
}

/// Cells that rows of folds came to, by what became of them.
package struct FoldedCells: Equatable {
    /// Written and published with figures.
    package var own: Int
    /// Written and published as references to a cell inside.
    package var references: Int
    /// References that still hold: nothing was written.
    package var unchanged: Int
    /// Bytes of histograms written.
    var bytes: Int

    package init(own: Int = 0, references: Int = 0, unchanged: Int = 0, bytes: Int = 0) {
        self.own = own
        self.references = references
        self.unchanged = unchanged
        self.bytes = bytes
    }

    var count: Int { own + references + unchanged }

    package static func += (left: inout Self, right: Self) {
        left.own += right.own
        left.references += right.references
        left.unchanged += right.unchanged
        left.bytes += right.bytes
    }
}
