public import Models
public import ServiceKit

extension ChannelFilter {
    /// Reads the member `filter` of a document: which alarms it is about.
    ///
    /// - Parameter least: the severity from which on alarms are meant, where the document does not say.
    public init(reading reader: inout DocumentReader, least: Severity = .warning) {
        guard var inner = reader.object("filter") else {
            self.init(severity: least)
            return
        }
        let told = Severity.allCases.filter { $0 != .cleared }
        let severity = inner.text(
            "severity", mayBeMissing: true, allowed: "one of " + told.map(\.rawValue).joined(separator: ", ")
        ) { Severity(rawValue: $0).flatMap { told.contains($0) ? $0 : nil } }
        self.init(
            severity: severity ?? least,
            rules: Set(
                inner.list("rules", most: 100, of: "names of rules") { (1...64).contains($0.utf8.count) ? $0 : nil }),
            networks: Set(inner.list("networks", most: 100, of: "five or six digits (MCC and MNC)") { PLMN(text: $0) }),
            places: inner.list("places", most: 1_000, of: "1…16 digits 0…3 of a quadkey") { text in
                (1...16).contains(text.utf8.count) && text.utf8.allSatisfy { (48...51).contains($0) } ? text : nil
            })
        inner.finish()
        reader.take(inner)
    }
}
