import type { UsageSource, UsageSourceName } from './usage-source.ts'

export type Candidates = {
  /** A single source, or the best source that responds. */
  wanted: UsageSourceName | 'auto' | 'none'
  /** In order of preference, without sources that are disabled or have no address. */
  sources: readonly UsageSource[]
  /** The timeout of each source. Default 60. */
  patienceSeconds?: number
}

/** Tries the sources in order; the samples are discarded. */
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
      failures.push(`${source.name} returns no container usage`)
    } catch (error) {
      failures.push(`${source.name}: ${error instanceof Error ? error.message : 'the source failed'}`)
    }
  }
  return { why: failures.length === 0 ? 'no source is configured' : failures.join('; ') }
}
