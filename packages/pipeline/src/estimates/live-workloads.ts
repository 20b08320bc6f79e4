import type { NodeVersion, ObjectSpec, PodShape } from '@plimsoll/contract'
import { parseCronSchedule, RESOURCES, type CronSchedule, type Resource } from '@plimsoll/engine'
import { workloadPath } from '@plimsoll/engine/rules'
import { newestOf, podsByWorkload } from '../facts/living-pods.ts'
import { lastCronPods } from '../facts/resting-cron-jobs.ts'
import { livingNodes, type Rates } from '../facts/packing-of.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'

/** USD for one unit in one second. Null: not priced. */
export type UnitRates = Record<Resource, number | null>

export type LiveWorkload = {
  shape: PodShape
  /** Of the pods that hold their requests now. */
  pods: readonly PodRecord[]
  replicas: number
  schedule: CronSchedule | undefined
  isSuspended: boolean
  gpu: NodeVersion | undefined
  isServerless: boolean
}

export type LiveCluster = {
  find: (path: string) => LiveWorkload | null
  autoscalerOf: (path: string) => ObjectSpec<'autoscaler'> | undefined
  defaultsOf: (namespace: string) => { cpu?: number | undefined; memory?: number | undefined }
  ratesOf: (pods: readonly PodRecord[]) => { from: 'own_nodes' | 'cluster_mean'; rates: UnitRates }
}

/** What runs now, for workloads that a change names. */
export function liveCluster(state: FoldState, rates: Rates): LiveCluster {
  const living = <Kind extends 'workload' | 'autoscaler' | 'limit_range'>(kind: Kind) =>
    state.objects.living(kind, state.watermark)
  const groups = podsByWorkload(state)
  const lastRuns = lastCronPods(state)
  const reported = new Map(
    living('workload').map(({ namespace, name, spec }) => [workloadPath(namespace, spec.workload_kind, name), spec]),
  )
  const autoscalers = new Map(
    living('autoscaler').map(({ namespace, spec }) => [
      workloadPath(namespace, spec.target_kind, spec.target_name),
      spec,
    ]),
  )
  const defaults = new Map(living('limit_range').map(({ namespace, spec }) => [namespace, spec.default_request ?? {}]))
  const mean = meanRates(state, rates)
  return {
    find: (path) => {
      const pods = groups.get(path) ?? []
      const newest = newestOf(pods) ?? lastRuns.get(path)
      const shape = newest?.versions.at(-1)?.facts.shape
      if (!newest || !shape) return null
      const { schedule = '', suspended = false } = reported.get(path) ?? {}
      const parsed = parseCronSchedule(schedule)
      const node = newest.node?.versions.at(-1)
      return {
        ...{ shape, pods, replicas: pods.length, isSuspended: suspended },
        schedule: parsed.kind === 'ok' ? parsed.value : undefined,
        gpu: node?.facts,
        isServerless: node?.class.serverless !== undefined,
      }
    },
    autoscalerOf: (path) => autoscalers.get(path),
    defaultsOf: (namespace) => defaults.get(namespace) ?? {},
    ratesOf: (pods) => {
      const placed = pods.filter(({ node }) => node !== undefined)
      return placed.length === 0
        ? { from: 'cluster_mean', rates: mean }
        : { from: 'own_nodes', rates: ownRates(placed, rates) }
    },
  }
}

/** A pod on a node without a price makes the rate unknown. */
function ownRates(pods: readonly PodRecord[], rates: Rates): UnitRates {
  const found = pods.map(({ node }) => rates.get(node?.versions.at(-1)?.class.key ?? ''))
  return perResource((resource) => {
    const values = found.map((rate) => usdOf(rate, resource))
    return values.includes(null) ? null : values.reduce<number>((sum, each) => sum + (each ?? 0), 0) / values.length
  })
}

/** Weighted by the capacity of the nodes with a price. */
function meanRates(state: FoldState, rates: Rates): UnitRates {
  const nodes = livingNodes(state).flatMap(({ versions }) => versions.at(-1)?.class ?? [])
  return perResource((resource) => {
    let [usd, units] = [0, 0]
    for (const { key, capacity } of nodes) {
      const rate = usdOf(rates.get(key), resource)
      if (rate === null) continue
      usd += rate * capacity[resource]
      units += capacity[resource]
    }
    return units === 0 ? null : usd / units
  })
}

const usdOf = (rate: ReturnType<Rates['get']>, resource: Resource): number | null =>
  rate === undefined ? null : { cpu: rate.cpuUsd, memory: rate.memoryUsd, gpu: rate.gpuUsd }[resource]

const perResource = (of: (resource: Resource) => number | null): UnitRates =>
  Object.fromEntries(RESOURCES.map((resource) => [resource, of(resource)])) as UnitRates
