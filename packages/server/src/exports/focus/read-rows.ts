import { RESOURCES, type Resource } from '@plimsoll/engine'
import {
  chargeRows,
  type FocusMeter,
  type FocusOrigin,
  type FocusOwner,
  type FocusPrice,
  type FocusRow,
  type FocusScope,
  type FocusShare,
} from '@plimsoll/engine/focus'
import { providerTitle } from '@plimsoll/engine/vocabulary'
import { listClusterPlaces } from '../../clusters/index.ts'
import type { PriceBookSource } from '../../platform/background.ts'
import { allowLargeGroups, type Db } from '../../platform/db/database.ts'
import {
  listCapacities,
  readCloudResourceShares,
  readShares,
  type CloudResourceShareRow,
  type IdleRow,
  type ShareRow,
} from '../queries/focus-quantities.ts'
import { listNodeNames } from '../queries/node-names.ts'
import type { FocusRequest } from './focus-request.ts'
import { listPeriods, type FocusPeriod } from './periods.ts'
import { FocusRates, type FocusRate } from './rates.ts'
import { TagWriter } from './tags.ts'
import type { TotalsCounter } from './totals.ts'

type Source = { db: Db; prices: PriceBookSource; signal?: AbortSignal | undefined }

type Reading = {
  tx: Db
  request: FocusRequest
  period: FocusPeriod
  scope: FocusScope
  rates: FocusRates
  tags: TagWriter
  nodeNames: ReadonlyMap<string, string>
  totals: TotalsCounter
}

/** All rows, by cluster, period and origin. Each period is read from one snapshot, so that its rows are consistent. */
export async function* readRows(
  source: Source,
  request: FocusRequest,
  totals: TotalsCounter,
): AsyncGenerator<FocusRow[]> {
  const { db, prices, signal } = source
  const places = await listClusterPlaces(db, request.clusterIds)
  for (const clusterId of request.clusterIds) {
    const place = places.get(clusterId)
    if (!place) continue
    for (const period of await listPeriods(db, clusterId, request)) {
      signal?.throwIfAborted()
      const scope: FocusScope = {
        installation: { id: request.publicUrl, name: 'Plimsoll' },
        cluster: { id: clusterId, name: place.name },
        provider: providerTitle(place.provider),
        from: period.from,
        to: period.to,
      }
      yield* readPeriod(db, prices, { request, period, scope, totals })
    }
  }
}

/** A generator cannot run inside of the callback of a transaction, so the transaction is controlled here. */
async function* readPeriod(
  db: Db,
  prices: PriceBookSource,
  asked: Pick<Reading, 'request' | 'period' | 'scope' | 'totals'>,
): AsyncGenerator<FocusRow[]> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute()
  try {
    await allowLargeGroups(tx)
    const { request, period, scope } = asked
    const nodeNames = request.level === 'pod' ? await listNodeNames(tx, period.clusterId) : new Map<string, string>()
    const tags = await TagWriter.open(tx, scope.cluster.name, request)
    const reading: Reading = { ...asked, tx, rates: new FocusRates(tx, prices), tags, nodeNames }
    yield* readNodes(reading)
    yield* readCloudResources(reading)
  } finally {
    await tx.rollback().execute()
  }
}

type NodeGroup = { key: string; nodeUid: string | null; rateId: string; rows: ShareRow[] }

async function* readNodes(reading: Reading): AsyncGenerator<FocusRow[]> {
  const { tx, period, request, rates, tags } = reading
  const { level } = request
  const capacities = await listCapacities(tx, period, { isByNode: level === 'pod' })
  const left = new Map(capacities.map((row) => [keyOf(row), row]))
  await rates.load(capacities.map(({ rateId }) => rateId))
  const groups = grouped(readShares(tx, period, { level, labelKeys: tags.labelKeys }), keyOf)
  for await (const { key, rows } of groups) {
    const [first] = rows
    if (!first) continue
    await rates.load([first.rateId])
    const capacity = left.get(key)
    left.delete(key)
    yield nodeRows(reading, { key, nodeUid: first.nodeUid, rateId: first.rateId, rows }, capacity)
  }
  for (const [key, capacity] of left) {
    yield nodeRows(reading, { key, nodeUid: capacity.nodeUid, rateId: capacity.rateId, rows: [] }, capacity)
  }
}

const keyOf = ({ nodeUid, rateId }: { nodeUid: string | null; rateId: string }) => `${nodeUid ?? ''} ${rateId}`

function nodeRows(reading: Reading, group: NodeGroup, capacity: IdleRow | undefined): FocusRow[] {
  const { rates, tags, nodeNames } = reading
  const rate = rates.of(group.rateId)
  const node = group.nodeUid === null ? null : (nodeNames.get(group.nodeUid) ?? group.nodeUid)
  const origin =
    group.nodeUid === null ? rate.origin : { ...rate.origin, id: group.nodeUid, name: node ?? '', type: 'Node' }
  const owners = group.rows.map((row) => ownerOf(row, node, tags))
  const idleOwner: FocusOwner = { costClass: 'idle', ...nobody, node, tags: '{}' }
  return RESOURCES.flatMap((resource) => {
    const shares = group.rows.map((row, at) => shareOf(row, resource, owners[at] ?? idleOwner))
    const allocated = shares.reduce((sum, { quantity }) => sum + quantity, 0n)
    // Of a node, all that its pods do not have; of a class, the stored sum.
    const idle =
      capacity === undefined
        ? 0n
        : BigInt(capacity[`${resource}_capacity`]) -
          (group.nodeUid === null ? BigInt(capacity[`${resource}_alloc`]) : allocated)
    return rowsOf(reading, { origin, meter: resource, price: rate.prices[resource] }, [
      ...shares,
      { owner: idleOwner, quantity: idle },
    ])
  })
}

const nobody = { namespace: null, kind: null, name: null, pod: null }

const ownerOf = (row: ShareRow, node: string | null, tags: TagWriter): FocusOwner => ({
  costClass: 'workload',
  namespace: row.namespace,
  kind: row.kind,
  name: row.name,
  pod: row.pod,
  node,
  tags: tags.of(row),
})

const shareOf = (row: ShareRow, resource: Resource, owner: FocusOwner): FocusShare => ({
  owner,
  quantity: BigInt(row[`${resource}_alloc`]),
  requested: BigInt(row[`${resource}_request`]),
  used: BigInt(row[`${resource}_used`]),
})

async function* readCloudResources(reading: Reading): AsyncGenerator<FocusRow[]> {
  const { tx, period, request, rates, tags } = reading
  const parts = readCloudResourceShares(tx, period, { level: request.level, labelKeys: tags.labelKeys })
  for await (const { rows } of grouped(parts, ({ uid, rateId }) => `${uid ?? ''} ${rateId}`)) {
    const [first] = rows
    if (!first) continue
    await rates.load([first.rateId])
    const rate = rates.of(first.rateId)
    const origin = originOf(first, rate)
    const shares = rows.map((row): FocusShare => ({
      owner: cloudResourceOwner(row, tags),
      quantity: BigInt(row.unitSeconds),
    }))
    yield rowsOf(reading, { origin, meter: first.resource, price: rate.prices.unit }, shares)
  }
}

const resourceTypes = { volume: 'Volume', balancer: 'Load balancer', control_plane: 'Control plane' } as const

function originOf({ uid, resourceName, resource }: CloudResourceShareRow, { origin }: FocusRate): FocusOrigin {
  if (uid === null) return origin
  return { ...origin, id: uid, name: resourceName ?? uid, type: resourceTypes[resource] }
}

const cloudResourceOwner = (row: CloudResourceShareRow, tags: TagWriter): FocusOwner => ({
  costClass: row.owner,
  namespace: row.namespace,
  kind: row.kind,
  name: row.name,
  pod: null,
  node: null,
  tags: row.owner === 'workload' ? tags.of(row) : '{}',
})

type Charged = { origin: FocusOrigin; meter: FocusMeter; price: FocusPrice | undefined }

/** What has no price has no row and is counted: 0 would mean free. */
function rowsOf(
  { scope, request, totals }: Reading,
  { origin, meter, price }: Charged,
  shares: FocusShare[],
): FocusRow[] {
  if (!price) {
    totals.addUnpriced(meter, shares)
    return []
  }
  const rows = chargeRows({ scope, origin, meter, price }, shares, request.billed)
  totals.add(rows)
  return rows
}

/** Rows in order of their key, one group at a time. */
async function* grouped<Row>(
  parts: AsyncGenerator<Row[]>,
  keyOfRow: (row: Row) => string,
): AsyncGenerator<{ key: string; rows: Row[] }> {
  let group: { key: string; rows: Row[] } | undefined
  for await (const part of parts) {
    for (const row of part) {
      const key = keyOfRow(row)
      if (group && group.key !== key) {
        yield group
        group = undefined
      }
      if (group) group.rows.push(row)
      else group = { key, rows: [row] }
    }
  }
  if (group) yield group
}
