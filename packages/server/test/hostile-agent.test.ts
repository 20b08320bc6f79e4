import type { Batch, DataQuality } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { aNodeClass, batchesOf, endSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aFoldedCluster, deliver, foldAt, get, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { aCluster, aPerson, type Person } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { useTestApp } from './test-app.ts'
import { emptyFoldState, epochsMax, Fold } from '@plimsoll/pipeline/fold'

const t = useTestApp()
let person: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  person = await aPerson(t)
})

const total = async ({ clusterId }: FoldedCluster) => {
  const url = `/api/v1/allocation?cluster_id=${clusterId}&${wholeWorld}`
  return (await get<{ total: number }>(t, person, url)).total
}

/** Different texts that do not compress. */
const noise = (length: number, seed: number) =>
  Array.from({ length }, (_each, index) =>
    String.fromCharCode(97 + ((seed * 7919 + index * index * 31 + index * 17) % 26)),
  ).join('')

/** Objects with names of the given length, in addition to the objects of the world. */
function withLongNames(batches: Batch[], length: number): Batch[] {
  const [first, ...rest] = batches
  if (!first) throw new Error('there is a first batch')
  const strings = [...first.strings]
  const name = (seed: number) => strings.push(noise(length, seed)) - 1
  const added = structuredClone(first)
  const { nodes, pods } = added
  const copy = (columns: Record<string, number[] | undefined>, ref: number, names: Record<string, number>) => {
    for (const [key, values] of Object.entries(columns)) values?.push(names[key] ?? values[0] ?? 0)
    if (columns.ref) columns.ref[columns.ref.length - 1] = ref
  }
  copy(nodes, 900, { uid_string: name(1), name_string: name(2), instance_type_string: name(3), region_string: name(4) })
  copy(pods, 901, {
    uid_string: name(5),
    name_string: name(6),
    namespace_string: name(7),
    workload_kind_string: name(8),
    workload_name_string: name(9),
  })
  return [{ ...added, strings }, ...rest]
}

test('names too long for table keys reject their own records, and the owner is informed', async () => {
  const clean = await aFoldedCluster(t)
  const cluster = await aCluster(t)
  await deliver(t, cluster, withLongNames(batchesOf(twoNodes, { minutesPerBatch: 10 }), 4096))
  await foldAt(t, cluster, endSecond)
  expect(await total(cluster)).toBe(await total(clean))
  const quality = await get<DataQuality>(t, person, `/api/v1/clusters/${cluster.clusterId}/data-quality?${wholeWorld}`)
  expect(quality.batches).toMatchObject({ rejected_records: 2, quarantined: 0 })
  const [batch] = batchesOf(twoNodes)
  if (!batch) throw new Error('there is a batch')
  const answer = await sendBatch(t, cluster.agentToken, { ...batch, observed_at: endSecond }, { seq: 99 })
  expect(answer.json()).toMatchObject({ fold: { rejected_records: 2 } })
})

test('names of the maximum length are stored, all of them in one key', async () => {
  const cluster = await aCluster(t)
  await deliver(t, cluster, withLongNames(batchesOf(twoNodes, { minutesPerBatch: 10 }), 128))
  await foldAt(t, cluster, endSecond)
  const long = noise(128, 7)
  const { steps } = await get<{ steps: { rows: { names: Record<string, string> }[] }[] }>(
    t,
    person,
    `/api/v1/allocation?cluster_id=${cluster.clusterId}&${wholeWorld}`,
  )
  expect(steps[0]?.rows.map(({ names }) => names.namespace)).toContain(long)
})

test('an agent that keeps starting new epochs does not fill the memory', () => {
  const state = emptyFoldState(aNodeClass)
  const folding = new Fold(state)
  const [first] = batchesOf(twoNodes)
  if (!first) throw new Error('there is a first batch')
  for (let epoch = 0; epoch < 3 * epochsMax; epoch += 1) {
    folding.addBatch(`epoch-${epoch}`, { ...first, observed_at: first.observed_at + epoch })
  }
  expect(state.epochs.size).toBe(epochsMax)
  expect([...state.epochs.keys()].at(-1)).toBe(`epoch-${3 * epochsMax - 1}`)
})

test('numbers of old objects and old epochs are dropped', () => {
  const state = emptyFoldState(aNodeClass)
  const batches = batchesOf({
    ...twoNodes,
    pods: twoNodes.pods.map((pod) => ({ ...pod, endedAt: pod.boundAt + 600 })),
  })
  const folding = new Fold(state)
  for (const batch of batches) folding.addBatch('old', batch)
  const [first] = batches
  if (!first) throw new Error('there is a first batch')
  const refs = () => state.epochs.get('new')?.uids.size
  folding.addBatch('new', first)
  expect(refs()).toBe(4)
  const later = first.observed_at + 60 * 3600
  folding.addBatch('new', { ...first, observed_at: later, nodes: emptied(first.nodes), pods: emptied(first.pods) })
  folding.takeEndedHours(later)
  expect([...state.epochs.keys()]).toEqual(['new'])
  // Both nodes exist; the pods ended two days ago.
  expect(refs()).toBe(2)
})

const emptied = <Columns extends object>(columns: Columns): Columns =>
  Object.fromEntries(Object.keys(columns).map((key) => [key, []])) as unknown as Columns
