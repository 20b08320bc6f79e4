import { plainName, ruleName } from './words.ts'

/** A detail of the audit for people: names instead of ids where they are known. */
export function detailWords(name: string, value: unknown, clusterName: (id: string) => string): [string, string] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (name === 'cluster_id') return ['cluster', clusterName(text) || text]
  if (name === 'rule_id') return ['rule', ruleName(text)]
  return [plainName(name), text]
}
