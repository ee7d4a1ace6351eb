/// Finds calls by their path.
struct RouteTable: Sendable {
    /// The calls of one path.
    private struct Entry: Sendable {
        let parts: [Substring]
        var routes: [ExporterRoute]

        /// The variable parts of a path by their names; nil if it is another.
        func names(in given: [Substring]) -> [String: String]? {
            guard given.count == parts.count else { return nil }
            var names: [String: String] = [:]
            for (part, text) in zip(parts, given) {
                if part.hasPrefix("{"), !text.isEmpty {
                    names[String(part.dropFirst().dropLast())] = String(text)
                } else if part != text {
                    return nil
                }
            }
            return names
        }
    }

    /// Paths without variable parts.
    private var plain: [String: [ExporterRoute]] = [:]
    /// The others by the number of their parts.
    private var templates: [Int: [Entry]] = [:]

    init(_ routes: [ExporterRoute]) {
        for route in routes {
            guard route.path.contains("{") else {
                plain[route.path, default: []].append(route)
                continue
            }
            let parts = Self.parts(of: route.path)
            var entries = templates[parts.count] ?? []
            if let place = entries.firstIndex(where: { $0.parts == parts }) {
                entries[place].routes.append(route)
            } else {
                entries.append(Entry(parts: parts, routes: [route]))
            }
            templates[parts.count] = entries
        }
    }

    /// The calls of a path, and its variable parts by their names; nil if there is nothing.
    func find(_ path: String) -> (routes: [ExporterRoute], names: [String: String])? {
        if let routes = plain[path] { return (routes, [:]) }
        let parts = Self.parts(of: path)
        for entry in templates[parts.count] ?? [] {
            if let names = entry.names(in: parts) { return (entry.routes, names) }
        }
        return nil
    }

    private static func parts(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
