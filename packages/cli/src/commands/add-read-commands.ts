import type { Command } from 'commander'
import type { Client } from '@plimsoll/client'
import { routes } from '@plimsoll/contract/routes'
import { costCommands } from './cost-commands.ts'
import { findClusterId, requireClusterId } from './find-cluster.ts'
import { fleetCommands } from './fleet-commands.ts'
import { optionName, queryOptions } from './query-options.ts'
import type { ReadCommand } from './read-command.ts'
import { savingsCommands } from './savings-commands.ts'
import type { Session } from './session.ts'

export const readCommands: readonly ReadCommand[] = [...fleetCommands, ...costCommands, ...savingsCommands]

export function addReadCommands(program: Command, session: Session): void {
  for (const each of readCommands) addReadCommand(program, each, session)
}

/** The command for the words, below a command for the words before, if any. */
function commandOf(program: Command, words: string): Command {
  const [first = '', second] = words.split(' ')
  if (second === undefined) return program.command(first)
  const parent = program.commands.find((each) => each.name() === first) ?? addGroup(program, first)
  return parent.command(second, { isDefault: second === 'list' })
}

const groupSummaries: Readonly<Record<string, string>> = {
  recommendations: 'List, show, approve and reject recommendations',
  plan: 'Show plans, and approve or reject their steps',
}

const addGroup = (program: Command, name: string) => program.command(name).summary(groupSummaries[name] ?? name)

type OptionValues = Readonly<Record<string, string | true | undefined>>

const inPath = (operation: ReadCommand['operation']) => routes[operation].includes(':cluster_id')

function addReadCommand(program: Command, spec: ReadCommand, session: Session): void {
  const command = commandOf(program, spec.words).summary(spec.summary).description(`${spec.summary}.`)
  for (const argument of spec.args) command.argument(`<${argument === 'q' ? 'text' : argument}>`)
  for (const name of inPath(spec.operation) ? ['cluster_id', ...spec.query] : spec.query) addOption(command, name)
  command.action(async () => {
    const { client } = await session.connect()
    const answer = await callOf(client, spec, { args: command.args, options: command.opts<OptionValues>() })
    await session.show(answer, () => spec.present(answer))
  })
}

function addOption(command: Command, name: string): void {
  const [placeholder, help] = queryOptions[name] ?? ['', '']
  command.option(`--${optionName(name)}${placeholder === '' ? '' : ` <${placeholder}>`}`, help)
}

/** `share-idle` is the property `shareIdle` of the options. */
const propertyOf = (name: string) =>
  optionName(name).replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

type Given = { args: readonly string[]; options: OptionValues }

async function callOf(client: Client, spec: ReadCommand, { args, options }: Given): Promise<unknown> {
  const optionOf = (name: string) => options[propertyOf(name)]
  const cluster = typeof options.cluster === 'string' ? options.cluster : undefined
  const named = Object.fromEntries(spec.args.map((name, at) => [name, args[at] ?? '']))
  const query = Object.fromEntries(spec.query.map((name) => [name, optionOf(name)]))
  const isInPath = inPath(spec.operation)
  if (!isInPath && cluster !== undefined) query.cluster_id = await findClusterId(client, cluster)
  const params = isInPath ? { ...named, cluster_id: await requireClusterId(client, cluster) } : named
  // The compiler has checked the names in the table of commands. The server checks the values.
  const call = client[spec.operation] as (input: object) => Promise<unknown>
  return call({ params, query: { ...query, ...(spec.args.includes('q') ? named : {}) } })
}
