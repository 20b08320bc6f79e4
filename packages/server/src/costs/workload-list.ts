import type { WorkloadCost } from '@plimsoll/contract'
import { BYTES_PER_KIB, decimal, MICROCORES_PER_CORE, roundToNumber, type Resource } from '@plimsoll/engine'
import type { Db } from '../platform/db/database.ts'
import { listWorkloadCosts, type WorkloadCostRow, type WorkloadPage } from './queries/workload-costs.ts'
import type { HourWindow } from './parse-window.ts'
import { perResource } from './quantities.ts'
import { loadShownCover, type ShownCover } from './shown-cover.ts'

export type PricedWorkload = { row: WorkloadCostRow; shown: WorkloadCost }

export async function loadWorkloads(
  tx: Db,
  clusterId: string,
  window: HourWindow,
  page: WorkloadPage,
): Promise<{ workloads: PricedWorkload[]; cover: ShownCover }> {
  const cover = await loadShownCover(tx, clusterId, window)
  const rows = await listWorkloadCosts(tx, cover, page)
  return { workloads: rows.map((row) => ({ row, shown: presentWorkload(row, cover.secondsWithData) })), cover }
}

function presentWorkload(row: WorkloadCostRow, windowSeconds: number): WorkloadCost {
  const usd = (exact: string) => roundToNumber(decimal(exact))
  const mean = (sum: string) => Number(sum) / windowSeconds
  // A gap is neither used nor idle: the mean covers the measured time.
  const used = (resource: 'cpu' | 'memory') => {
    const known = Number(row[`${resource}_known`])
    return known === 0 ? null : (mean(row[`${resource}_usage`]) * Number(row.container_seconds)) / known
  }
  const coverage = (resource: Resource) =>
    row.container_seconds === '0' || (resource === 'gpu' && row.gpu_alloc === '0')
      ? null
      : Number(row[`${resource}_known`]) / Number(row.container_seconds)
  return {
    namespace: row.namespace,
    kind: row.kind,
    name: row.name,
    cost: {
      workload: usd(row.usedCost),
      workload_idle: roundToNumber(decimal(row.computeCost) - decimal(row.usedCost)),
      unmeasured: usd(row.unmeasuredCost),
      total: usd(row.cost),
      cpu: usd(row.cpuCost),
      memory: usd(row.memoryCost),
      gpu: usd(row.gpuCost),
      storage: usd(row.storageCost),
      load_balancer: usd(row.balancerCost),
    },
    replicas: round(mean(row.seconds)),
    cpu_cores: {
      requested: round(mean(row.cpu_request) / MICROCORES_PER_CORE),
      used: scaled(used('cpu'), (microcores) => round(microcores / MICROCORES_PER_CORE)),
    },
    memory_bytes: {
      requested: Math.round(mean(row.memory_request) * BYTES_PER_KIB),
      used: scaled(used('memory'), (kib) => Math.round(kib * BYTES_PER_KIB)),
    },
    usage_coverage: perResource(coverage),
    unpriced: row.isUnpriced,
  }
}

const scaled = (value: number | null, to: (value: number) => number) => (value === null ? null : to(value))

const round = (value: number) => Number(value.toFixed(3))
