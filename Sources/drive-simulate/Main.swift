import DriveTesting
import Glibc

@main struct Main {
    static func main() async {
        let options: Options
        do { options = try Options(CommandLine.arguments.dropFirst()) } catch {
            print("\(error)\n\n\(Options.help)")
            exit(64)
        }
        if let file = options.cases { exit(await CaseFile(file).run(options.device) ? 0 : 1) }
        let tally = await SeedRange(options).run()
        print(tally)
        exit(tally.failedSeeds.isEmpty ? 0 : 1)
    }
}
