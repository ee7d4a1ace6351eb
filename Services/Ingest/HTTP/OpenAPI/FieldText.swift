internal import Models

/// What a field of a record means, beyond its name, unit and range.
enum FieldText {
    /// Markdown; empty where the name says it all.
    static func of(_ field: Field) -> String {
        let texts = [meanings[field.column], narrower(field), measure(field)].compactMap { $0 }
        return texts.joined(separator: "; ")
    }

    private static let meanings: [UInt8: String] = [
        ColumnID.id: "UUID, version 7 preferred; may be left out where `seq` is given",
        ColumnID.seq: "the device's own counter",
        ColumnID.capturedAt: "RFC 3339; at most 8 days ago and 5 minutes ahead of the server's clock",
        ColumnID.latitude: "latitude and longitude are not both exactly 0",
        ColumnID.accuracy: "radius of the position",
        ColumnID.networkType: "in upper or lower case",
        ColumnID.mcc: "of the SIM", ColumnID.mnc: "of the SIM, with or without leading zeros",
        ColumnID.servingMCC: "where the phone is registered with another network",
        ColumnID.servingMNC: "where the phone is registered with another network",
        ColumnID.plmnSource: "where `mcc` and `mnc` are from",
        ColumnID.areaCode: "LAC or TAC", ColumnID.pci: "physical cell identity",
        ColumnID.channel: "ARFCN, UARFCN, EARFCN or NR-ARFCN",
        ColumnID.mockLocation: "the position was set by an app; such records never reach statistics or rewards",
        ColumnID.promptID: "the prompt that was answered, as the phone named it",
        ColumnID.reportID: "the report that was rated",
    ]

    /// Ranges that some network types narrow.
    private static func narrower(_ field: Field) -> String? {
        var seen: [ClosedRange<Int64>] = [], texts: [String] = []
        for type in NetworkType.allCases {
            guard let range = RadioRange.range(of: field.column, on: type), range != field.range, !seen.contains(range)
            else { continue }
            seen.append(range)
            let low = RowDetail.number(range.lowerBound, scale: field.scale)
            texts.append("on \(type.name) \(low) to \(RowDetail.number(range.upperBound, scale: field.scale))")
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func measure(_ field: Field) -> String? {
        switch field.representation {
        case .text(let limit): "at most \(limit) characters as a person counts them (grapheme clusters)"
        case .instant, .choice: nil
        default: field.unit.isEmpty ? nil : field.unit
        }
    }
}
