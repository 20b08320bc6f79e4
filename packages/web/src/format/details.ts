import { momentWithZone } from './time.ts'
import { plainName, ruleName } from './labels.ts'

type Names = {
  clusterName: (id: string) => string
  /** Undefined: the rules are not loaded, or the rule no longer exists. */
  ruleShortName: (id: string) => string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The details of an audit entry as label and text. Of a change, each field with its value before and after. */
export function detailLines(detail: Fields, names: Names): [label: string, text: string][] {
  const { before, after, ...others } = detail
  const single = Object.entries(others).map(([name, value]) => detailWords(name, value, names))
  if (!isFields(before) || !isFields(after))
    return [...single, ...Object.entries({ before, after }).flatMap(([name, value]) => lineOf(name, value, names))]
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name): [string, string] => {
    const [label, old] = detailWords(name, before[name], names)
    const [, next] = detailWords(name, after[name], names)
    return [label, `${old} → ${next}`]
  })
  return [...single, ...changed]
}

const lineOf = (name: string, value: unknown, names: Names) =>
  value === undefined ? [] : [detailWords(name, value, names)]

/** One detail of an audit entry: names replace known ids, text replaces JSON. */
export function detailWords(name: string, value: unknown, names: Names): [string, string] {
  const text = plainText(value, names, codeFields.has(name))
  if (name === 'rule_id')
    return ['rule', ruleName({ rule_id: String(value), rule_name: names.ruleShortName(String(value)) })]
  if (name === 'user_id') return ['user', `…${text.slice(-8)}`]
  if (name === 'scopes') return ['permissions', value === null ? 'same as its owner' : text]
  if (name === 'expires_at') return ['expires', value === null ? 'never' : text]
  // A channel without a list of events receives all of them.
  if (name === 'events' && value === null) return [name, 'all']
  if (isGrantPart(name)) return [name, value === null || value === undefined ? 'all' : text]
  if (name.endsWith('_percent')) return [labelOf(name.slice(0, -'_percent'.length)), `${text} %`]
  return [labelOf(name), text]
}

/** Fields whose values are codes of the API. Other fields can have names that users gave. */
const codeFields: ReadonlySet<string> = new Set(['action', 'event', 'events', 'kind', 'rule', 'rules', 'status'])

/** A role without a list of clusters, namespaces or teams sees all of them. */
const isGrantPart = (name: string) => ['clusters', 'namespaces', 'teams'].includes(name)

const labels: Readonly<Record<string, string>> = {
  channel_ids: 'channels',
  created_at: 'created',
  end_sessions: 'ends all sessions',
  parent_id: 'parent budget',
  taken_out_of_roles: 'removed from roles',
  usd_per_hour: '$ per hour',
}

/** Without the suffix of an id, which the value shows. */
const labelOf = (name: string) => labels[name] ?? plainName(name.replace(/_id$/, ''))

/** Lists and objects are written out as text. */
function plainText(value: unknown, names: Names, isCode: boolean): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((each) => plainText(each, names, isCode)).join(', ')
  if (isFields(value)) return fieldsText(value, names)
  if (typeof value !== 'string') return JSON.stringify(value)
  return isCode ? plainName(value) : wordOf(value, names)
}

function fieldsText(fields: Fields, names: Names): string {
  const words = Object.entries(fields).map(([name, value]) => detailWords(name, value, names).join(' '))
  return words.length === 0 ? 'none' : words.join(', ')
}

/** Ids of clusters become names, and times get a time zone. */
function wordOf(text: string, { clusterName }: Names): string {
  if (text.startsWith('cls_')) return clusterName(text) || text
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return momentWithZone(text)
  return text
}
