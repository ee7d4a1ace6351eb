/// What a body of Geosubmit had in it, and why what was left out of it was.
package struct GeosubmitTally: Sendable, Equatable {
    /// What is counted; the raw value is the label of the metric.
    package enum Part: String, CaseIterable, Sendable {
        /// Elements of `items`.
        case item
        /// Serving cells: each is a report.
        case report
        /// Cells that were heard beside the serving one.
        case neighbour
        /// Access points and beacons: nothing of them is read.
        case wifi
        case bluetooth
        /// Items without a serving cell, and so without a report.
        case withoutServingCell = "item_without_serving_cell"
        /// Items that could not be read at all.
        case notAnObject = "item_not_an_object"
        case malformed = "item_malformed"
        case tooLarge = "item_too_large"
        /// Bodies that ended within `items`; what came before is taken.
        case cutOff = "body_cut_off"
    }

    private var counts = [Int](repeating: 0, count: Part.allCases.count)

    package init() {}

    package subscript(part: Part) -> Int {
        get { counts[Self.place(part)] }
        set { counts[Self.place(part)] = newValue }
    }

    /// Items of which nothing could be read.
    package var unreadable: Int { self[.notAnObject] + self[.malformed] + self[.tooLarge] }

    private static func place(_ part: Part) -> Int { Part.allCases.firstIndex(of: part)! }
}
