import type { Batch } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { PriceBook } from '@plimsoll/pricebook'
import type { Analysis } from './advice/judge-snapshot.ts'
import { policiesOf } from './advice/policy-settings.ts'
import { analyse } from './analyse.ts'
import { currentRunRate, requestedCost, type RequestedCost, type RunRate } from './current-cost.ts'
import type { History } from './facts/history.ts'
import type { UsageReader } from './facts/usage-reader.ts'
import { Fold } from './fold/fold.ts'
import { emptyFoldState, type FoldState } from './fold/fold-state.ts'
import { liveFigures } from './fold/live-figures.ts'
import { currentRates } from './prices/current-rates.ts'
import { startOfHour } from './prices/hours.ts'
import { classifyNode, type ClusterPlace } from './prices/node-class.ts'
import type { Pricing } from './prices/pricing.ts'

export type OfflineInput = {
  book: PriceBook
  /** The location, if the nodes do not have it. */
  place: ClusterPlace
  /** Seconds since 1970. */
  observedAt: number
  /** The batches of the snapshot, as if it had been observed at this second. */
  snapshotAt: (second: number) => Iterable<Batch>
}

export type OfflineAnalysis = {
  nodes: number
  pods: number
  runRate: RunRate
  requested: RequestedCost
  analysis: Analysis
  /** Records of the snapshot that are implausible, with the reason. */
  rejections: readonly string[]
}

const epoch = 'offline'

const noHistory: History = {
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

const noUsage: UsageReader = {
  jobContainers: async () => [],
  statefulMeans: async () => [],
  batches: (containers) => [{ containers, hours: async () => new Map(), slots: async () => new Map() }],
}

/** One snapshot with list prices, default policies and no history: as the server analyzes a cluster that is new to it. */
export async function analyseOffline({ book, place, observedAt, snapshotAt }: OfflineInput): Promise<OfflineAnalysis> {
  const emptyState = () => emptyFoldState((node) => classifyNode(book, place, node), place)
  const snapshot = emptyState()
  const rejections = addSnapshot(snapshot, snapshotAt(observedAt))
  const figures = liveFigures(snapshot)
  const pricing: Pricing = {
    book,
    terms: { books: [{ version: book.version, asOf: book.asOf, effectiveFrom: new Date(0) }], overrides: [] },
    hour: startOfHour(new Date(observedAt * 1000)),
  }
  const rates = currentRates(pricing, figures.nodesByClass.keys())
  const runRate = currentRunRate(figures, rates, pricing)
  let steps = 0
  const { analysis } = await analyse({
    snapshot,
    around: {
      costUsdPerMonth: runRate.total > 0 ? runRate.total : null,
      rates,
      pricing,
      history: noHistory,
      policies: policiesOf([]),
    },
    usage: noUsage,
    planning: { newStepId: () => String((steps += 1)) },
  })
  const requested = requestedCost(unchangedHour(emptyState(), observedAt, snapshotAt), rates)
  return { nodes: figures.nodes, pods: figures.pods, runRate, requested, analysis, rejections }
}

function addSnapshot(state: FoldState, batches: Iterable<Batch>): string[] {
  const fold = new Fold(state)
  return [...batches].flatMap((batch) =>
    fold.addBatch(epoch, batch).rejections.map(({ table, reason }) => `${table}: ${reason}`),
  )
}

/** The quantities of the next hour, if all objects stay as they are. */
function unchangedHour(state: FoldState, observedAt: number, snapshotAt: OfflineInput['snapshotAt']) {
  const fold = new Fold(state)
  const hour = Math.ceil(observedAt / SECONDS_PER_HOUR)
  const [start, end] = [hour * SECONDS_PER_HOUR, (hour + 1) * SECONDS_PER_HOUR]
  for (const second of [start, end]) for (const batch of snapshotAt(second)) fold.addBatch(epoch, batch)
  const folded = fold.takeEndedHours(end).filter((each) => each.hour === hour)
  return {
    nodes: folded.flatMap(({ measured, bridged }) => [...measured.nodes, ...bridged.nodes]),
    workloads: folded.flatMap(({ measured, bridged }) => [...measured.workloads, ...bridged.workloads]),
  }
}
