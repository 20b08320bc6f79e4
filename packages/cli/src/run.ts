import { Command, CommanderError, Option } from 'commander'
import type { CliDeps } from './cli-deps.ts'
import { addReadCommands } from './commands/add-read-commands.ts'
import { addExportCommand } from './commands/export-command.ts'
import { addManifestsCommand } from './commands/manifests-command.ts'
import { addProxyCommand } from './commands/proxy-command.ts'
import { addMoveCommands } from './commands/move-commands.ts'
import { Session, type GlobalOptions } from './commands/session.ts'
import { addCompletion } from './completion.ts'
import { addContextCommands } from './context/context-commands.ts'
import { addDoctor } from './commands/doctor.ts'
import { addApiCommand } from './commands/api-command.ts'
import { addDiffCommands } from './diff/diff-commands.ts'
import { addScanCommand } from './scan/scan-command.ts'
import { exitCodeOf, exitCodes, messageOf, type ExitCode } from './exit-codes.ts'
import { outputFormats } from './output/render.ts'
import { version } from './version.ts'

const exitCodeHelp = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 policy broken, 4 not allowed, 5 server unreachable, 6 response incomplete.
Not available yet: edit, mcp, backup, restore.
`

/** kubectl finds the program under this name, and users then type `kubectl plimsoll`. */
const kubectlPlugin = 'kubectl-plimsoll'

function programOf(deps: CliDeps, name: string): { program: Command; session: Session } {
  const program = new Command(name === kubectlPlugin ? 'kubectl plimsoll' : 'plimsoll')
  const session = new Session(deps, () => program.opts<GlobalOptions>())
  program
    .description('Cost of Kubernetes clusters, recommendations and plans from the command line.')
    .version(version)
    .addOption(new Option('-o, --output <format>', 'output format').choices([...outputFormats]).default('table'))
    .option('--context <name>', 'context to use instead of the current one')
    .option('--allow-incomplete', 'exit with 0 even if the response is incomplete')
    .addHelpText('after', exitCodeHelp)
    .showHelpAfterError('(use --help for usage)')
    .exitOverride()
    .configureOutput({ writeOut: deps.print, writeErr: deps.warn })
  // After the settings above, which the commands copy.
  addReadCommands(program, session)
  addMoveCommands(program, session)
  addManifestsCommand(program, session)
  addDiffCommands(program, session)
  addExportCommand(program, session)
  addScanCommand(program, session)
  addContextCommands(program, deps, () => session.output)
  addDoctor(program, session)
  addProxyCommand(program, session)
  addApiCommand(program, session)
  addCompletion(program, deps)
  return { program, session }
}

/** Runs the command line with the arguments after the program name. */
export async function run(args: readonly string[], deps: CliDeps, name = 'plimsoll'): Promise<ExitCode> {
  const { program, session } = programOf(deps, name)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return session.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    deps.warn(`Error: ${messageOf(error)}\n`)
    return exitCodeOf(error)
  }
}
