import ServiceKit

extension AdminAnswer {
    /// The answer to a call that lists something: an array, or an object with an array under `member`.
    static func list(
        _ value: JSONValue, _ member: String, _ columns: [AdminTable.Column], none: String
    ) -> AdminAnswer {
        let rows = value.array ?? value[member]?.array ?? []
        return AdminAnswer(value: value, text: AdminTable(columns: columns).text(of: rows, none: none))
    }
}
