internal import Alarms
internal import ExporterOperations
package import Models
internal import ServiceKit

/// What people set of sites, each a kind of documents on the `operations` lane.
package enum SiteKind: String, CaseIterable, Sendable {
    case site, sensor, door, key

    /// Its word in paths.
    var path: String { rawValue + "s" }

    package var record: RecordKind {
        switch self {
        case .site: .site
        case .sensor: .sensor
        case .door: .door
        case .key: .doorKey
        }
    }

    /// A document that was compiled, and the site or door that it is of.
    enum Compiled {
        case site(SiteDocument)
        case sensor(SensorDocument)
        case door(DoorDocument)
        case key(DoorKeyDocument)

        /// The tenant whose document it is: that of a key. What belongs to a site is the site's, whoever owns that.
        var owner: String { if case .key(let key) = self { key.tenant } else { "" } }
    }

    /// Compiles a document as the router will.
    ///
    /// - Throws: `DocumentRefusal` with everything that is wrong.
    func compile(_ bytes: [UInt8], id: String) throws -> Compiled {
        guard self != .key else {
            guard Self.isPlain(id) else {
                throw DocumentRefusal("id", "is \"\(id.prefix(64))\"", allowed: "1…64 of letters, digits, - _ .")
            }
            return .key(try DoorKeyDocument(compiling: bytes, id: id))
        }
        let number = try number(id)
        switch self {
        case .site: return .site(try SiteDocument(compiling: bytes, id: number))
        case .sensor: return .sensor(try SensorDocument(compiling: bytes, id: number))
        default: return .door(try DoorDocument(compiling: bytes, id: number))
        }
    }

    private static func isPlain(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                    || "-_.".utf8.contains(byte)
            }
    }

    /// The number that a text is.
    func number(_ id: String) throws(DocumentRefusal) -> Int64 {
        guard id.utf8.count <= 8, let number = Int64(id), "\(number)" == id, Scope.numbers.contains(number) else {
            let range = "\(Scope.numbers.lowerBound)…\(Scope.numbers.upperBound)"
            throw DocumentRefusal("id", "is \"\(id.prefix(64))\"", allowed: "a number of \(range)")
        }
        return number
    }
}

extension SiteKind.Compiled {
    func record(_ id: String) throws -> OperationRecord {
        switch self {
        case .site(let document): try OperationRecord(.site, key: id, document)
        case .sensor(let document): try OperationRecord(.sensor, key: id, document)
        case .door(let document): try OperationRecord(.door, key: id, document)
        case .key(let document): try OperationRecord(.doorKey, key: id, document)
        }
    }
}
