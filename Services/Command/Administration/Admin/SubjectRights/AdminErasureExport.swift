import ArgumentParser
import CommandSupport
import Foundation
import Models
import ServiceKit

/// `nkul admin erasure export`: the orders so far, to be kept where the home is not.
struct AdminErasureExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes all erasures into a file, for a restore to know what to erase again.",
        discussion: """
            To be kept where the home is not, and made anew after each erasure, or each hour: what is not in it would come back \
            with a backup. It names devices by HMAC, and the areas and times of parts.
            """)

    @Option(name: .shortAndLong, help: "The file; it is replaced at once.") var output: String
    @OptionGroup var options: AdminOptions

    /// Orders of one call.
    private static let page: Int64 = 50

    func run() async throws {
        let home = try await options.settings.common().home
        let list = ErasureOrderList(
            try await Self.orders(ControlClients(home: home)), exportedAt: SystemTime.unixMilliseconds())
        try SmallFile.replace(output, with: SortedJSON.text(of: list) + "\n")
        print(
            options.json
                ? try SortedJSON.text(of: ["orders": list.orders.count]) : "\(output): \(list.orders.count) erasures")
    }

    /// All orders, page by page from the newest on.
    static func orders(_ control: ControlClients) async throws -> [ErasureOrderDocument] {
        var orders: [ErasureOrderDocument] = [], next: [String: JSONValue]? = [:]
        while let place = next {
            let page = try await control.ask(
                .privacyWorker, "erasure.list", .object(place.merging(["limit": .integer(Self.page)]) { $1 }))
            for order in page["erasures"]?.array ?? [] {
                orders.append(try JSONDecoder().decode(ErasureOrderDocument.self, from: Data(order.text.utf8)))
            }
            next = page["before"].map { before in
                ["before": before, "before_request": page["before_request"] ?? .null]
            }
        }
        return orders
    }
}
