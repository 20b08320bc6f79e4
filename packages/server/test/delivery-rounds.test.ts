import { expect, test } from 'vitest'
import { isFull } from '../../../test/rounds.ts'
import { outOfOrder, runDeliveryRounds } from './delivery-rounds.ts'
import { testDatabase } from './test-database.ts'

test(
  'a receiver that fails 40 % and a sender that is killed at any statement lose no message and keep the order',
  { timeout: 600_000 },
  async () => {
    const [events, kills] = isFull ? [1_500, 20] : [120, 3]
    const report = await runDeliveryRounds(await testDatabase(), {
      ...{ seed: 1, events, kills },
      keys: 20,
      failingShare: 0.4,
    })
    const all = [...report.accepted, ...report.acceptedLater]
    expect(new Set(all.map(({ number }) => number)).size).toBe(events)
    expect(new Set(all.map(({ id }) => id)).size).toBe(events)
    expect(report.states).toEqual({ delivered: events })
    expect(outOfOrder(report.accepted)).toEqual([])
    expect(report.kills).toBeGreaterThan(kills / 2)
    expect(report.requests).toBeGreaterThan(events * 1.3)
  },
)
