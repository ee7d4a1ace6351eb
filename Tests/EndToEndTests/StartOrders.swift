import Foundation

/// Orders in which the services are started.
enum StartOrders {
    /// `NKUL_ORDERS`: `all` for every order there is, or how many; otherwise twelve in which each service is twice the
    /// first and twice the last, and each is before each other.
    static var chosen: [[String]] {
        guard let wanted = ProcessInfo.processInfo.environment["NKUL_ORDERS"] else { return few }
        let all = all(of: ServicePack.names)
        return wanted == "all" ? all : Array(all.prefix(max(Int(wanted) ?? 0, 1)))
    }

    /// The list and its reverse, each turned round once.
    static var few: [[String]] {
        [ServicePack.names, ServicePack.names.reversed()].flatMap { names in
            names.indices.map { Array(names[$0...] + names[..<$0]) }
        }
    }

    /// Every order of names.
    static func all(of names: [String]) -> [[String]] {
        guard names.count > 1 else { return [names] }
        return names.flatMap { first in all(of: names.filter { $0 != first }).map { [first] + $0 } }
    }
}
