import { expect, test } from 'vitest'
import { isFull, rounds } from '../../../test/rounds.ts'
import { runCrashRounds } from './crash-rounds.ts'

const kinds = ['server', 'backend', 'postmaster'] as const
const wanted = rounds({ short: kinds.length, full: 50 })

test(
  'a service and a database that are killed at any statement store the same rows as in a run without crashes',
  { timeout: 600_000 },
  async () => {
    // Both spans contain the end of an hour.
    const span = isFull ? { minutes: 130 } : { startMinute: 50, minutes: 15 }
    const { kills, pairs } = await runCrashRounds({ seed: 1, rounds: wanted, ...span, firstKills: kinds })
    expect(kills.server + kills.backend + kills.postmaster).toBe(wanted)
    expect(Math.min(kills.server, kills.backend, kills.postmaster)).toBeGreaterThan(0)
    for (const { crashed, calm } of pairs) expect(crashed).toEqual(calm)
  },
)
