import BatchAggregator
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .batchAggregator, BatchAggregatorConfiguration.self,
            summary: "Counts reports into statistics cells and publishes those that change.",
            actions: BatchAggregatorActions.all, build: buildBatchAggregator
        ).run()
    }
}
