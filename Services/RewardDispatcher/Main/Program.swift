import RewardDispatcher
import ServiceKit

@main
enum Program {
    static func main() async {
        await ServiceMain(
            .rewardDispatcher, RewardDispatcherConfiguration.self,
            summary: "Pays subscribers for feedback: once, whatever times out.", build: buildRewardDispatcher
        ).run()
    }
}
