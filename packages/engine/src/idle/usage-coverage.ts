import type { Resource } from '../units.ts'
import type { NamespaceQuantities } from './idle-quantities.ts'

/** The share of container time with usage data. Without containers there is no share. */
export type Coverage = { kind: 'known'; fraction: number } | { kind: 'unknown'; reason: 'no-containers' }

export function usageCoverage(namespaces: readonly NamespaceQuantities[]): Readonly<Record<Resource, Coverage>> {
  const coverageOf = (resource: Resource): Coverage => {
    const uses = namespaces.map(({ use }) => use[resource])
    const seconds = uses.reduce((sum, use) => sum + use.seconds, 0n)
    const knownSeconds = uses.reduce((sum, use) => sum + use.knownSeconds, 0n)
    if (seconds === 0n) return { kind: 'unknown', reason: 'no-containers' }
    return { kind: 'known', fraction: Number(knownSeconds) / Number(seconds) }
  }
  return { cpu: coverageOf('cpu'), memory: coverageOf('memory'), gpu: coverageOf('gpu') }
}
