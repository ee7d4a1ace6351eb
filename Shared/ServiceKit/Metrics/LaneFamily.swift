/// Every figure of lanes: name, type and help in one place.
enum LaneFamily: String, CaseIterable {
    case head = "nkul_lane_head_block"
    case oldest = "nkul_lane_oldest_block"
    case bytes = "nkul_lane_bytes"
    case limit = "nkul_lane_limit_bytes"
    case full = "nkul_lane_full"
    case trimmed = "nkul_lane_trimmed_blocks_total"
    case compacted = "nkul_lane_compacted_blocks_total"
    case detachments = "nkul_lane_reader_detachments_total"
    case readerCursor = "nkul_lane_reader_cursor_block"
    case readerLagBlocks = "nkul_lane_reader_lag_blocks"
    case readerLagSeconds = "nkul_lane_reader_lag_seconds"
    case readerRequired = "nkul_lane_reader_required"
    case readerDetached = "nkul_lane_reader_detached"
    case readerSeen = "nkul_lane_reader_seen_timestamp_seconds"
    case cursor = "nkul_lane_cursor_block"
    case knownHead = "nkul_lane_known_head_block"
    case lagBlocks = "nkul_lane_lag_blocks"
    case lagSeconds = "nkul_lane_lag_seconds"
    case connected = "nkul_lane_connected"
    case silence = "nkul_lane_silence_seconds"
    case heartbeat = "nkul_lane_heartbeat_timestamp_seconds"
    case missed = "nkul_lane_missed_blocks_total"
    case delay = "nkul_lane_delay_seconds"
    case queueDepth = "nkul_queue_depth"
    case queueLimit = "nkul_queue_limit"

    var kind: Metrics.Kind {
        switch self {
        case .trimmed, .compacted, .detachments, .missed: .counter
        case .delay: .histogram
        default: .gauge
        }
    }

    var help: String {
        switch self {
        case .head: "Last block of a lane that this service writes."
        case .oldest: "First block that the journal may still have."
        case .bytes: "Bytes of the blocks that the journal has."
        case .limit: "Bytes from which the journal refuses input."
        case .full: "1 while the journal refuses input."
        case .trimmed: "Blocks that every reader was past and that went."
        case .compacted: "Blocks of a state lane that were rewritten."
        case .detachments: "Times that an optional reader was too far behind and was detached."
        case .readerCursor: "Last block that a reader said it has committed."
        case .readerLagBlocks: "Blocks that a reader has not committed."
        case .readerLagSeconds: "Age of the oldest block that a reader has not committed."
        case .readerRequired: "1 if blocks are kept for the reader whatever happens."
        case .readerDetached: "1 while the reader holds nothing back, because it was too far behind."
        case .readerSeen: "When the reader was last heard of, Unix time; 0 never."
        case .cursor: "Last block of a lane whose effects this service has committed."
        case .knownHead: "Last block that the writer is known to have."
        case .lagBlocks: "Blocks between cursor and known head."
        case .lagSeconds: "Age of the oldest block that is known and not applied, at most."
        case .connected: "1 in a session with the lane's writer while that is heard."
        case .silence: "Since the lane's writer was last heard, or since this service began to listen."
        case .heartbeat: "The writer's clock in its last heartbeat, Unix time; 0 before the first."
        case .missed: "Blocks that the writer no longer had when they were asked for."
        case .delay: "From the commit of a block at its writer to the commit of its effects here."
        case .queueDepth: Metrics.depthHelp
        case .queueLimit: Metrics.limitHelp
        }
    }
}
