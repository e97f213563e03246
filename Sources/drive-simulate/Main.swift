import DriveTesting

@main struct Main {
    static func main() async {
        let a = CommandLine.arguments
        let from = UInt64(a[1])!, to = UInt64(a[2])!
        let full = a.contains("--full")
        let campaign = Campaign { setup in EngineDevice(setup) { $0.appliesEverything = full } }
        var tally = CampaignTally()
        if a.contains("--trace") {
            if let r = await campaign.shrink(from) { for l in r.trace.lines { print(l) }; print(r.failure as Any) } else { print("passes") }
            return
        }
        for seed in from..<to {
            let r = await campaign.run(seed)
            tally.add(r)
            if let f = r.failure, tally.failedSeeds.count < 15 { print(seed, "\(f)".prefix(260)) }
        }
        print(tally)
    }
}
