import { expect, test } from 'vitest'
import { runCrashRounds } from './crash-rounds.ts'

test(
  'whoever is killed, and whenever: what is stored in the end is what a calm run stores',
  { timeout: 600_000 },
  async () => {
    const { kills, pairs } = await runCrashRounds({ seed: 1, rounds: 50 })
    expect(kills.server + kills.backend + kills.postmaster).toBe(50)
    expect(Math.min(kills.server, kills.backend, kills.postmaster)).toBeGreaterThan(0)
    for (const { crashed, calm } of pairs) expect(crashed).toEqual(calm)
  },
)
