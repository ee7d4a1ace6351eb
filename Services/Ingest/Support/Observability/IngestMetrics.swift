package import IngestUploads
package import Models
package import ServiceKit
internal import Wire

/// What `/metrics` says of ingest. Lock-free; from any thread.
package struct IngestMetrics: Sendable {
    let uploads: Counter
    let repeated: Counter
    let accepted: [UInt8: Counter]
    let duplicates: Counter
    let conflicts: Counter
    let rejected: [String: Counter]
    package let leftOut: [RowCode: Counter]
    package let refused: RefusalMetrics
    package let enrolments: Counter
    package let consents: Counter
    package let deferred: Counter
    package let activations: [String: Counter]
    package let unreadable: Counter
    package let callbacks: Counter
    package let geosubmit: GeosubmitMetrics
    /// WebSockets that are open.
    package let sockets: Gauge
    /// Stages: request's head → rows checked, first job waiting → on disk.
    package let parsed: Histogram
    private let committed: Histogram
    package let lanes: LaneMetrics

    package init(_ metrics: Metrics, _ programmes: Programmes) {
        uploads = metrics.counter("nkul_ingest_uploads_total", "Uploads that were answered with a receipt")
        repeated = metrics.counter("nkul_ingest_uploads_repeated_total", "Receipts that were given back")
        func rows(_ outcome: String, _ kind: String) -> Counter {
            metrics.counter(
                "nkul_ingest_rows_total", "Rows by what became of them", labels: ["outcome": outcome, "kind": kind])
        }
        accepted = programmes.kinds.reduce(into: [:]) { $0[$1.kind.id] = rows("accepted", $1.kind.name) }
        duplicates = rows("duplicate", "any")
        conflicts = rows("conflict", "any")
        var rejected: [String: Counter] = [:]
        for code in RowCode.allCases {
            rejected[code.rawValue] = metrics.counter(
                "nkul_ingest_rejected_rows_total", "Rows that were rejected, by reason",
                labels: ["reason": code.rawValue])
        }
        self.rejected = rejected
        leftOut = RowCode.allCases.reduce(into: [:]) { counters, code in
            counters[code] = metrics.counter(
                "nkul_ingest_left_out_values_total", "Values that were left out of accepted rows, by reason",
                labels: ["reason": code.rawValue])
        }
        refused = RefusalMetrics(metrics)
        enrolments = metrics.counter("nkul_ingest_enrolments_total", "Devices enrolled")
        consents = metrics.counter("nkul_ingest_consents_total", "Changes of consent that were asked for")
        activations = ActivationOutcome.names.reduce(into: [:]) { counters, name in
            counters[name] = metrics.counter(
                "nkul_ingest_activation_codes_total",
                "Activation codes that enrolments brought, by what became of them",
                labels: ["outcome": name])
        }
        deferred = metrics.counter(
            "nkul_ingest_urgent_deferred_rows_total", "Urgent rows beyond a device's rate that went to the batch lane")
        unreadable = metrics.counter(
            "nkul_ingest_unreadable_records_total", "Records of lanes that could not be read and were left out")
        callbacks = metrics.counter(
            "nkul_ingest_callbacks_total", "Calls of providers of rewards that were taken and told to the dispatcher")
        geosubmit = GeosubmitMetrics(metrics)
        sockets = metrics.gauge("nkul_ingest_realtime_connections", "WebSockets of phones that are open")
        parsed = metrics.stage("parsed")
        committed = metrics.stage("committed")
        lanes = LaneMetrics(metrics)
    }

    /// Counts a transaction, and how long the first of its jobs waited for it and in it.
    package func count(_ uploads: [Upload], took: Duration, waited: Duration) {
        lanes.commits.count(rows: uploads.reduce(0) { $0 + $1.rows.rowCount }, took: took)
        committed.observe(waited)
    }

    /// Counts an answered upload.
    package func count(_ receipt: Receipt, kind: RecordKind) {
        uploads.add()
        guard !receipt.isRepeated else { return repeated.add() }
        accepted[kind.id]?.add(receipt.accepted)
        if receipt.duplicates > 0 { duplicates.add(receipt.duplicates) }
        if receipt.conflicts > 0 { conflicts.add(receipt.conflicts) }
        for item in receipt.items {
            if item.status == .rejected, let code = item.code { rejected[code]?.add() }
            if item.status == .accepted { for value in item.leftOut { leftOut[value.code]?.add() } }
        }
    }
}
