import { Compile } from 'typebox/compile'
import {
  AgentFacts,
  BalancerColumns,
  EndColumns,
  EventColumns,
  MinuteColumns,
  NamespaceColumns,
  NodeColumns,
  ObjectColumns,
  PodColumns,
  Snapshot,
  VolumeColumns,
  type Batch,
} from './batch.ts'
import { NodeHourColumns, UsageHourColumns } from './history.ts'
import { holdsStorableTexts, withStorableTexts } from './stored-text.ts'

export type ParsedBatch = { kind: 'batch'; batch: Batch } | { kind: 'unreadable'; reason: string }

/** `runs`: columns with several entries per row; a count column has their number. */
type Table = { columns: string[]; optional: string[]; runs: { count: string; columns: string[] }[] }

const table = (schema: { properties: object; required?: readonly string[] }, ...runs: Table['runs']): Table => {
  const inRuns = new Set(runs.flatMap((run) => run.columns))
  const isRequired = (name: string) => schema.required?.includes(name) ?? false
  const columns = Object.keys(schema.properties).filter((name) => !inRuns.has(name))
  return { columns: columns.filter(isRequired), optional: columns.filter((name) => !isRequired(name)), runs }
}

const sampleColumns = ['pod_ref', 'container', 'cpu_mean', 'cpu_above', 'memory_mean', 'memory_above']

const tables: Record<string, Table> = {
  nodes: table(NodeColumns),
  pods: table(PodColumns),
  volumes: table(VolumeColumns, { count: 'mount_count', columns: ['mounted_pod_ref'] }),
  balancers: table(BalancerColumns, { count: 'ready_count', columns: ['ready_pod_ref'] }),
  ends: table(EndColumns),
  minutes: table(MinuteColumns, { count: 'sample_count', columns: sampleColumns }),
  events: table(EventColumns),
}

/** Tables of backfill, or tables that older agents do not send. */
const optionalTables: Record<string, Table> = {
  namespaces: table(NamespaceColumns),
  objects: table(ObjectColumns),
  hours: table(NodeHourColumns, {
    count: 'sample_count',
    columns: ['pod_ref', 'container', 'cpu_mean', 'memory_mean'],
  }),
  usage: table(
    UsageHourColumns,
    { count: 'cpu_bucket_count', columns: ['cpu_bucket', 'cpu_pod_minutes'] },
    { count: 'memory_bucket_count', columns: ['memory_bucket', 'memory_pod_minutes'] },
  ),
}

const isAgentFacts = Compile(AgentFacts)
const isSnapshot = Compile(Snapshot)

/**
 * Parses a body and checks its structure: every table exists, its columns have equal length, its runs fit. Values are
 * checked per row during reading, so an invalid record never drops the rest of the batch.
 */
export function parseBatch(text: string): ParsedBatch {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return unreadable('the body is not JSON')
  }
  if (!isRecord(value)) return unreadable('the body is not an object')
  // Only an escape sequence can contain a character that the database cannot store.
  if (text.includes('\\u')) blankUnstorable(value)
  return check(value) ?? { kind: 'batch', batch: value as Batch }
}

/**
 * An unstorable dictionary entry becomes unreadable, which drops only the records that refer to it. Agent facts may
 * quote any text, so only their unstorable characters are replaced.
 */
function blankUnstorable(body: Record<string, unknown>): void {
  for (const name of ['shapes', 'specs', 'taint_sets']) {
    const list = body[name]
    if (Array.isArray(list)) body[name] = list.map((each: unknown) => (holdsStorableTexts(each) ? each : null))
  }
  const { agent } = body
  if (isRecord(agent) && agent.conditions !== undefined) agent.conditions = withStorableTexts(agent.conditions)
  for (const name of ['agent', 'snapshot']) if (!holdsStorableTexts(body[name])) body[name] = null
}

function check(body: Record<string, unknown>): ParsedBatch | undefined {
  if (!isAgentFacts.Check(body.agent)) return unreadable('agent does not match the schema')
  if (body.snapshot !== undefined && !isSnapshot.Check(body.snapshot))
    return unreadable('snapshot does not match the schema')
  if (!isCount(body.observed_at)) return unreadable('observed_at is not a time')
  for (const name of ['strings', 'label_sets', 'shapes']) {
    if (!Array.isArray(body[name])) return unreadable(`${name} is not a list`)
  }
  for (const name of ['taint_sets', 'specs']) {
    if (body[name] !== undefined && !Array.isArray(body[name])) return unreadable(`${name} is not a list`)
  }
  const present = Object.entries(optionalTables).filter(([name]) => body[name] !== undefined)
  for (const [name, wanted] of [...Object.entries(tables), ...present]) {
    const wrong = checkTable(body[name], wanted)
    if (wrong !== undefined) return unreadable(`${name}: ${wrong}`)
  }
  return undefined
}

function checkTable(value: unknown, { columns, optional, runs }: Table): string | undefined {
  if (!isRecord(value)) return 'is missing'
  const lengthOf = (name: string) => (Array.isArray(value[name]) ? value[name].length : -1)
  const rows = lengthOf(columns[0] ?? '')
  const given = [...columns, ...optional.filter((name) => value[name] !== undefined)]
  const uneven = given.find((name) => lengthOf(name) !== rows || rows < 0)
  if (uneven !== undefined) return `${uneven} is not a column of ${rows} values`
  for (const run of runs) {
    const counts = value[run.count] as unknown[]
    if (!counts.every(isCount)) return `${run.count} contains values that are not counts`
    const entries = counts.reduce<number>((sum, count) => sum + count, 0)
    const short = run.columns.find((name) => lengthOf(name) !== entries)
    if (short !== undefined) return `${short} is not a column of ${entries} values`
  }
  return undefined
}

export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unreadable = (reason: string): ParsedBatch => ({ kind: 'unreadable', reason })
