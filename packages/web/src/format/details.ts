import { day } from './time.ts'
import { plainName, ruleName } from './words.ts'

/** A detail of the audit for people: names instead of ids where they are known, and words instead of JSON. */
export function detailWords(name: string, value: unknown, clusterName: (id: string) => string): [string, string] {
  const text = plainText(value)
  if (name === 'cluster_id') return ['cluster', clusterName(text) || text]
  if (name === 'rule_id') return ['rule', ruleName({ rule_id: text })]
  if (name === 'user_id') return ['user', `…${text.slice(-8)}`]
  if (name === 'scopes') return ['may', value === null ? 'all that its owner may' : text]
  if (name === 'expires_at') return ['ends', typeof value === 'string' ? day(value) : 'never']
  return [plainName(name), text]
}

/** What has parts is told part by part. */
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
