package import ExporterStores
package import ExporterSupport
package import Foundation
package import Models

/// Where answers about cells come from, and within which bounds they are made.
package struct CellSource: Sendable {
    let state: StateReaders
    /// Whose metrics can be asked for.
    let programmes: Programmes
    /// In which days begin.
    let zone: TimeZone
    /// Most cells of an answer.
    let cellLimit: Int
    /// Says to which moment cells are complete.
    let freshness: Freshness

    package init(state: StateReaders, programmes: Programmes, zone: TimeZone, cellLimit: Int, freshness: Freshness) {
        self.state = state
        self.programmes = programmes
        self.zone = zone
        self.cellLimit = cellLimit
        self.freshness = freshness
    }
}
