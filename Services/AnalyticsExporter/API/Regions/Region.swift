internal import Foundation
internal import Models

/// A part of the country that figures can be asked for by name: a region, or a town.
package struct Region: Sendable {
    /// What it is called in queries, too: lower-case letters, digits and hyphens.
    package let id: String
    /// `region` or `town`.
    let kind: String
    let english: String
    let french: String
    /// How far its boundary can be relied on: `approximate`, or a word of whoever made the file.
    let boundary: String
    /// None inside another, ascending.
    let cells: [Quadkey]

    /// Everything by which it is found.
    var names: [String] { [id, english, french] }

    /// A name as it is compared: without case, accents, and with hyphens for blanks.
    static func folded(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).replacing(" ", with: "-")
    }
}
