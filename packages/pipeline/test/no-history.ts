import type { History } from '../src/facts/history.ts'

export const NO_HISTORY: History = {
  lastUses: new Map(),
  scaling: new Map(),
  rhythms: new Map(),
  peaks: new Map(),
  runCosts: new Map(),
  restingLabels: new Map(),
  classPeaks: new Map(),
  replicaPeaks: new Map(),
  hoursKnown: 0,
}
