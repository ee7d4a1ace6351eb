import Foundation
import QoE
import TemporaryFiles
import Testing

@testable import NkulDevice

/// What lies on the phone.
struct DeviceStoreTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private func draft(_ text: String, at time: Int64 = 1, isUrgent: Bool = false) -> RecordDraft {
        RecordDraft(kind: .report, isUrgent: isUrgent, at: time, members: Array("\"network_type\":\"\(text)\"".utf8))
    }

    private func order(_ slot: UploadSlot = .bulk, rows: Int = 1_000, bytes: Int = 49_000) -> UploadOrder {
        UploadOrder(slot: slot, key: "k", shift: 5, rows: rows, bytes: bytes)
    }

    @Test func `no file has a word of records, uploads or state`() throws {
        let directory = try TemporaryDirectory()
        let store = try DeviceStore(path: directory.path("s"), key: Self.key)
        try store.apply([.keep(draft("NEEDLE-IN-RECORD"))], state: Array("NEEDLE-IN-STATE".utf8))
        try store.apply([.keep(draft("NEEDLE-ALONE", isUrgent: true)), .form(order(.urgent))], state: [])
        #expect(String(decoding: try store.body(of: .urgent), as: UTF8.self).contains("NEEDLE-ALONE"))
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.path(name)))
            #expect(bytes.range(of: Data("NEEDLE".utf8)) == nil, "\(name)")
        }
        try store.close()
    }

    @Test func `another key opens nothing, and a short one is refused`() throws {
        let directory = try TemporaryDirectory()
        let store = try DeviceStore(path: directory.path("s"), key: Self.key)
        try store.apply([], state: [1])
        try store.close()
        #expect(throws: DeviceStoreError.doesNotOpen("state")) {
            try DeviceStore(path: directory.path("s"), key: [UInt8](repeating: 8, count: 32))
        }
        #expect(throws: DeviceStoreError.badKey(bytes: 16)) {
            try DeviceStore(path: directory.path("s"), key: [UInt8](repeating: 8, count: 16))
        }
    }

    /// Has SQLite, and not the store, do something to a file.
    private func execute(_ sql: String, _ path: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = [
            "python3", "-c", "import sqlite3,sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])", path, sql,
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    @Test func `a file of version 1 has policy and prompts in its state, and keeps them`() throws {
        let directory = try TemporaryDirectory(), path = directory.path("s")
        let store = try DeviceStore(path: path, key: Self.key)
        let state = """
            {"clock":{"shift":0,"boot":"a","wall":5,"uptime":5,"last":5},"token":"t","consentVersion":1,"heardConsent":1,
            "hasAskedForConsent":false,"awaitsService":false,"simChoice":{"automatic":{}},"nextSample":0,"nextTest":0,
            "nextPolicy":0,"notBefore":0,"retries":{},"avoidsRealtime":false,"policyTag":"a","callDrops":[],"days":[],
            "radioUntil":0,"prompts":[{"at":7,"rule":1}],"policy":{"policy_version":"7","time_zone":"Africa/Douala",
            "rules":{},"pause":{"between_minutes":60,"after_ignored_minutes":240,"factor":2,"longest_minutes":10080},
            "daily_maximum":1,"emergency_bypass":true}}
            """
        try store.apply([.keep(draft("a"))], state: Array(state.utf8))
        try store.close()
        try execute("DROP TABLE slow_state; PRAGMA user_version=1", path)
        for _ in 0..<2 {
            let old = try DeviceStore(path: path, key: Self.key)
            var loop = try DeviceLoop(old, DeviceSettings(platform: "test", appVersion: "1"), seed: 1)
            #expect(loop.core.state.token == "t" && old.facts.ordinary.count == 1)
            #expect(loop.core.slow.policy?.policy_version == "7" && loop.core.slow.prompts.map(\.at) == [7])
            _ = try loop.take(.woke(Conditions(path: .none)), at: ClockReading(wall: 9, uptime: 9, boot: "a"))
            try old.close()
        }
    }

    @Test func `a file of a newer program is left as it is`() throws {
        let directory = try TemporaryDirectory()
        try DeviceStore(path: directory.path("s"), key: Self.key).close()
        try execute("PRAGMA user_version=3", directory.path("s"))
        #expect(throws: DeviceStoreError.newer(version: 3)) {
            try DeviceStore(path: directory.path("s"), key: Self.key)
        }
    }

    @Test func `counters are never used twice, also after everything is gone`() throws {
        let directory = try TemporaryDirectory()
        var store = try DeviceStore(path: directory.path("s"), key: Self.key)
        try store.apply([.keep(draft("a")), .keep(draft("b"))], state: [])
        try store.apply([.dropEverything(.withdrawn)], state: [])
        try store.close()
        store = try DeviceStore(path: directory.path("s"), key: Self.key)
        try store.apply([.keep(draft("c", isUrgent: true)), .form(order(.urgent))], state: [])
        #expect(
            String(decoding: try store.body(of: .urgent), as: UTF8.self).hasPrefix("{\"seq\":3,\"captured_at_ms\":6,"))
        #expect(store.counters["withdrawn"] == 2 && store.counters["made"] == 3)
    }

    @Test func `when it is full nothing happened, and it goes on when there is room`() throws {
        let directory = try TemporaryDirectory()
        let store = try DeviceStore(path: directory.path("s"), key: Self.key, isSynced: false)
        try store.limit(bytes: 0)
        var kept = 0
        let filled = #expect(throws: DeviceStoreError.self) {
            for _ in 0..<10_000 {
                try store.apply([.keep(draft(String(repeating: "x", count: 500)))], state: [])
                kept += 1
            }
        }
        #expect(filled == .full && store.facts.ordinary.count == kept && store.counters["made"] == Int64(kept))
        try store.limit(bytes: nil)
        try store.apply([.keep(draft("y"))], state: [])
        #expect(store.facts.ordinary.count == kept + 1 && store.counters["seq"] == Int64(kept + 1))
    }

    @Test func `over its bound the oldest go that are not urgent`() throws {
        let directory = try TemporaryDirectory()
        let store = try DeviceStore(path: directory.path("s"), key: Self.key, isSynced: false)
        try store.apply([.keep(draft("u", at: 0, isUrgent: true))], state: [])
        for time in 1...100 { try store.apply([.keep(draft("o", at: Int64(time)))], state: []) }
        let bytes = store.facts.waitingBytes
        try store.apply([.trim(toBytes: bytes / 2)], state: [])
        #expect(store.facts.waitingBytes <= bytes / 2 && store.facts.urgent.count == 1)
        #expect(store.facts.ordinary.oldest == Int64(101 - store.facts.ordinary.count))
        #expect(store.counters["overflow"] == Int64(100 - store.facts.ordinary.count))
    }

    @Test func `what is too old is counted and goes, uploads with it`() throws {
        let directory = try TemporaryDirectory()
        let store = try DeviceStore(path: directory.path("s"), key: Self.key, isSynced: false)
        try store.apply([.keep(draft("a", at: 10)), .keep(draft("b", at: 20))], state: [])
        try store.apply([.form(order(rows: 1))], state: [])
        #expect(store.facts.pending[.bulk]?.isFull == true && store.facts.ordinary.count == 1)
        try store.apply([.expire(before: 15)], state: [])
        #expect(store.facts.pending.isEmpty && store.facts.ordinary.count == 1 && store.counters["expired"] == 1)
    }
}
