import Ingest
import IngestSupport
import Models
import Alarms
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .ingest, IngestConfiguration.self, summary: "Takes reports from phones and hands them to the lanes.",
            build: { try buildIngest($0, $1, .ofThisBuild) }
        ).run()
    }
}
