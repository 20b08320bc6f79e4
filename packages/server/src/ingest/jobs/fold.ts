import { parseBatch } from '@plimsoll/contract'
import { findClusterPlace, fulfilSync, requestSnapshot } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  advanceFolded,
  findBody,
  findCheckpointState,
  findCheckpointVersion,
  gapWaitMs,
  listFoldable,
  recordFolded,
  recordSaved,
  noteFoldedAt,
  quarantine,
  reopenUnresolved,
  writeCheckpoint,
  type PendingBatch,
  type Rejected,
} from '../queries/fold-queue.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { foldLater } from '../fold-later.ts'
import { writeCloudResources } from '../queries/cloud-resources.ts'
import { writeNodes } from '../queries/nodes.ts'
import { loadPriceTerms } from '../../prices/index.ts'
import { writeContainersNow } from '../queries/workload-containers.ts'
import type { Deps } from '../../platform/deps.ts'
import {
  capHour,
  containersNow,
  emptyFoldState,
  Fold,
  type FoldedBatch,
  isCheckpointDue,
  type KeptState,
  KeptStates,
  liveFigures,
  rejectionText,
} from '@plimsoll/pipeline/fold'
import { loadCheckpoint, saveCheckpoint } from '../checkpoint.ts'
import { classifyNode, type PriceTerms } from '@plimsoll/pipeline/prices'
import { attributeBy, type Attribute } from './attribute.ts'
import { foldBackfill } from './backfill.ts'
import { inflate } from './inflate.ts'
import { lockOrTryLater } from './lock-fold.ts'
import { showOpenHour } from './show-open-hour.ts'
import { writeFigures } from './write-figures.ts'
import { writeFinalisedHours } from './write-finalised-hours.ts'

const batchesAtOnce = 120

/** Backfill batches per run. Another run continues a long history, so that other clusters get their turn. */
const historyBatchesAtOnce = 20

export type FoldDeps = Pick<Deps, 'db' | 'log' | 'now' | 'prices'>

export type FoldOptions = {
  /** Where states are held between two runs. Default: nowhere. */
  kept?: KeptStates
  /**
   * Called with the batch before its fold and with undefined after it, so that a batch that ends the thread is known.
   */
  onBatch?: (batchId: string | undefined) => void
  /** Whether the checkpoint is written, with late data of hours, although no hour has become complete. */
  isDue?: typeof isCheckpointDue
  /** The replica that keeps the state, so that the next fold of the cluster is queued for this replica. */
  holder?: string | null
}

/**
 * Folds the new batches of a cluster, and writes the completed hours. Hours are written in one transaction with the
 * checkpoint. Batches after the checkpoint are folded again from it. A crash at any point repeats nothing and loses
 * nothing.
 */
export async function fold(
  deps: FoldDeps,
  { clusterId }: { clusterId: string },
  { kept = new KeptStates(), onBatch = () => undefined, isDue = isCheckpointDue, holder = null }: FoldOptions = {},
): Promise<void> {
  const run: Run = { deps, clusterId, kept, attribute: attributeBy(onBatch), isDue, holder }
  for (let folded = 0; folded < historyBatchesAtOnce; folded += 1) {
    await foldLive(run)
    if (!(await foldBackfill(run))) return
  }
  await foldLater(deps.db, clusterId)
}

async function foldLive(run: Run): Promise<void> {
  const { deps, clusterId, kept } = run
  for (let more = true; more;) {
    try {
      const outcome = await deps.db.transaction().execute((tx) => foldSome(run, tx))
      if (outcome) kept.put(clusterId, outcome.kept, deps.now())
      more = outcome?.more === true
    } catch (error) {
      if (!(error instanceof UnfoldableBatch)) throw error
      deps.log.error(
        { err: error.cause, clusterId, batchId: error.batchId },
        'cannot process a batch; the batch is quarantined',
      )
      await setAside(deps, clusterId, error.batchId, error.message)
    }
  }
}

/** For a readable batch that cannot be folded: that is a bug, and must not block the cluster. */
export async function setAside(deps: FoldDeps, clusterId: string, batchId: string, reason: string): Promise<void> {
  await quarantine(deps.db, clusterId, batchId, reason)
}

type Run = { deps: FoldDeps; clusterId: string; attribute: Attribute } & Required<Omit<FoldOptions, 'onBatch'>>

class UnfoldableBatch extends Error {
  readonly batchId: string

  constructor(batchId: string, cause: unknown) {
    super(`processing failed: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { cause })
    this.batchId = batchId
  }
}

async function foldSome(run: Run, tx: Db): Promise<{ kept: KeptState; more: boolean } | undefined> {
  if (!(await lockOrTryLater(tx, run.clusterId))) return undefined
  const step = await foldPending(run, tx)
  if (step.batches.length === 0 && !step.isDue) return { kept: step.opened, more: false }

  const terms = await loadPriceTerms(tx, run.clusterId)
  const kept = await writeStep(run, tx, step, terms)
  // Last, because the request with the next minute updates these rows too and would have to wait.
  await reportStep(run, tx, step, terms)
  return { kept, more: step.batches.length === batchesAtOnce || step.hasReopened }
}

/** The work of one transaction, before it is written. */
type Step = {
  opened: KeptState
  after: KeptState
  folding: Fold
  batches: readonly PendingBatch[]
  snapshotReceivedAt: Date | undefined
  hasNewGap: boolean
  hasReopened: boolean
  /** Whether completed hours and the checkpoint are written now. */
  isDue: boolean
}

async function foldPending(run: Run, tx: Db): Promise<Step> {
  const { deps, clusterId } = run
  const opened = await openState(run, tx)
  const batches = await listFoldable(tx, clusterId, {
    waitedSince: new Date(deps.now().getTime() - gapWaitMs),
    limit: batchesAtOnce,
    except: [...opened.unsaved.keys()],
  })
  const folding = new Fold(opened.state)
  const { unsaved, closedGaps, ...seen } = await foldBatches(run, tx, folding, batches)
  const reopened = new Set(await reopenUnresolved(tx, clusterId, [...closedGaps]))
  const inState = [...opened.unsaved, ...unsaved].filter(([batchId]) => !reopened.has(batchId))
  const after = { ...opened, unsaved: new Map(inState) }
  // An analysis reads the checkpoint, and a snapshot queues an analysis.
  const isDue = seen.snapshotReceivedAt !== undefined || isWritingDue(run, folding, after, batches.length)
  return { opened, after, folding, batches, ...seen, hasReopened: reopened.size > 0, isDue }
}

function isWritingDue({ deps, clusterId, kept, isDue }: Run, folding: Fold, after: KeptState, batchCount: number) {
  const second = secondOf(deps.now())
  // An agent that catches up adds minutes to a past hour: the hour is written once, when it is complete.
  const hasHours = batchCount === 0 ? folding.hasEndedHours(second) : folding.hasWholeHour(second)
  return hasHours || isDue(after, kept.hasRoomForAll(clusterId, after.state), deps.now())
}

/** Writes the completed hours, the inventory and the checkpoint. */
async function writeStep(run: Run, tx: Db, step: Step, terms: PriceTerms): Promise<KeptState> {
  const { deps, clusterId } = run
  const { folding, isDue, after } = step
  const { state } = step.opened
  const hours = isDue ? folding.takeEndedHours(secondOf(deps.now())).map((hour) => capHour(hour)) : []
  if (hours.length > 0) {
    await writeFinalisedHours(deps, tx, { clusterId, hours, terms })
  } else await showOpenHour(deps, tx, { clusterId, folding, terms })
  await writeNodes(tx, clusterId, folding.changedNodes())
  if (step.snapshotReceivedAt || hours.length > 0) {
    // The analysis names volumes and load balancers, and promises may name them before the first hour is complete.
    await writeCloudResources(tx, clusterId, state.cloudResources)
    await enqueue(tx, 'analyse', { clusterId })
    await writeContainersNow(tx, clusterId, containersNow(state), new Date(state.watermark * 1000))
  }
  if (isDue) return save(run, tx, after)
  await noteFoldedAt(tx, clusterId, { now: deps.now(), holder: run.holder })
  return after
}

/** Writes the progress, the current figures, and the requests to the agent. */
async function reportStep({ deps, clusterId }: Run, tx: Db, step: Step, terms: PriceTerms): Promise<void> {
  await advanceFolded(tx, clusterId, step.batches)
  await writeFigures(deps, tx, { clusterId, figures: liveFigures(step.opened.state), terms })
  if (step.hasNewGap) await requestSnapshot(tx, clusterId, deps.now())
  if (step.snapshotReceivedAt) await fulfilSync(tx, clusterId, step.snapshotReceivedAt, deps.now())
}

const secondOf = (date: Date) => date.getTime() / 1000

/** The held state is used if no newer checkpoint exists and nodes are still classified by the same prices. */
async function openState({ deps, clusterId, kept }: Run, tx: Db): Promise<KeptState> {
  const place = await findClusterPlace(tx, clusterId)
  const book = await deps.prices.current(tx)
  const basis = JSON.stringify([book.version, place])
  const version = await findCheckpointVersion(tx, clusterId)
  const known = kept.take(clusterId)
  if (known?.version === version && known.basis === basis) return known

  const classify = (node: Parameters<typeof classifyNode>[2]) => classifyNode(book, place, node)
  const saved = await findCheckpointState(tx, clusterId)
  const state = saved ? loadCheckpoint(saved, classify, place) : emptyFoldState(classify, place)
  return { state, version, basis, unsaved: new Map() }
}

type FoldedBatches = {
  unsaved: Map<string, Date>
  snapshotReceivedAt: Date | undefined
  /** Epochs whose gaps were closed. */
  closedGaps: Set<string>
  hasNewGap: boolean
}

async function foldBatches(run: Run, tx: Db, folding: Fold, batches: readonly PendingBatch[]): Promise<FoldedBatches> {
  const folded: Rejected[] = []
  const unsaved = new Map<string, Date>()
  const closedGaps = new Set<string>()
  let hasNewGap = false
  let snapshotReceivedAt: Date | undefined
  for (const batch of batches) {
    const before = folding.snapshots
    const result = await foldOne(run, tx, folding, batch)
    if (result.kind === 'unreadable') {
      await quarantine(tx, run.clusterId, batch.batchId, result.reason)
      continue
    }
    folded.push(result.rejected)
    if (result.gap === 'closed') closedGaps.add(batch.epoch)
    hasNewGap ||= result.gap === 'opened'
    unsaved.set(batch.batchId, batch.receivedAt)
    if (folding.snapshots > before) snapshotReceivedAt = batch.receivedAt
  }
  await recordFolded(tx, run.clusterId, folded)
  return { unsaved, snapshotReceivedAt, closedGaps, hasNewGap }
}

type FoldedOne =
  { kind: 'folded'; rejected: Rejected; gap: FoldedBatch['gap'] } | { kind: 'unreadable'; reason: string }

async function foldOne(
  { clusterId, attribute }: Run,
  tx: Db,
  folding: Fold,
  { batchId, epoch, seq, receivedAt }: PendingBatch,
): Promise<FoldedOne> {
  const body = await findBody(tx, clusterId, batchId)
  if (!body) return { kind: 'unreadable', reason: 'the body is no longer stored' }
  const bytes = await inflate(body).catch(() => undefined)
  if (!bytes) return { kind: 'unreadable', reason: 'the gzip body is incomplete' }
  try {
    const result = attribute(batchId, () => addBody(folding, { epoch, seq, receivedAt }, bytes))
    if (result.kind === 'unreadable') return result
    const { rejectedRecords: records, rejections, isUnresolved, gap } = result
    return { kind: 'folded', rejected: { batchId, records, reason: rejectionText(rejections), isUnresolved }, gap }
  } catch (error) {
    throw new UnfoldableBatch(batchId, error)
  }
}

function addBody(folding: Fold, { epoch, seq, receivedAt }: Omit<PendingBatch, 'batchId'>, bytes: Buffer) {
  const parsed = parseBatch(bytes.toString())
  if (parsed.kind === 'unreadable') return parsed
  const added = folding.addBatch(epoch, parsed.batch, receivedAt.getTime() / 1000, seq)
  return { kind: 'folded' as const, ...added }
}

async function save({ deps, clusterId, holder }: Run, tx: Db, kept: KeptState): Promise<KeptState> {
  const version = kept.version + 1
  await writeCheckpoint(tx, clusterId, { version, state: saveCheckpoint(kept.state), now: deps.now(), holder })
  await recordSaved(tx, clusterId, [...kept.unsaved.keys()])
  return { ...kept, version, unsaved: new Map() }
}
