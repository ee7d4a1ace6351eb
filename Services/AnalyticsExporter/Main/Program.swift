import AnalyticsExporter
import Models
import Alarms
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .analyticsExporter, AnalyticsExporterConfiguration.self,
            summary: "Keeps raw rows, statistics cells and alarms, and shows them to operators and the regulator.",
            build: { try AnalyticsExporter.build($0, $1, .ofThisBuild) }
        ).run()
    }
}
