@testable import Lanes
import Models
import Testing
import Wire

@testable import ServiceKit

struct LaneMetricsTests {
    private let metrics = Metrics()
    private let lanes: LaneMetrics
    private let now: UnixMilliseconds = 1_750_000_000_000

    init() { lanes = LaneMetrics(metrics) }

    private var text: String { MetricsText.text(of: metrics) }

    private func has(_ line: String) -> Bool { text.contains("\n\(line)\n") }

    private func read(_ cursor: UInt64, head: UInt64, at time: UnixMilliseconds) {
        let inbox = InboxFigures(
            head: head, blocks: 2, bytes: 300, window: Credit(blocks: 512, bytes: 1_000), missed: 7,
            heartbeat: LaneHeartbeat(head: head, time: time - 500, cameAt: 77), silence: 1_250)
        lanes.looked(
            LaneSurvey(
                reads: [ReadFigures(lane: .batch, cursor: cursor, head: head, isConnected: true, inbox: inbox)],
                now: time))
    }

    private func batch(_ committedAt: [UnixMilliseconds]) -> LaneBatch {
        LaneBatch(
            blocks: committedAt.enumerated().map { place, time in
                let header = BlockHeader(
                    generation: 1, number: UInt64(place + 1), previous: UInt64(place), kind: 1, kindVersion: 1,
                    rowCount: 5, keptRows: 5, keyID: 0, committedAt: time, subjects: [], rawLength: 0, crc32: 0)
                return LaneBlock(lane: .batch, block: Block(header: header, payload: []))
            })
    }

    @Test func `every family is shown before anything has happened`() {
        for family in LaneFamily.allCases {
            #expect(text.contains("# TYPE \(family.rawValue) \(family.kind.rawValue)\n"))
        }
    }

    @Test func `a journal and its readers have labels of lane and reader, and seconds are seconds`() {
        let reader = JournalReader(
            name: "exporter", isRequired: true, committed: 7, isDetached: false, seenAt: now - 1_500)
        lanes.looked(
            LaneSurvey(
                journals: [
                    JournalFigures(
                        lane: .batch, head: 9, oldest: 3, bytes: 800, limitBytes: 1_000, isFull: false,
                        readers: [.init(reader: reader, lagBlocks: 2, lagMilliseconds: 2_500)])
                ], now: now))
        #expect(has(#"nkul_lane_head_block{lane="batch"} 9"#))
        #expect(has(#"nkul_lane_oldest_block{lane="batch"} 3"#))
        #expect(has(#"nkul_lane_bytes{lane="batch"} 800"#) && has(#"nkul_lane_limit_bytes{lane="batch"} 1000"#))
        #expect(has(#"nkul_lane_reader_cursor_block{lane="batch",reader="exporter"} 7"#))
        #expect(has(#"nkul_lane_reader_lag_blocks{lane="batch",reader="exporter"} 2"#))
        #expect(has(#"nkul_lane_reader_lag_seconds{lane="batch",reader="exporter"} 2.5"#))
        #expect(has(#"nkul_lane_reader_required{lane="batch",reader="exporter"} 1"#))
        #expect(has(#"nkul_lane_reader_detached{lane="batch",reader="exporter"} 0"#))
    }

    @Test func `a reader that was removed from the journal is no longer shown`() {
        func look(_ names: [String]) {
            let readers = names.map {
                JournalFigures.Reader(
                    reader: JournalReader(name: $0, isRequired: false, committed: 0, isDetached: false, seenAt: 0),
                    lagBlocks: 0, lagMilliseconds: 0)
            }
            lanes.looked(
                LaneSurvey(
                    journals: [
                        JournalFigures(
                            lane: .alerts, head: 0, oldest: 1, bytes: 0, limitBytes: 1, isFull: false, readers: readers)
                    ], now: now))
        }
        look(["one", "two"])
        #expect(text.contains(#"reader="one""#) && text.contains(#"reader="two""#))
        look(["two"])
        #expect(!text.contains(#"reader="one""#) && text.contains(#"reader="two""#))
    }

    @Test func `a lane that is read shows cursor, head, lag, and its inbox as a queue`() {
        read(10, head: 12, at: now)
        #expect(
            has(#"nkul_lane_cursor_block{lane="batch"} 10"#) && has(#"nkul_lane_known_head_block{lane="batch"} 12"#))
        #expect(has(#"nkul_lane_lag_blocks{lane="batch"} 2"#) && has(#"nkul_lane_connected{lane="batch"} 1"#))
        #expect(has(#"nkul_lane_missed_blocks_total{lane="batch"} 7"#))
        #expect(has(#"nkul_lane_silence_seconds{lane="batch"} 1.25"#))
        #expect(has(#"nkul_lane_heartbeat_timestamp_seconds{lane="batch"} 1749999999.5"#))
        #expect(has(#"nkul_queue_depth{queue="inbox_batch",unit="blocks"} 2"#))
        #expect(has(#"nkul_queue_limit{queue="inbox_batch",unit="bytes"} 1000"#))
    }

    @Test func `lag in seconds counts from the last block applied or the last time at the head, whichever is later`() {
        read(10, head: 10, at: now)
        #expect(has(#"nkul_lane_lag_seconds{lane="batch"} 0.0"#))
        read(10, head: 12, at: now + 4_000)
        #expect(has(#"nkul_lane_lag_seconds{lane="batch"} 4.0"#))
        lanes.stepped(EffectOutcome(), of: batch([now + 3_000]), took: .zero, now: now + 5_000)
        read(11, head: 12, at: now + 5_000)
        #expect(has(#"nkul_lane_lag_seconds{lane="batch"} 2.0"#))
        read(12, head: 12, at: now + 6_000)
        #expect(has(#"nkul_lane_lag_seconds{lane="batch"} 0.0"#))
    }

    @Test func `before a heartbeat its time is 0, and the silence counts from the start`() {
        lanes.looked(
            LaneSurvey(
                reads: [
                    ReadFigures(
                        lane: .batch, cursor: 0, head: 0, isConnected: false, inbox: InboxFigures(silence: 9_000))
                ], now: now))
        #expect(has(#"nkul_lane_silence_seconds{lane="batch"} 9.0"#))
        #expect(has(#"nkul_lane_heartbeat_timestamp_seconds{lane="batch"} 0.0"#))
    }

    @Test func `a step counts its transaction, its stage, and the delay of each of its blocks`() {
        var outcome = EffectOutcome()
        outcome.appliedRows = 10
        lanes.stepped(outcome, of: batch([now - 3, now - 40]), took: .milliseconds(4), now: now)
        #expect(has("nkul_commit_seconds_count 1") && has("nkul_commit_rows_sum 10"))
        #expect(has(#"nkul_stage_seconds_bucket{stage="effects",le="0.005"} 1"#))
        #expect(has(#"nkul_lane_delay_seconds_bucket{lane="batch",le="0.005"} 1"#))
        #expect(has(#"nkul_lane_delay_seconds_bucket{lane="batch",le="0.05"} 2"#))
        lanes.pushed(after: .microseconds(60))
        #expect(has(#"nkul_stage_seconds_count{stage="pushed"} 1"#))
    }

    @Test func `housekeeping is counted by lane`() {
        var done = JournalMaintenance()
        done.trimmedBlocks = 3
        done.detached = ["rewards"]
        lanes.maintained([.batch: done])
        lanes.maintained([.batch: done])
        #expect(has(#"nkul_lane_trimmed_blocks_total{lane="batch"} 6"#))
        #expect(has(#"nkul_lane_reader_detachments_total{lane="batch"} 2"#))
    }

    @Test func `refusals are counted by reason, queues by depth and limit`() {
        let refusals = RefusalMetrics(metrics)
        refusals.count("busy")
        refusals.count("busy")
        refusals.count("journal_full")
        #expect(has(#"nkul_refused_total{reason="busy"} 2"#) && has(#"nkul_refused_total{reason="journal_full"} 1"#))
        metrics.queue("commit", unit: "rows", limit: 9) { 4 }
        metrics.queueRefusals("commit").add()
        #expect(has(#"nkul_queue_depth{queue="commit",unit="rows"} 4"#))
        #expect(has(#"nkul_queue_limit{queue="commit",unit="rows"} 9"#))
        #expect(has(#"nkul_queue_refused_total{queue="commit"} 1"#))
    }
}
