import { day } from './time.ts'
import { plainName, ruleName } from './labels.ts'

type Names = {
  clusterName: (id: string) => string
  /** Undefined: the rules are not loaded, or the rule no longer exists. */
  ruleShortName: (id: string) => string | undefined
}

/** One detail of an audit entry: names replace known ids, text replaces JSON. */
export function detailWords(name: string, value: unknown, names: Names): [string, string] {
  const text = plainText(value)
  if (name === 'cluster_id') return ['cluster', names.clusterName(text) || text]
  if (name === 'rule_id') return ['rule', ruleName({ rule_id: text, rule_name: names.ruleShortName(text) })]
  if (name === 'user_id') return ['user', `…${text.slice(-8)}`]
  if (name === 'job_id') return ['job', text]
  if (name === 'scopes') return ['permissions', value === null ? 'same as its owner' : text]
  if (name === 'expires_at') return ['expires', typeof value === 'string' ? day(value) : 'never']
  return [plainName(name), text]
}

/** Lists and objects are written out as text. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(plainText).join(', ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, part]) => `${plainName(name)} ${plainText(part)}`)
      .join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
