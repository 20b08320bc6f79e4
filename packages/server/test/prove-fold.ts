import { sql } from 'kysely'
import {
  changeEpoch,
  dropMinutes,
  duplicate,
  largeScenario,
  minuteOf,
  openWorld,
  reorder,
  SimulatedAgent,
  type EncodedBatch,
  type LargeOptions,
} from '../../simulator/src/index.ts'
import { insertCluster } from '../src/clusters/queries/clusters.ts'
import type { Db } from '../src/platform/db/database.ts'
import { advanceEpoch, insertBatch } from '../src/ingest/queries/ingest.ts'
import { ensureDay } from '../src/platform/db/partitions.ts'
import { KeptStates } from '@plimsoll/pipeline/fold'
import { newId } from '../src/platform/ids.ts'
import { fold, type FoldDeps } from '../src/ingest/jobs/fold.ts'
import { storedFingerprint, type Fingerprint } from './stored-fingerprint.ts'

const startSecond = 500_000 * 3600
const startMinute = startSecond / 60

export type ProofOptions = {
  cluster: LargeOptions
  minutes: number
  gap: { fromMinute: number; minutes: number }
  /** Batches between two runs. */
  foldEvery: number
  /** The number of delivery orders to test; the first is in order. */
  deliveries?: number
}

export type ProvenRun = { name: string; clusterId: string; batches: number; fingerprint: Fingerprint }

export type ProofDeps = Omit<FoldDeps, 'now'> & { onRun?: (run: ProvenRun) => void | Promise<void> }

/**
 * The same facts, sent in order; out of order and twice; under two epochs; with a gap that is filled after the server
 * stopped waiting; and all of these combined. The stored rows must be the same each time.
 */
export async function proveFold(deps: ProofDeps, options: ProofOptions): Promise<ProvenRun[]> {
  const batches = batchesOf(options)
  const { gap } = options
  const middle = startMinute + Math.floor(options.minutes / 2)
  const [from, length] = [startMinute + gap.fromMinute, gap.minutes]
  const withGap = (all: readonly EncodedBatch[]) => {
    const sent = dropMinutes(all, { fromMinute: from, minutes: length })
    const late = all.filter((batch) => !sent.includes(batch))
    return [...sent, ...late]
  }
  const messy = (all: readonly EncodedBatch[]) =>
    duplicate(reorder(all, { seed: 1, window: 12 }), { seed: 2, share: 0.3 })
  const inTwoEpochs = changeEpoch(batches, { atMinute: middle, epoch: 'other' })
  const deliveries: [name: string, batches: readonly EncodedBatch[]][] = [
    ['in order', batches],
    ['out of order and twice', messy(batches)],
    ['under two epochs', inTwoEpochs],
    [`with a gap of ${length} minutes, filled at the end`, withGap(batches)],
    ['all combined', withGap(messy(inTwoEpochs))],
  ]
  const runs: ProvenRun[] = []
  for (const [name, sent] of deliveries.slice(0, options.deliveries)) {
    const run = await deliver(deps, name, sent, options)
    await deps.onRun?.(run)
    runs.push(run)
  }
  return runs
}

function batchesOf({ cluster, minutes }: ProofOptions): EncodedBatch[] {
  const agent = new SimulatedAgent(openWorld(largeScenario(cluster), startSecond))
  return [agent.snapshot(), ...Array.from({ length: minutes }, () => agent.minute())].flat()
}

/** The clock is the newest minute that was sent, and an hour later at the end. */
async function deliver(
  deps: ProofDeps,
  name: string,
  batches: readonly EncodedBatch[],
  { foldEvery }: ProofOptions,
): Promise<ProvenRun> {
  let second = startSecond
  const now = () => new Date(second * 1000)
  const clusterId = newId('cls', now())
  const options = { kept: new KeptStates() }
  await insertCluster(deps.db, { clusterId, name: clusterId, provider: 'aws', region: 'eu-west-1', now: now() })
  for (const [index, batch] of batches.entries()) {
    second = Math.max(second, minuteOf(batch) * 60 + 60)
    await store(deps.db, clusterId, batch, now())
    if (index % foldEvery === 0) await fold({ ...deps, now }, { clusterId }, options)
  }
  second += 3600
  await fold({ ...deps, now }, { clusterId }, options)
  await demandAllFolded(deps.db, clusterId)
  return { name, clusterId, batches: batches.length, fingerprint: await storedFingerprint(deps.db, clusterId) }
}

async function store(db: Db, clusterId: string, { headers, body }: EncodedBatch, now: Date): Promise<void> {
  await ensureDay(db, 'ingest_body', now)
  const epoch = headers['plimsoll-epoch']
  await db.transaction().execute(async (tx) => {
    await insertBatch(tx, {
      clusterId,
      batchId: headers['plimsoll-batch-id'],
      epoch,
      seq: Number(headers['plimsoll-seq']),
      kind: 'live',
      digest: Buffer.from(headers['content-digest']),
      body: Buffer.from(body),
      now,
    })
    await advanceEpoch(tx, clusterId, epoch, now)
  })
}

async function demandAllFolded(db: Db, clusterId: string): Promise<void> {
  const { rows } = await sql<{ state: string; count: number; rejected: number }>`
    select state, count(*)::int as count, sum(rejected_records)::int as rejected
    from ingest_batch where cluster_id = ${clusterId} group by state`.execute(db)
  const [only] = rows
  if (rows.length !== 1 || only?.state !== 'folded' || only.rejected !== 0) {
    throw new Error(`not everything could be folded: ${JSON.stringify(rows)}`)
  }
}
