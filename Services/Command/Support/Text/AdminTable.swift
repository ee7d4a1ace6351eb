import Foundation
package import ServiceKit

/// Objects of JSON as a table for people: a row each, a column for each member asked for.
package struct AdminTable {
    package struct Column {
        let title: String
        let isRight: Bool
        let cell: @Sendable (JSONValue) -> String

        package init(title: String, isRight: Bool, cell: @escaping @Sendable (JSONValue) -> String) {
            self.title = title
            self.isRight = isRight
            self.cell = cell
        }

        /// A member as it is.
        package static func text(_ member: String, _ title: String? = nil) -> Column {
            Column(title: title ?? member.uppercased(), isRight: false) { AdminTable.words($0[member]) }
        }

        /// A member that is a number.
        package static func figure(_ member: String, _ title: String? = nil) -> Column {
            Column(title: title ?? member.uppercased(), isRight: true) { AdminTable.words($0[member]) }
        }

        /// A member that is a time in Unix milliseconds; 0 is never.
        package static func time(_ member: String, _ title: String) -> Column {
            Column(title: title, isRight: false) { AdminTable.time($0[member]?.integer ?? 0) }
        }
    }

    let columns: [Column]

    package init(columns: [Column]) {
        self.columns = columns
    }

    /// The table, or a sentence if there is nothing to show.
    package func text(of rows: [JSONValue], none: String) -> String {
        guard !rows.isEmpty else { return none }
        let right = columns.indices.filter { columns[$0].isRight }
        return TextTable(columns.map(\.title), rows.map { row in columns.map { $0.cell(row) } }, right: Set(right)).text
    }

    /// An object as lines of `name: value`, in the order of the names given; others follow by name.
    package static func lines(of value: JSONValue, first: [String] = []) -> String {
        guard let members = value.object else { return words(value) }
        let names = first.filter { members[$0] != nil } + members.keys.filter { !first.contains($0) }.sorted()
        let width = names.map(\.count).max() ?? 0
        return names.map { name in
            let shown = name.hasSuffix("_ms") ? time(members[name]?.integer ?? 0) : words(members[name])
            return name + ":" + String(repeating: " ", count: width - name.count + 1) + shown
        }.joined(separator: "\n")
    }

    package static func words(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .string(let text): safe(text)
        case .array(let values): values.isEmpty ? "-" : values.map { words($0) }.joined(separator: ",")
        case .integer, .number, .object: value!.text
        }
    }

    package static func time(_ milliseconds: Int64) -> String {
        guard milliseconds > 0 else { return "never" }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }

    /// What phones and people wrote must not move the cursor of a terminal.
    private static func safe(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}
