import Foundation
internal import Models
import ServiceKit

/// What `nkul up` says once all services are ready.
struct UpAnnouncement: Encodable, Equatable {
    let ready = true
    /// Where phones send to: `http://127.0.0.1:8080`; left out if ingest is not among the services.
    var device_api: String?
    /// Where operators read from.
    var mno_api: String?
    var dashboard: String?
    /// ZeroMQ endpoints of the regulator's alerts.
    var alerts_pub: String?
    var alerts_replay: String?
    var home: String
    var token_file: String
    var pids: [String: Int32]

    init(home: Home, records: [ServiceRecord]) {
        let listeners = records.reduce(into: [:]) { $0.merge($1.listeners) { $1 } }
        device_api = listeners["device_api"].map { "http://\($0)" }
        mno_api = listeners["mno_api"].map { "http://\($0)" }
        dashboard = mno_api.map { $0 + "/" }
        alerts_pub = listeners["alerts_pub"]
        alerts_replay = listeners["alerts_replay"]
        self.home = home.path
        token_file = home.keys + "/regulator.token"
        pids = Dictionary(uniqueKeysWithValues: records.map { ($0.service.rawValue, $0.pid) })
    }

    /// The same where phones and operators are served behind TLS.
    var behindTLS: UpAnnouncement {
        var secure = self
        secure.device_api = device_api?.replacing(/^http:/, with: "https:")
        secure.mno_api = mno_api?.replacing(/^http:/, with: "https:")
        secure.dashboard = dashboard?.replacing(/^http:/, with: "https:")
        return secure
    }

    /// One line.
    var json: String {
        (try? SortedJSON.text(of: self)) ?? "{}"
    }

    /// Some lines, the first of them `ready`.
    var text: String {
        let rows: [(String, String?)] = [
            ("device API", device_api), ("MNO API", mno_api), ("dashboard", dashboard), ("alerts", alerts_pub),
            ("alert replay", alerts_replay), ("token", dashboard == nil ? nil : "cat \(token_file)"), ("home", home),
        ]
        let lines = rows.compactMap { name, value in
            value.map { "  \(name)\(String(repeating: " ", count: 14 - name.count))\($0)" }
        }
        return (["ready"] + lines).joined(separator: "\n")
    }
}
