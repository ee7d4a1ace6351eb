import Notifier
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .notifier, NotifierConfiguration.self,
            summary: "Tells channels of alarms: webhooks, Alertmanager, e-mail and Web Push, at least once.",
            build: buildNotifier
        ).run()
    }
}
