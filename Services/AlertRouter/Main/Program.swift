import AlertRouter
import Models
import Alarms
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .alertRouter, AlertRouterConfiguration.self,
            summary: "Raises alarms from urgent records and tells subscribers at once.",
            build: { try buildAlertRouter($0, $1, .ofThisBuild) }
        ).run()
    }
}
