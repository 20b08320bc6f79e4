import type { StoredEvidence } from './present-evidence.ts'

/** The few numbers that fit into a table, kept beside the evidence: that is large, and takes long to unpack. */
export type EvidenceDigest = {
  hours: number | null
  coverage: number | null
  cpu_p95: number | null
  memory_max: number | null
  /** What the window would have been like; null where nothing was replayed. */
  proposed: Replayed | null
  current: Replayed | null
  /** Of which evidence it is: an older version writes that anew and leaves this as it was. */
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
