import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runCrashRounds } from '../../test/crash-rounds.ts'

/** fast-check seeds the stream and prints the seed of a failure. One run, because a shrunk stream adds no information. */
const chances = fc.infiniteStream(fc.noBias(fc.nat(999)).map((thousandths) => thousandths / 1000))

test('killed at any time, with a server that drops, delays and repeats: every minute arrives exactly once', async () => {
  const law = fc.asyncProperty(chances, async (stream) => {
    const report = await runCrashRounds({ rounds: 6, random: () => Number(stream.next().value) })
    expect(report.minutes).toEqual(report.minutes.map(() => 1))
    expect(report).toMatchObject({ kills: 6, gaps: [], left: 0 })
    expect(report.minutes.length).toBeGreaterThan(1)
    expect(report.spoiled).toBeGreaterThan(0)
  })
  await fc.assert(law, { numRuns: 1, endOnFailure: true })
}, 240_000)
