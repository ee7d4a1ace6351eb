import AlertRouter
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .alertRouter, AlertRouterConfiguration.self,
            summary: "Raises alarms from urgent records and tells subscribers at once.", build: buildAlertRouter
        ).run()
    }
}
