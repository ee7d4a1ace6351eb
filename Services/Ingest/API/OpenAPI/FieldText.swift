internal import IngestUploads
internal import Models

/// What a field of a kind means, with the ranges that another field narrows.
struct FieldText {
    let kind: RecordKind

    /// Markdown; empty where the name says it all.
    func text(of field: Field) -> String {
        [field.meaning, narrower(field), Self.measure(field)].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Ranges that hold where another field has certain values.
    private func narrower(_ field: Field) -> String {
        kind.plausibility.narrower.filter { $0.column == field.column }.flatMap { narrower -> [String] in
            var seen: Set<ClosedRange<Int64>> = [field.range]
            return narrower.ranges.enumerated().compactMap { code, range -> String? in
                guard let range, seen.insert(range).inserted else { return nil }
                let low = RowDetail.number(range.lowerBound, scale: field.scale)
                let high = RowDetail.number(range.upperBound, scale: field.scale)
                return "on \(name(of: code, in: narrower.by)) \(low) to \(high)"
            }
        }.joined(separator: ", ")
    }

    private func name(of code: Int, in column: UInt8) -> String {
        guard case .choice(let choices) = kind.field(column)?.representation else { return "\(code)" }
        return choices.name(of: Int64(code)) ?? "\(code)"
    }

    private static func measure(_ field: Field) -> String {
        switch field.representation {
        case .text(let limit): "at most \(limit) characters as a person counts them (grapheme clusters)"
        case .instant, .choice: ""
        default: field.unit
        }
    }
}
