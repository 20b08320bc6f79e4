import type { Incident } from '@plimsoll/engine/incidents'

export const anIncident = (changes: Partial<Incident> = {}): Incident => ({
  id: '1/cls_1/shop/Deployment/cart',
  part: 'cls_1/shop/Deployment/cart',
  kind: 'request',
  detail: 'cpu',
  openedAt: 0,
  causedAt: 0,
  lastAboveAt: 0,
  endedAt: null,
  isAccepted: false,
  isShift: false,
  announcedUsd: 0n,
  announcedAt: 0,
  peakUsd: 21_080_000_000_000_000_000_000_000n,
  joined: [],
  shares: new Map(),
  ...changes,
})
