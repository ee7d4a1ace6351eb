import Models
import Wire

/// The open rows of one local day that came with one block.
struct OpenRowBlock {
    var position: Position
    var rows: EncodedColumns
}
