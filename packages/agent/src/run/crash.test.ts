import { expect, test } from 'vitest'
import { runCrashRounds } from '../../test/crash-rounds.ts'

test('killed at any moment, with a server that drops, delays and repeats: every minute is taken once, none is missing', async () => {
  const report = await runCrashRounds({ rounds: 6, random: () => Math.random() })
  expect(report.minutes).toEqual(report.minutes.map(() => 1))
  expect(report).toMatchObject({ kills: 6, holes: [], left: 0 })
  expect(report.minutes.length).toBeGreaterThan(1)
  expect(report.spoiled).toBeGreaterThan(0)
}, 240_000)
