import type { WorkloadCost } from '@plimsoll/contract'
import { BYTES_PER_KIB, decimal, MICROCORES_PER_CORE, roundToNumber, type Resource } from '@plimsoll/engine'
import type { Db } from '../db/database.ts'
import { listWorkloadCosts, type WorkloadCostRow, type WorkloadPage } from '../db/workload-costs.ts'
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
      used: row.cpu_known === '0' ? null : round(mean(row.cpu_usage) / MICROCORES_PER_CORE),
    },
    memory_bytes: {
      requested: Math.round(mean(row.memory_request) * BYTES_PER_KIB),
      used: row.memory_known === '0' ? null : Math.round(mean(row.memory_usage) * BYTES_PER_KIB),
    },
    usage_coverage: perResource(coverage),
    unpriced: row.isUnpriced,
  }
}

const round = (value: number) => Number(value.toFixed(3))
