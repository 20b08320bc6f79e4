import { decimal } from '@plimsoll/engine'
import { compareTimes, emptyWaterfall, type Waterfall } from '@plimsoll/engine/changes'
import { expect, test } from 'vitest'
import type { ClusterBill } from './load-cluster-changes.ts'
import { presentCauses } from './present-causes.ts'

type Known = { hours: [before: number, now: number]; usd: [before: string, now: string]; parts: Partial<Waterfall> }

function aBill({ hours, usd, parts }: Known): ClusterBill {
  const seconds = { before: hours[0] * 3600, now: hours[1] * 3600 }
  return {
    clusterId: 'cls',
    usd: { before: decimal(usd[0]), now: decimal(usd[1]) },
    seconds,
    comparison: compareTimes(seconds, { before: false, now: false }),
    parts: { ...emptyWaterfall(), ...parts },
    capacity: new Map(),
    nodes: [],
    credits: { credits: [], nodes: new Map(), steps: new Map() },
  }
}

const present = (bills: readonly ClusterBill[]) => {
  const sum = (side: 'before' | 'now') => bills.reduce((total, { usd }) => total + usd[side], 0n)
  return presentCauses(bills, { usd: { before: sum('before'), now: sum('now') }, hours: 24, canReadSteps: true })
}

const perMonth = (bills: readonly ClusterBill[]) =>
  Object.fromEntries((present(bills).causes ?? []).map((cause) => [cause.kind, cause.per_month]))

/** $1 per hour, then $0.50 per hour, with 6 hours missing: the mean is 21 hours. */
const withGap = aBill({
  ...{ hours: [24, 18], usd: ['24', '9'] },
  parts: { nodes_removed: decimal('-10.5'), hours: decimal('-4.5') },
})
const whole = aBill({ hours: [24, 24], usd: ['48', '36'], parts: { nodes_removed: decimal('-12') } })
const unseen = aBill({ hours: [24, 0], usd: ['24', '0'], parts: { hours: decimal('-24') } })

test('hours without data do not lower the run rate, and the causes add up to its difference', () => {
  const bills = [withGap, whole, unseen]
  expect(present(bills).run_rate).toEqual({ before: 2190, now: 1460, difference: -730 })
  expect(perMonth(bills)).toMatchObject({ nodes: -730, hours: 0, gone_clusters: 0 })
  expect(present(bills).causes?.find(({ kind }) => kind === 'hours')).toMatchObject({ amount: -28.5 })
})

test('a gap over a whole window leaves nothing to compare', () => {
  expect(present([unseen]).run_rate).toBeNull()
  expect(perMonth([unseen])).toMatchObject({ hours: null })
})
