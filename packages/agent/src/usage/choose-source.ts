import type { UsageSource, UsageSourceName } from './usage-source.ts'

export type Candidates = {
  /** Only this one, or the best that answers. */
  wanted: UsageSourceName | 'auto' | 'none'
  /** The best first; those that nobody has allowed or given an address of are not in it. */
  sources: readonly UsageSource[]
  /** For so long each may take to answer. Default 60. */
  patienceSeconds?: number
}

/** Tries them in turn, with a look that nobody keeps. */
export async function chooseSource(
  { wanted, sources, patienceSeconds = 60 }: Candidates,
  signal: AbortSignal,
): Promise<UsageSource | { why: string }> {
  if (wanted === 'none') return { why: 'usage is turned off' }
  const candidates = sources.filter(({ name }) => wanted === 'auto' || name === wanted)
  const failures: string[] = []
  for (const source of candidates) {
    let seen = 0
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceSeconds * 1000)])
    const count = () => void (seen += 1)
    try {
      await source.sample({ cpuCounter: count, cpuRate: count, memory: count }, patience)
      if (seen > 0) return source
      failures.push(`${source.name} returns no containers`)
    } catch (error) {
      failures.push(`${source.name}: ${error instanceof Error ? error.message : 'it failed'}`)
    }
  }
  return { why: failures.length === 0 ? 'no source is configured' : failures.join('; ') }
}
