import { decimal, groupBy, type Decimal } from '@plimsoll/engine'
import { traceNodes, type MemberState, type NodeFate, type NodeLife } from '@plimsoll/engine/savings'
import { listCloudResourcePrices, listNodeLives, type NodeLifeRow } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  listAppliedSteps,
  listPromisedMembers,
  type PromisedMemberRow,
  type PromiseRow,
  type StepScope,
} from '../queries/step-promises.ts'

/** A volume, load balancer or control plane that the step named. */
export type ResourceFate = {
  uid: string
  /** The recommendations that name it. */
  namedBy: readonly PromisedMember[]
  offUsd: Decimal
  isGone: boolean
}

export type PromisedMember = PromisedMemberRow & { shareUsd: Decimal; state: MemberState }

/** A step with its promise, and what happened to the nodes and cloud resources that it named. */
export type AppliedStep = {
  row: PromiseRow
  members: PromisedMember[]
  /** The members in the scope. */
  visible: PromisedMember[]
  nodes: NodeFate[]
  resources: ResourceFate[]
}

/** Steps with an applied recommendation in the scope, the newest first. */
export async function loadAppliedSteps(tx: Db, scope: StepScope): Promise<AppliedStep[]> {
  const rows = await listAppliedSteps(tx, scope)
  if (rows.length === 0) return []
  const fates = await traceNamedNodes(tx, rows)
  const members = await loadMembers(tx, rows)
  const prices = await loadResourcePrices(tx, rows)
  return rows.map((row) => {
    const own = row.members.flatMap(({ id, share }) => {
      const member = members.get(id)
      return member ? [{ ...member, shareUsd: decimal(share), state: stateOf(member) }] : []
    })
    const visibleIds = new Set(row.visible_ids)
    return {
      row,
      members: own,
      visible: own.filter((member) => visibleIds.has(member.recommendation_id)),
      nodes: fates.get(row.step_id) ?? [],
      resources: resourcesOf(row, own, prices),
    }
  })
}

const stateOf = ({ status, verification }: PromisedMemberRow): MemberState =>
  status === 'implemented' || status === 'resolved' ? verification : 'open'

async function loadMembers(tx: Db, rows: readonly PromiseRow[]): Promise<Map<string, PromisedMemberRow>> {
  const clusterIds = [...new Set(rows.map((row) => row.cluster_id))]
  const ids = rows.flatMap((row) => row.members.map(({ id }) => id))
  return new Map((await listPromisedMembers(tx, clusterIds, ids)).map((row) => [row.recommendation_id, row]))
}

/** A node of the day before counts: a replacement may start before its node ends. */
const dayMs = 86_400_000

async function traceNamedNodes(tx: Db, rows: readonly PromiseRow[]): Promise<Map<string, NodeFate[]>> {
  const naming = rows.filter(({ nodes }) => nodes.length > 0)
  if (naming.length === 0) return new Map()
  const since = new Date(Math.min(...naming.map((row) => row.named_at.getTime())) - dayMs)
  const named = naming.flatMap(({ cluster_id: clusterId, nodes }) =>
    nodes.map(({ name, pool }) => ({ clusterId, name, pool })),
  )
  const lives = groupBy(await listNodeLives(tx, named, since), ({ clusterId }) => clusterId)
  return new Map(
    [...groupBy(naming, (row) => row.cluster_id)].flatMap(([clusterId, own]) => [
      ...traceNodes((lives.get(clusterId) ?? []).map(lifeOf), own.map(namingOf)),
    ]),
  )
}

const seconds = (at: Date) => at.getTime() / 1000

const lifeOf = ({ uid, name, pool, startedAt, endedAt, usdPerMonth }: NodeLifeRow): NodeLife => ({
  ...{ uid, name, pool },
  startedAt: seconds(startedAt),
  endedAt: endedAt === null ? null : seconds(endedAt),
  usdPerMonth: usdPerMonth === null ? null : decimal(usdPerMonth),
})

const namingOf = ({ step_id: id, named_at: namedAt, nodes }: PromiseRow) => ({
  id,
  promisedAt: seconds(namedAt),
  nodes: nodes.map(({ usdPerMonth, ...node }) => ({ ...node, promisedUsd: decimal(usdPerMonth) })),
})

type ResourcePrices = ReadonlyMap<string, { usd: Decimal; hasEnded: boolean }>

const resourceKey = (clusterId: string, uid: string) => `${clusterId}/${uid}`

async function loadResourcePrices(tx: Db, rows: readonly PromiseRow[]): Promise<ResourcePrices> {
  const named = rows.flatMap((row) => row.resources.map(({ uid }) => ({ clusterId: row.cluster_id, uid })))
  const known = await listCloudResourcePrices(tx, {
    clusterIds: named.map(({ clusterId }) => clusterId),
    uids: named.map(({ uid }) => uid),
  })
  return new Map(
    known.map(({ clusterId, uid, endedAt, usdPerMonth }) => [
      resourceKey(clusterId, uid),
      { usd: decimal(usdPerMonth), hasEnded: endedAt !== null },
    ]),
  )
}

/**
 * A resource that ended is off the bill with its price; one that changed, with the difference of its prices. Several
 * recommendations can name one resource, which counts once.
 */
function resourcesOf(row: PromiseRow, members: readonly PromisedMember[], prices: ResourcePrices): ResourceFate[] {
  const memberOf = new Map(members.map((member) => [member.recommendation_id, member]))
  return [...groupBy(row.resources, ({ uid }) => uid)].flatMap(([uid, named]) => {
    const own = named.flatMap(({ id }) => memberOf.get(id) ?? [])
    const before = decimal(named[0]?.usdPerMonth ?? '0')
    const price = prices.get(resourceKey(row.cluster_id, uid))
    const now = price?.hasEnded === false ? price.usd : 0n
    const isDone = price?.hasEnded === true || own.some(({ state }) => state === 'verified' || state === null)
    const isGone = isDone && now < before && !own.some((member) => member.outlives_object)
    return [{ uid, namedBy: own, offUsd: isGone ? before - now : 0n, isGone }]
  })
}
