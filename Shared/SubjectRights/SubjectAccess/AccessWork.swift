internal import Models

/// How far a service is with an order: what is in the tables, and lines that wait to be sealed.
struct AccessWork {
    let order: AccessOrder
    /// Where the next page begins; nil at the beginning.
    var place: String?
    /// Parts that were given.
    var parts: Int
    /// Sealed bytes of them.
    var bytes: Int
    var contents: AccessContents
    /// Lines that are not sealed yet.
    var waiting: [UInt8] = []
    var isOver = false

    mutating func take(_ page: SubjectPage) {
        for line in page.lines {
            contents.count(line)
            line.write(of: contents.service, to: &waiting)
        }
        place = page.next
        isOver = page.next == nil
    }
}
