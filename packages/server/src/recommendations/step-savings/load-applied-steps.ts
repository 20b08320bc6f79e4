import { decimal, groupBy, type Decimal } from '@plimsoll/engine'
import {
  countOnce,
  partOf,
  traceNodes,
  type CountedPromise,
  type MemberState,
  type NodeFate,
  type NodeLife,
} from '@plimsoll/engine/savings'
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

export type PromisedMember = PromisedMemberRow & { shareUsd: Decimal; state: MemberState; observedPart: Decimal }

/** A step with its promise, and what happened to the nodes and cloud resources that it named. */
export type AppliedStep = {
  row: PromiseRow
  /** Without what counts for a later step. */
  promisedUsd: Decimal
  members: PromisedMember[]
  /** The members in the scope. */
  visible: PromisedMember[]
  /** Whether the scope has all recommendations of the promise. */
  isWhole: boolean
  nodes: NodeFate[]
  resources: ResourceFate[]
}

/** Steps with an applied recommendation in the scope, the newest first. Each recommendation and node counts once. */
export async function loadAppliedSteps(
  tx: Db,
  scope: StepScope,
): Promise<{ steps: AppliedStep[]; isComplete: boolean }> {
  const found = await listAppliedSteps(tx, { ...scope, limit: scope.limit + 1 })
  const isComplete = found.length <= scope.limit
  const rows = found.slice(0, scope.limit)
  if (rows.length === 0) return { steps: [], isComplete }
  const fates = await traceNamedNodes(tx, rows)
  const members = await loadMembers(tx, rows)
  const prices = await loadResourcePrices(tx, rows)
  const loaded = rows.map((row) => {
    const all = row.members.flatMap(({ id, share }) => {
      const member = members.get(id)
      return member ? [promisedMember(member, decimal(share))] : []
    })
    return { row, all, nodes: fates.get(row.step_id) ?? [] }
  })
  const counted = countOnce(loaded.map(promiseOf))
  const steps = loaded.flatMap((each) => {
    const promise = counted.get(each.row.step_id)
    return promise ? [countedStep(each, promise, prices)] : []
  })
  return { steps: steps.filter(({ visible }) => visible.some(({ state }) => state !== 'open')), isComplete }
}

type LoadedStep = { row: PromiseRow; all: PromisedMember[]; nodes: NodeFate[] }

const promiseOf = ({ row, all, nodes }: LoadedStep) => ({
  id: row.step_id,
  promisedAt: seconds(row.named_at),
  promisedUsd: decimal(row.savings),
  members: all.map(({ recommendation_id: id, shareUsd }) => ({ id, shareUsd })),
  nodes: nodes.map(({ named, state }) => ({ promisedUsd: named.promisedUsd, isClaimed: state === 'claimed' })),
})

function countedStep({ row, all, nodes }: LoadedStep, promise: CountedPromise, prices: ResourcePrices): AppliedStep {
  const members = all.flatMap((member) => {
    const shareUsd = promise.shares.get(member.recommendation_id)
    return shareUsd === undefined ? [] : [{ ...member, shareUsd }]
  })
  const { of, by } = promise.nodeFactor
  const visibleIds = new Set(row.visible_ids)
  const isVisible = (member: PromisedMember) => visibleIds.has(member.recommendation_id)
  return {
    row,
    promisedUsd: promise.promisedUsd,
    members,
    visible: members.filter(isVisible),
    isWhole: all.every(isVisible),
    nodes: nodes.map((fate) => ({
      ...fate,
      named: { ...fate.named, promisedUsd: partOf(fate.named.promisedUsd, of, by) },
    })),
    resources: resourcesOf(row, members, prices),
  }
}

function promisedMember(row: PromisedMemberRow, shareUsd: Decimal): PromisedMember {
  const state = stateOf(row)
  return { ...row, shareUsd, state, observedPart: state === 'partial' ? observedPartOf(row) : one }
}

const one = decimal('1')

/** The observed savings of a partially applied change, as a part of its estimated savings. Without data 0. */
function observedPartOf({ verification_detail: detail, estimated_savings: estimated }: PromisedMemberRow): Decimal {
  const [observed, whole] = [decimal(String(detail?.observed_savings ?? 0)), decimal(estimated)]
  if (observed <= 0n || whole <= 0n) return 0n
  return observed >= whole ? one : (observed * one) / whole
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

const namingOf = ({ step_id: id, named_at: namedAt, changed_at: changedAt, nodes }: PromiseRow) => ({
  id,
  promisedAt: seconds(namedAt),
  appliedAt: seconds(changedAt),
  nodes: nodes.map(({ usdPerMonth, ...node }) => ({ ...node, promisedUsd: decimal(usdPerMonth) })),
})

/** `isBilled`: the resource exists, or it was created again. */
type ResourcePrices = ReadonlyMap<string, { usd: Decimal; hasEnded: boolean; isBilled: boolean }>

const resourceKey = (clusterId: string, uid: string) => `${clusterId}/${uid}`

async function loadResourcePrices(tx: Db, rows: readonly PromiseRow[]): Promise<ResourcePrices> {
  const named = rows.flatMap((row) => row.resources.map(({ uid }) => ({ clusterId: row.cluster_id, uid })))
  const known = await listCloudResourcePrices(tx, {
    clusterIds: named.map(({ clusterId }) => clusterId),
    uids: named.map(({ uid }) => uid),
  })
  return new Map(
    known.map(({ clusterId, uid, endedAt, usdPerMonth, isRecreated }) => [
      resourceKey(clusterId, uid),
      { usd: decimal(usdPerMonth), hasEnded: endedAt !== null, isBilled: endedAt === null || isRecreated },
    ]),
  )
}

/**
 * A resource that ended is off the bill with its price; one that changed or was created again, with the difference of
 * its prices. Several recommendations can name one resource, which counts once.
 */
function resourcesOf(row: PromiseRow, members: readonly PromisedMember[], prices: ResourcePrices): ResourceFate[] {
  const memberOf = new Map(members.map((member) => [member.recommendation_id, member]))
  return [...groupBy(row.resources, ({ uid }) => uid)].flatMap(([uid, named]) => {
    const own = named.flatMap(({ id }) => memberOf.get(id) ?? [])
    if (own.length === 0) return []
    const before = decimal(named[0]?.usdPerMonth ?? '0')
    const price = prices.get(resourceKey(row.cluster_id, uid))
    const now = price?.isBilled ? price.usd : 0n
    const isDone = price?.hasEnded === true || own.some(({ state }) => state === 'verified' || state === null)
    const isGone = isDone && now < before && !own.some((member) => member.outlives_object)
    return [{ uid, namedBy: own, offUsd: isGone ? before - now : 0n, isGone }]
  })
}
