public import Models
public import ServiceKit

extension Schedule {
    static let mostDays: Int64 = 92

    /// Compiles a document: what the exporter does when it is set, and the router when it reads it.
    ///
    /// - Throws: ``DocumentRefusal`` naming every member at fault and what may stand there.
    public init(compiling document: JSONValue, id: String) throws(DocumentRefusal) {
        guard let members = document.object else {
            throw DocumentRefusal([DocumentProblem("", "is not a JSON object", allowed: "an object")])
        }
        var reader = DocumentReader(members)
        let tenant = reader.tenant(), zone = reader.zone()
        let shifts = Self.shifts(&reader), overrides = Self.overrides(&reader)
        reader.finish()
        guard reader.problems.isEmpty, let tenant, let zone else { throw DocumentRefusal(reader.problems) }
        (self.id, self.tenant, self.zone) = (id, tenant, zone)
        (self.shifts, self.overrides) = (shifts, overrides)
    }

    private static func shifts(_ reader: inout DocumentReader) -> [Shift] {
        var shifts: [Shift] = []
        for (index, shift) in reader.objects("shifts", in: 1...100, of: "objects").enumerated() {
            var shift = shift
            let hours = shift.hours(), contact = shift.contact()
            if let hours, let contact {
                if let other = shifts.firstIndex(where: { $0.hours.overlaps(hours) }) {
                    reader.refuse(
                        "shifts[\(index)]", "overlaps shifts[\(other)]", allowed: "hours that no other shift has")
                }
                shifts.append(Shift(hours: hours, contact: contact))
            }
            shift.finish()
            reader.take(shift)
        }
        return shifts
    }

    private static func overrides(_ reader: inout DocumentReader) -> [Override] {
        var overrides: [Override] = []
        for (index, override) in reader.objects("overrides", in: 0...100, of: "objects").enumerated() {
            var override = override
            let period = override.period(mostDays: mostDays), contact = override.contact()
            if let period, let contact {
                if let other = overrides.firstIndex(where: { $0.period.overlaps(period) }) {
                    reader.refuse(
                        "overrides[\(index)]", "overlaps overrides[\(other)]", allowed: "a time that no other has")
                }
                overrides.append(Override(period: period, contact: contact))
            }
            override.finish()
            reader.take(override)
        }
        return overrides
    }

    /// The members that name contacts, with their names.
    public var named: [(path: String, contact: String)] {
        shifts.enumerated().map { ("shifts[\($0)].contact", $1.contact) }
            + overrides.enumerated().map { ("overrides[\($0)].contact", $1.contact) }
    }
}
