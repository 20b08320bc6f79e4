import type { Command } from 'commander'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { yesNo, text } from '../output/cells.ts'
import { render, type OutputFormat } from '../output/render.ts'
import { tableOf } from '../output/presentation.ts'
import type { CliDeps } from '../cli-deps.ts'
import { usageError } from '../exit-codes.ts'
import { keyPath, readConfig, writeConfig, writePrivate, type Context } from './config-file.ts'
import { keyIn, openClient, readKeyFile, runKeyCommand, serverOf } from './connection.ts'

type LoginOptions = { server: string; name: string; keyFile?: string; keyStdin?: true; keyCommand?: string[] }

export function addContextCommands(program: Command, deps: CliDeps, format: () => OutputFormat): void {
  program
    .command('login')
    .summary('Check an API key and store the server as a context')
    .description(
      'Checks the API key and stores the server as a context, which becomes the current one. ' +
        'A key from standard input is stored in a file that only you can read. ' +
        'No option accepts the key itself, because other users can see the arguments of a process.',
    )
    .requiredOption('--server <url>', 'address of the server')
    .option('--name <name>', 'name of the context', 'default')
    .option('--key-file <file>', 'file that contains the API key')
    .option('--key-stdin', 'read the API key from standard input')
    .option('--key-command <program...>', 'program that prints the API key, and its arguments')
    .action((options: LoginOptions) => logIn(deps, options))
  const contexts = program.command('context').summary('List, select or delete contexts')
  contexts
    .command('list', { isDefault: true })
    .summary('List the contexts')
    .action(async () => deps.print(await listContexts(deps, format())))
  contexts
    .command('use <name>')
    .summary('Select the current context')
    .action((name: string) => selectContext(deps, name))
  contexts
    .command('delete <name>')
    .summary('Delete a context and its stored API key')
    .action((name: string) => deleteContext(deps, name))
}

async function logIn(deps: CliDeps, options: LoginOptions): Promise<void> {
  const { name } = options
  if (!/^[A-Za-z0-9][-A-Za-z0-9_.]{0,62}$/.test(name)) throw usageError(`"${name}" is not a name for a context.`)
  const server = serverOf(options.server)
  const { key, ...source } = await keySource(deps, options)
  const { user, permissions } = await openClient(deps, server, key).getMe()
  if (options.keyStdin) await writePrivate(keyPath(deps, name), `${key}\n`)
  const config = await readConfig(deps)
  const others = config.contexts.filter((each) => each.name !== name)
  await writeConfig(deps, { current: name, contexts: [...others, { name, server, ...source }] })
  deps.print(`Context "${name}": ${server} as ${user.email} (${user.role}, ${permissions.length} permissions).\n`)
}

type KeySource = Pick<Context, 'key_file' | 'key_command'> & { key: string }

async function keySource(deps: CliDeps, { name, keyFile, keyStdin, keyCommand }: LoginOptions): Promise<KeySource> {
  const sources = [keyFile, keyStdin, keyCommand].filter((each) => each !== undefined)
  if (sources.length !== 1) throw usageError('Use one of --key-file, --key-stdin and --key-command.')
  if (keyCommand) return { key: await runKeyCommand(keyCommand), key_command: keyCommand }
  if (keyStdin) return { key: keyIn(await deps.readStdin(), 'Standard input'), key_file: keyPath(deps, name) }
  const path = resolve(deps.workingDirectory, keyFile ?? '')
  return { key: await readKeyFile(path), key_file: path }
}

async function listContexts(deps: CliDeps, format: OutputFormat): Promise<string> {
  const config = await readConfig(deps)
  return render(format, config, () => ({
    table: tableOf(config.contexts, [
      ['name', ({ name }) => text(name)],
      ['server', ({ server }) => text(server)],
      ['key', ({ key_file: file, key_command: command }) => text(file ?? command?.join(' '))],
      ['current', ({ name }) => yesNo(name === config.current)],
    ]),
  }))
}

async function selectContext(deps: CliDeps, name: string): Promise<void> {
  const config = await readConfig(deps)
  if (!config.contexts.some((each) => each.name === name)) throw usageError(`There is no context "${name}".`)
  await writeConfig(deps, { ...config, current: name })
}

/** A key file that the user named is not deleted. */
async function deleteContext(deps: CliDeps, name: string): Promise<void> {
  const { current, contexts } = await readConfig(deps)
  const found = contexts.find((each) => each.name === name)
  if (!found) throw usageError(`There is no context "${name}".`)
  const rest = contexts.filter((each) => each !== found)
  await writeConfig(deps, { current: current === name ? undefined : current, contexts: rest })
  const own = keyPath(deps, name)
  if (found.key_file === own) await rm(own, { force: true })
}
