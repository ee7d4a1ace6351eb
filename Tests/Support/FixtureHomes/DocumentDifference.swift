import Foundation

/// Where a JSON document lacks or changes what another one says.
public enum DocumentDifference {
    /// The first place at which `actual` does not say what `expected` does; nil if it says all of it.
    ///
    /// Members that `expected` does not have are passed over, for later versions may say more; items of arrays are not. Members
    /// named `as_of` and `as_of_ms` are not looked at: they say when somebody asked.
    public static func first(_ actual: Any?, _ expected: Any, at place: String = "") -> String? {
        switch expected {
        case let expected as [String: Any]:
            guard let actual = actual as? [String: Any] else { return said(actual, expected, place) }
            for (name, value) in expected.sorted(by: { $0.key < $1.key }) where !["as_of", "as_of_ms"].contains(name) {
                if let difference = first(actual[name], value, at: "\(place).\(name)") { return difference }
            }
            return nil
        case let expected as [Any]:
            guard let actual = actual as? [Any] else { return said(actual, expected, place) }
            guard actual.count == expected.count else {
                return "\(place): \(actual.count) items instead of \(expected.count)"
            }
            for (index, value) in expected.enumerated() {
                if let difference = first(actual[index], value, at: "\(place)[\(index)]") { return difference }
            }
            return nil
        default:
            return (actual as? NSObject) == (expected as? NSObject) ? nil : said(actual, expected, place)
        }
    }

    private static func said(_ actual: Any?, _ expected: Any, _ place: String) -> String {
        "\(place): \(actual.map { "\($0)" } ?? "nothing") instead of \(expected)"
    }
}
