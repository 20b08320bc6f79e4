import type { Parsed } from '../parsed.ts'
import { sanitizedName, UNALLOCATED, type FilterSubject } from './match-filter.ts'

const plain = [
  'cluster',
  'node',
  'namespace',
  'controllerKind',
  'controller',
  'pod',
  'container',
  'service',
  'team',
  'department',
  'environment',
  'owner',
  'product',
  'deployment',
  'statefulset',
  'daemonset',
  'job',
] as const

type Plain = (typeof plain)[number]

/** What an answer is grouped by. */
export type Aggregate = { kind: Plain } | { kind: 'label' | 'annotation'; key: string }

/** The labels that the aliases of OpenCost stand for by default. The team is not a label here. */
export const ALIAS_LABELS = { department: 'department', environment: 'env', owner: 'owner', product: 'app' } as const

export const defaultAggregates: readonly Aggregate[] = [
  { kind: 'cluster' },
  { kind: 'node' },
  { kind: 'namespace' },
  { kind: 'pod' },
  { kind: 'container' },
]

const aggregatesMax = 8

/** `all` is one row. Names are not case-sensitive, except keys of labels. */
export function parseAggregates(text: string): Parsed<readonly Aggregate[], string> {
  if (text === '') return { kind: 'ok', value: defaultAggregates }
  if (text === 'all') return { kind: 'ok', value: [] }
  const found: Aggregate[] = []
  for (const part of text.split(',').map((each) => each.trim())) {
    const aggregate = aggregateOf(part)
    if (aggregate === undefined) {
      const reason = `'${part.slice(0, 80)}' is not known; use ${[...plain, 'label:<key>', 'annotation:<key>', 'all'].join(', ')}`
      return { kind: 'invalid', reason, text: part }
    }
    if (!found.some((each) => aggregateName(each) === aggregateName(aggregate))) found.push(aggregate)
  }
  if (found.length > aggregatesMax) return { kind: 'invalid', reason: `has at most ${aggregatesMax} names`, text }
  return { kind: 'ok', value: found }
}

function aggregateOf(text: string): Aggregate | undefined {
  const name = plain.find((each) => each.toLowerCase() === text.toLowerCase())
  if (name !== undefined) return { kind: name }
  const [, kind, key] = /^(label|annotation):([A-Za-z0-9_][A-Za-z0-9._/-]{0,316})$/.exec(text) ?? []
  return key === undefined ? undefined : { kind: kind === 'label' ? 'label' : 'annotation', key }
}

export const aggregateName = (aggregate: Aggregate): string =>
  'key' in aggregate ? `${aggregate.kind}:${aggregate.key}` : aggregate.kind

/** The key of a row in an answer: one field for each aggregate. Clients split it at `/`. */
export const allocationKey = (subject: FilterSubject, aggregates: readonly Aggregate[]): string =>
  aggregates.length === 0 ? 'all' : aggregates.map((each) => oneField(valueIn(subject, each))).join('/')

/** Absent values have a name, and no value may look like two fields. */
const oneField = (value: string) => (value === '' ? UNALLOCATED : value.replaceAll('/', '-'))

/** The value of a row for an aggregate; empty: absent. */
export function valueIn(subject: FilterSubject, aggregate: Aggregate): string {
  if ('key' in aggregate) return keyedValue(subject, aggregate.kind, aggregate.key)
  const { kind } = aggregate
  const { controllerKind, controllerName } = subject
  if (kind === 'cluster') return subject.cluster[0] ?? ''
  if (kind === 'service') return subject.services[0] ?? ''
  if (kind === 'controller') return controllerName === '' ? '' : `${controllerKind}:${controllerName}`
  if (kind === 'deployment' || kind === 'statefulset' || kind === 'daemonset' || kind === 'job')
    return controllerKind === kind ? controllerName : ''
  if (kind === 'team' || kind === 'department' || kind === 'environment' || kind === 'owner' || kind === 'product')
    return subject.aliases[kind] ?? ''
  return subject[kind]
}

function keyedValue(subject: FilterSubject, kind: 'label' | 'annotation', key: string): string {
  const values = subject[kind]
  if (Object.hasOwn(values, key)) return values[key] ?? ''
  const name = sanitizedName(key)
  return Object.entries(values).find(([each]) => sanitizedName(each) === name)?.[1] ?? ''
}
