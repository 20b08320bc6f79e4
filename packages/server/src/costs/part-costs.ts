import type { AllocationStep } from '@plimsoll/contract'
import { decimal, type Decimal } from '@plimsoll/engine'
import type { CoveredHours } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { labelsOfRules, type TeamRules } from '../settings/index.ts'
import { TEAM_LABEL } from './parse-grouping.ts'
import { labelReader } from './priced-rows.ts'
import {
  sumAllocation,
  sumCloudResourceAllocation,
  sumIdle,
  type RowLimit,
  type WorkloadAllocation,
} from './queries/allocation.ts'
import { TooManyRows } from './too-many-rows.ts'

export type { RowLimit }

/** One part of the cost of a cluster in one step. `at` is 0 without steps. */
export type PartCost = { part: CostPartName; at: number; usd: Decimal }

export type WorkloadPart = { level: 'workload'; namespace: string; kind: string; name: string }

export type CostPartName =
  | { level: 'namespace'; namespace: string }
  | WorkloadPart
  | { level: 'idle' | 'storage' | 'load_balancer' | 'overhead' }

/** The parts of a cluster below its total: namespaces, unallocated capacity, and costs besides nodes. */
export function loadPartCosts(
  tx: Db,
  cover: CoveredHours,
  step: AllocationStep,
  limit: RowLimit = defaultLimit,
): Promise<PartCost[]> {
  return inChunks(cover, (chunk) => partCostsOf(tx, chunk, step, limit))
}

async function partCostsOf(tx: Db, cover: CoveredHours, step: AllocationStep, limit: RowLimit): Promise<PartCost[]> {
  const selection = { step, keys: ['namespace' as const], labelKeys: [], namespaces: null }
  const namespaces = demandAll(await sumAllocation(tx, cover, selection, limit), limit)
  const idle = await sumIdle(tx, cover, step)
  const resources = demandAll(await sumCloudResourceAllocation(tx, cover, { ...selection, keys: [] }, limit), limit)
  return [
    ...namespaces.map((row) => ({
      part: { level: 'namespace' as const, namespace: row.namespace ?? '' },
      at: atOf(row),
      usd: computeUsd(row),
    })),
    ...idle.map((row) => ({ part: { level: 'idle' as const }, at: atOf(row), usd: decimal(row.idle) })),
    ...resources.flatMap((row) => [
      { part: { level: 'storage' as const }, at: atOf(row), usd: decimal(row.storage) },
      { part: { level: 'load_balancer' as const }, at: atOf(row), usd: decimal(row.loadBalancer) },
      { part: { level: 'overhead' as const }, at: atOf(row), usd: decimal(row.overhead) },
    ]),
  ]
}

/** The compute cost of an owner in a namespace in one step. Undefined: workloads without a team. */
export type TeamCost = { team: string | undefined; namespace: string; at: number; usd: Decimal }

type TeamQuestion = { cluster: string; step: AllocationStep; teams: TeamRules; limit?: RowLimit | undefined }

/** `cluster` is a name, because rules of teams have patterns of names. */
export function loadTeamCosts(
  tx: Db,
  cover: CoveredHours,
  { cluster, step, teams, limit = defaultLimit }: TeamQuestion,
): Promise<TeamCost[]> {
  const labelKeys = labelsOfRules(teams)
  const labelsOf = labelReader(cluster, labelKeys, teams)
  const selection = { step, keys: ['namespace'] as const, labelKeys, namespaces: null }
  return inChunks(cover, async (chunk) =>
    demandAll(await sumAllocation(tx, chunk, selection, limit), limit).map((row) => ({
      team: labelsOf(row)[TEAM_LABEL],
      namespace: row.namespace ?? '',
      at: atOf(row),
      usd: computeUsd(row),
    })),
  )
}

export type WorkloadCost = PartCost & { part: WorkloadPart }

/** The compute cost of all workloads, or of these. */
export function loadWorkloadCosts(
  tx: Db,
  cover: CoveredHours,
  { step, workloads }: { step: AllocationStep; workloads: readonly WorkloadPart[] | null },
): Promise<WorkloadCost[]> {
  const keys = ['namespace', 'workload_kind', 'workload_name'] as const
  const selection = {
    ...{ step, keys, labelKeys: [] },
    namespaces: workloads === null ? null : [...new Set(workloads.map(({ namespace }) => namespace))],
    workloads: workloads?.map(({ namespace, kind, name }) => `${namespace}/${kind}/${name}`) ?? null,
  }
  return inChunks(cover, async (chunk) =>
    demandAll(await sumAllocation(tx, chunk, selection, defaultLimit), defaultLimit).map(workloadCost),
  )
}

function workloadCost(row: WorkloadAllocation): WorkloadCost {
  return {
    part: { level: 'workload' as const, namespace: row.namespace ?? '', kind: row.kind ?? '', name: row.name ?? '' },
    at: atOf(row),
    usd: computeUsd(row),
  }
}

const daysAtOnce = 14

/** Sums of several weeks are read in chunks, because each chunk has its own limit. */
async function inChunks<Cost>(cover: CoveredHours, load: (chunk: CoveredHours) => Promise<Cost[]>): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const chunk of chunksOf(cover)) for (const cost of await load(chunk)) costs.push(cost)
  return costs
}

/** Hours of two weeks are one chunk: the trailing 24 hours have one sum for each part. */
function chunksOf(cover: CoveredHours): CoveredHours[] {
  const chunks: CoveredHours[] = []
  for (let at = 0; at < cover.days.length; at += daysAtOnce)
    chunks.push({ ...cover, days: cover.days.slice(at, at + daysAtOnce), hours: [], spans: undefined })
  const hoursAtOnce = daysAtOnce * 24
  for (let at = 0; at < cover.hours.length; at += hoursAtOnce)
    chunks.push({ ...cover, days: [], hours: cover.hours.slice(at, at + hoursAtOnce), spans: undefined })
  return chunks
}

/** More rows would exhaust the memory. */
const defaultLimit: RowLimit = { rowsReadMax: 300_000 }

/** A part of the rows would look like a lower cost. */
function demandAll<Row>(rows: Row[], { rowsReadMax }: RowLimit): Row[] {
  if (rows.length > rowsReadMax) throw new TooManyRows(rowsReadMax)
  return rows
}

const atOf = ({ step }: { step: Date | null }) => step?.getTime() ?? 0

const computeUsd = ({ cpu, memory, gpu }: WorkloadAllocation): Decimal => decimal(cpu) + decimal(memory) + decimal(gpu)
