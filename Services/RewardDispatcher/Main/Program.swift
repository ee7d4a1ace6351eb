import Models
import Alarms
import RewardDispatcher
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .rewardDispatcher, RewardDispatcherConfiguration.self,
            summary: "Pays subscribers for feedback: once, whatever times out.",
            build: { try buildRewardDispatcher($0, $1, .ofThisBuild) }
        ).run()
    }
}
