import type { StoredEvidence } from './present-evidence.ts'

/**
 * The few numbers that a list shows. They are stored beside the evidence, because the evidence is large and slow to
 * unpack.
 */
export type EvidenceDigest = {
  hours: number | null
  coverage: number | null
  cpu_p95: number | null
  memory_max: number | null
  /** The replay of the window with the proposed size; null: no replay. */
  proposed: Replayed | null
  current: Replayed | null
  /** The time of the evidence that the digest belongs to. An older version rewrites the evidence and not the digest. */
  written_at: string
}

type Replayed = { minutes_short: number; oom_days: number }

export function digestOf({ window, coverage, usage, backtest }: StoredEvidence, writtenAt: Date): EvidenceDigest {
  const replayed = (wanted: 'proposed' | 'current'): Replayed | null => {
    const found = backtest.results.find(({ who }) => who === wanted)
    return found ? { minutes_short: found.minutes_short, oom_days: found.oom_days } : null
  }
  return {
    hours: window?.hours ?? null,
    coverage,
    cpu_p95: usage.cpu_millicores?.p95 ?? null,
    memory_max: usage.memory_bytes?.max ?? null,
    proposed: replayed('proposed'),
    current: replayed('current'),
    written_at: writtenAt.toISOString(),
  }
}
