package import ArgumentParser
import QoE

/// `nkul admin`: asks running services on their control sockets; never opens a database.
package struct AdminCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract:
            "Talks to the running services: tenants, contacts, devices, readers, alarms, rules, channels, schedules, escalations, maintenance, sites, sensors, doors, keys, campaigns, rewards, prompt policy, audit log, erasures, copies for subscribers, retention, exports.",
        discussion: """
            It asks the services on NKUL_HOME/run/<service>.control, so it works while they run and as their user only. \
            A service that is down is named, with how to start it. With --json the answer is one line of JSON.
            """,
        subcommands: [
            AdminStatus.self, AdminTenant.self, AdminContact.self, AdminDevice.self, AdminReader.self, AdminAlarm.self,
            AdminRule.self, AdminChannel.self, AdminSchedule.self, AdminEscalation.self, AdminMaintenance.self,
            AdminSite<SiteWords>.self, AdminSite<SensorWords>.self,
            AdminSite<DoorWords>.self, AdminSite<KeyWords>.self,
            AdminCampaign.self, AdminRewards.self, AdminPromptPolicy.self, AdminAudit.self, AdminErasure.self,
            AdminRetention.self, AdminAccess.self, AdminExports.self,
        ])

    package init() {}
}
