import Foundation
import ServiceKit
import Testing

@testable import Administration

struct UpAnnouncementTests {
    private let announcement = UpAnnouncement(
        home: Home(path: "/srv/nkul"),
        records: [
            ServiceRecord(
                service: .ingest, version: "1", pid: 11, startedAt: 0,
                listeners: ["admin": "127.0.0.1:9101", "device_api": "127.0.0.1:8080"]),
            ServiceRecord(
                service: .analyticsExporter, version: "1", pid: 12, startedAt: 0,
                listeners: ["admin": "127.0.0.1:9106", "mno_api": "127.0.0.1:8090"]),
        ])

    @Test func `the JSON is one line with what scripts need`() throws {
        let json = announcement.json
        #expect(!json.contains("\n"))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["ready"] as? Bool == true)
        #expect(object["device_api"] as? String == "http://127.0.0.1:8080")
        #expect(object["mno_api"] as? String == "http://127.0.0.1:8090")
        #expect(object["dashboard"] as? String == "http://127.0.0.1:8090/")
        #expect(object["pids"] as? [String: Int] == ["ingest": 11, "analytics-exporter": 12])
    }

    @Test func `behind TLS the URLs say so`() {
        let secure = announcement.behindTLS
        #expect(secure.device_api == "https://127.0.0.1:8080" && secure.dashboard == "https://127.0.0.1:8090/")
        #expect(secure.pids == announcement.pids && secure.home == announcement.home)
    }

    @Test func `the text begins with ready and names no secret`() {
        let lines = announcement.text.split(separator: "\n")
        #expect(lines.first == "ready")
        #expect(lines.contains("  device API    http://127.0.0.1:8080"))
        #expect(announcement.text.contains("cat /srv/nkul/keys/regulator.token"))
    }

    @Test func `a second nkul up is refused, and told where the page of the first is`() throws {
        let folder = ScratchFolder(), home = Home(path: folder.path + "/home")
        try home.prepare()
        #expect(throws: Never.self) { try UpCommand.refuseSecond([.ingest], in: home, isSecure: false) }
        let lock = try HomeLock(home, of: .analyticsExporter)
        folder.write(
            "home/run/analytics-exporter.json",
            ServiceRecord(
                service: .analyticsExporter, version: "1", pid: getpid(), startedAt: 0,
                listeners: ["mno_api": "127.0.0.1:8090"]
            ).json())
        let error = #expect(throws: ServiceError.self) {
            try UpCommand.refuseSecond([.ingest, .analyticsExporter], in: home, isSecure: true)
        }
        let text = "\(try #require(error))"
        #expect(text.contains("nkul-analytics-exporter (process \(getpid())) runs already"))
        #expect(text.contains("the page is at https://127.0.0.1:8090/"))
        #expect(throws: Never.self) { try UpCommand.refuseSecond([.ingest], in: home, isSecure: true) }
        withExtendedLifetime(lock) {}
    }
}
