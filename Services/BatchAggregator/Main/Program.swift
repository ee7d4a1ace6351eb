import BatchAggregator
import Models
import Alarms
import ServiceKit

@main
enum Program {
    static func main() async {
        let programmes = Programmes.ofThisBuild
        await ServiceMain(
            .batchAggregator, BatchAggregatorConfiguration.self,
            summary: "Counts reports into statistics cells and publishes those that change.",
            actions: BatchAggregatorActions.all(programmes), build: { try buildBatchAggregator($0, $1, programmes) }
        ).run()
    }
}
