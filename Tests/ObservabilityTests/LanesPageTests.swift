import Alarms
import AlertRouter
import AnalyticsExporter
import BatchAggregator
import Foundation
import IngestAPI
import Lanes
import Models
import Notifier
import PrivacyWorker
import RewardDispatcher
import ServiceKit
import Testing

/// The page of lanes and what the services really read.
@Suite struct LanesPageTests {
    private struct Reading: Hashable {
        let lane: String
        let reader: String
        let kinds: Set<String>
        let isRequired: Bool
    }

    private static let subscriptions: [ServiceName: [LaneSubscription]] = [
        .ingest: CopiesEffects.subscriptions(hasNotifier: true),
        .alertRouter: AlertRouterEffects.subscriptions(.ofThisBuild),
        .batchAggregator: AggregatorEffects.subscriptions(.ofThisBuild),
        .rewardDispatcher: RewardDispatcherEffects.subscriptions(.ofThisBuild),
        .privacyWorker: PrivacyWorkerEffects.subscriptions(hasNotifier: true),
        .analyticsExporter: AnalyticsExporterConfiguration.subscriptions(.ofThisBuild, hasNotifier: true),
        .notifier: NotifierEffects.subscriptions,
    ]

    /// Cells of the table rows that begin with a lane, by number of cells.
    private func rows(of count: Int) throws -> [[String]] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../docs/lanes.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "") }
        }.filter { $0.count == count }
    }

    private func list(_ text: String) -> Set<String> { Set(text.split(separator: ", ").map(String.init)) }

    @Test func `the page names every reader, its kinds and whether it is waited for`() throws {
        let listed = try rows(of: 5).map {
            Reading(lane: $0[0], reader: $0[1], kinds: list($0[2]), isRequired: $0[3] == "required")
        }
        var real: Set<Reading> = []
        for (service, subscriptions) in Self.subscriptions {
            for read in subscriptions {
                real.insert(
                    Reading(
                        lane: read.lane.rawValue, reader: service.rawValue, kinds: Set(read.kinds.map(\.name)),
                        isRequired: read.isRequired))
            }
        }
        for read in AlertRouterEffects.windowSubscriptions(.ofThisBuild) {
            real.insert(
                Reading(
                    lane: read.lane.rawValue, reader: "alert-router-windows", kinds: Set(read.kinds.map(\.name)),
                    isRequired: read.isRequired))
        }
        #expect(Set(listed) == real && listed.count == real.count)
        #expect(Self.subscriptions.count == ServiceName.allCases.count)
    }

    @Test func `what is read from a lane is on it, and every kind is on one`() throws {
        let lanes = try rows(of: 4)
        #expect(lanes.map { $0[0] } == LaneName.allCases.map(\.rawValue))
        #expect(lanes.map { $0[1] } == LaneName.allCases.map { $0.nature == .state ? "state" : "event" })
        #expect(lanes.allSatisfy { ServiceName(rawValue: $0[2]) != nil })
        let carried = Dictionary(uniqueKeysWithValues: lanes.map { ($0[0], list($0[3])) })
        for row in try rows(of: 5) { #expect(list(row[2]).isSubset(of: carried[row[0]] ?? []), "\(row)") }
        #expect(Set(carried.values.joined()) == Set(Programmes.ofThisBuild.records.map(\.name)))
    }
}
