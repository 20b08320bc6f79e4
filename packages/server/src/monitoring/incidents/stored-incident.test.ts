import type { Incident } from '@plimsoll/engine/incidents'
import { expect, test } from 'vitest'
import { readIncident, storeIncident } from './stored-incident.ts'

test('an incident is the same after it was stored and read', () => {
  const incident: Incident = {
    id: '490000/cls_1/shop',
    part: 'cls_1/shop',
    kind: 'request',
    detail: 'cpu',
    openedAt: 490_000,
    causedAt: 490_000,
    lastAboveAt: null,
    endedAt: null,
    isAccepted: false,
    isShift: false,
    peakUsd: 12n * 10n ** 24n,
    announcedUsd: 12n * 10n ** 24n + 1n,
    announcedAt: 490_000,
    joined: [
      { part: 'a', announced: { announcedUsd: -1n, announcedAt: 1 } },
      { part: 'b', announced: null },
    ],
    shares: new Map([['cls_1', 3n * 10n ** 24n]]),
  }
  expect(readIncident(JSON.parse(JSON.stringify(storeIncident(incident))))).toEqual(incident)
  const { shares: _shares, ...older } = storeIncident(incident) as Record<string, unknown>
  expect(readIncident(older)).toEqual({ ...incident, shares: new Map() })
})
