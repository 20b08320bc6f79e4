import type { AllocationStep } from '@plimsoll/contract'
import { decimal, type Decimal } from '@plimsoll/engine'
import type { CoveredHours } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { sumAllocation, sumCloudResourceAllocation, sumIdle, type WorkloadAllocation } from './queries/allocation.ts'

/** One part of the cost of a cluster in one step. `at` is 0 without steps. */
export type PartCost = { part: CostPartName; at: number; usd: Decimal }

export type CostPartName =
  | { level: 'namespace'; namespace: string }
  | { level: 'workload'; namespace: string; kind: string; name: string }
  | { level: 'idle' | 'storage' | 'load_balancer' | 'overhead' }

/** The parts of a cluster below its total: namespaces, unallocated capacity, and costs besides nodes. */
export async function loadPartCosts(tx: Db, cover: CoveredHours, step: AllocationStep): Promise<PartCost[]> {
  const selection = { step, keys: ['namespace' as const], labelKeys: [], namespaces: null }
  const limit = { rowsReadMax: rowsMax }
  const namespaces = await sumAllocation(tx, cover, selection, limit)
  const idle = await sumIdle(tx, cover, step)
  const resources = await sumCloudResourceAllocation(tx, cover, { ...selection, keys: [] }, limit)
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

/** The compute cost of the workloads of some namespaces. */
export async function loadWorkloadCosts(
  tx: Db,
  cover: CoveredHours,
  { step, namespaces }: { step: AllocationStep; namespaces: readonly string[] | null },
): Promise<PartCost[]> {
  const keys = ['namespace', 'workload_kind', 'workload_name'] as const
  const rows = await sumAllocation(tx, cover, { step, keys, labelKeys: [], namespaces }, { rowsReadMax: rowsMax })
  return rows.map((row) => ({
    part: { level: 'workload' as const, namespace: row.namespace ?? '', kind: row.kind ?? '', name: row.name ?? '' },
    at: atOf(row),
    usd: computeUsd(row),
  }))
}

/** More rows would exhaust the memory; the rest of the parts is not looked at. */
const rowsMax = 300_000

const atOf = ({ step }: { step: Date | null }) => step?.getTime() ?? 0

const computeUsd = ({ cpu, memory, gpu }: WorkloadAllocation): Decimal => decimal(cpu) + decimal(memory) + decimal(gpu)
