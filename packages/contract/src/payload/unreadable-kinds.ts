import type { AgentFacts } from './batch.ts'

/**
 * Kinds of objects that an agent cannot list now, such as `persistentvolumes`, or `api_server` for all of them. An object of such a
 * kind that a snapshot does not list may still exist.
 */
export function unreadableKinds({ conditions = [] }: AgentFacts): Set<string> {
  const unreadable = conditions.filter(({ status }) => status === 'forbidden' || status === 'failing')
  return new Set(unreadable.map(({ kind }) => kind))
}
