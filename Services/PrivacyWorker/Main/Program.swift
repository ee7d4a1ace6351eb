import PrivacyWorker
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .privacyWorker, PrivacyWorkerConfiguration.self,
            summary: "Keeps the ledger of consents and the audit log.", actions: PrivacyWorkerActions.all,
            build: buildPrivacyWorker
        ).run()
    }
}
