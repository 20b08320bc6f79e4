import {
  BYTES_PER_KIB,
  MICROCORES_PER_CORE,
  PARTS_PER_WHOLE,
  roundToNumber,
  SECONDS_PER_HOUR,
  type Decimal,
  type Resource,
} from '@plimsoll/engine'
import type { Group, Groups } from './group-rows.ts'
import { computeParts, type ComputePart } from './prepare-rows.ts'
import type { SetSpan } from './plan-sets.ts'

/** As many as OpenCost prints. */
const decimals = 5

const usd = (value: Decimal) => roundToNumber(value, decimals)
const rounded = (value: number) => Number(value.toFixed(decimals))

/** `covered` is the part of the window with data. */
export type PresentedSpan = { window: SetSpan; covered: SetSpan | undefined }

type Options = { hasLabels: boolean }

/** By key, the most expensive first. */
export const presentSet = (groups: Groups, span: PresentedSpan, options: Options) =>
  Object.fromEntries(largestFirst(groups).map(([key, group]) => [key, presentAllocation(key, group, span, options)]))

export const presentSummary = (groups: Groups, span: PresentedSpan) =>
  Object.fromEntries(largestFirst(groups).map(([key, group]) => [key, presentSummaryRow(key, group, span)]))

const largestFirst = (groups: Groups) =>
  [...groups].sort(([keyA, a], [keyB, b]) => {
    const [usdA, usdB] = [totalUsd(a), totalUsd(b)]
    if (usdA === usdB) return keyA < keyB ? -1 : 1
    return usdA > usdB ? -1 : 1
  })

const storageUsd = ({ volumes }: Group) => [...volumes.values()].reduce((sum, each) => sum + each.usd, 0n)

const partUsd = ({ own, idle }: Group, part: ComputePart) => own[part] + idle[part]

export const totalUsd = (group: Group): Decimal =>
  computeParts.reduce((sum, part) => sum + partUsd(group, part), 0n) +
  storageUsd(group) +
  group.loadBalancer +
  group.shared

export const presentTime = (at: Date) => at.toISOString().replace('.000Z', 'Z')

export const presentSpan = ({ from, to }: SetSpan) => ({ start: presentTime(from), end: presentTime(to) })

/** In cores, bytes and GPUs. */
const unitsOf: Record<Resource, number> = {
  cpu: 1 / MICROCORES_PER_CORE,
  memory: BYTES_PER_KIB,
  gpu: 1 / PARTS_PER_WHOLE,
}

type Figures = { hours: number; requested: number; used: number | null; efficiency: number | null; cost: number }

/** Averages are over the covered time, which is the same in every row. */
function figuresOf(group: Group, resource: Resource, coveredHours: number): Figures {
  const hoursOf = (use: 'alloc' | 'request' | 'usage') =>
    (Number(group.quantities.get(`${resource}_${use}`) ?? 0n) / SECONDS_PER_HOUR) * unitsOf[resource]
  const average = (hours: number) => (coveredHours === 0 ? 0 : hours / coveredHours)
  const cost = partUsd(group, resource)
  const requested = average(hoursOf('request'))
  // Unknown usage is not 0. Without containers there is no usage.
  const isKnown = (group.quantities.get(`${resource}_known`) ?? 0n) > 0n || !group.quantities.get('container_seconds')
  const used = isKnown ? average(hoursOf('usage')) : null
  return { hours: hoursOf('alloc'), requested, used, efficiency: efficiencyOf(requested, used, cost), cost: usd(cost) }
}

function efficiencyOf(requested: number, used: number | null, cost: Decimal): number | null {
  if (used === null) return null
  if (requested > 0) return used / requested
  return used === 0 || cost === 0n ? 0 : 1
}

const orNull = (value: number | null) => (value === null ? null : rounded(value))

function allFigures(group: Group, { covered, window }: PresentedSpan) {
  const shown = covered ?? window
  const minutes = (shown.to.getTime() - shown.from.getTime()) / 60_000
  const hours = minutes / 60
  const [cpu, memory, gpu] = [
    figuresOf(group, 'cpu', hours),
    figuresOf(group, 'memory', hours),
    figuresOf(group, 'gpu', hours),
  ]
  return { shown, minutes, hours, cpu, memory, gpu, efficiency: totalEfficiency(cpu, memory) }
}

/** As OpenCost defines it: CPU and memory, weighted by cost. */
function totalEfficiency(cpu: Figures, memory: Figures): number | null {
  const known = [cpu, memory].filter(({ cost }) => cost > 0)
  if (known.length === 0) return 0
  if (known.some(({ efficiency }) => efficiency === null)) return null
  const cost = known.reduce((sum, each) => sum + each.cost, 0)
  return known.reduce((sum, each) => sum + (each.efficiency ?? 0) * each.cost, 0) / cost
}

function presentAllocation(name: string, group: Group, span: PresentedSpan, options: Options) {
  const { shown, minutes, hours, cpu, memory, gpu, efficiency } = allFigures(group, span)
  const volumes = [...group.volumes]
  const byteHours = volumes.reduce((sum, [, { unitSeconds }]) => sum + byteHoursOf(unitSeconds), 0)
  const perHour = (amount: number) => rounded(hours === 0 ? 0 : amount / hours)
  return {
    name,
    properties: presentProperties(group, options),
    window: presentSpan(span.window),
    ...presentSpan(shown),
    minutes: rounded(minutes),
    cpuCores: perHour(cpu.hours),
    cpuCoreRequestAverage: rounded(cpu.requested),
    cpuCoreUsageAverage: orNull(cpu.used),
    cpuCoreHours: rounded(cpu.hours),
    cpuCost: cpu.cost,
    cpuCostAdjustment: 0,
    cpuCostIdle: usd(group.idle.cpu),
    cpuEfficiency: orNull(cpu.efficiency),
    gpuCount: perHour(gpu.hours),
    gpuRequestAverage: rounded(gpu.requested),
    gpuUsageAverage: orNull(gpu.used),
    gpuHours: rounded(gpu.hours),
    gpuCost: gpu.cost,
    gpuCostAdjustment: 0,
    gpuCostIdle: usd(group.idle.gpu),
    gpuEfficiency: orNull(gpu.efficiency),
    ...noNetwork,
    loadBalancerCost: usd(group.loadBalancer),
    loadBalancerCostAdjustment: 0,
    pvBytes: perHour(byteHours),
    pvByteHours: rounded(byteHours),
    pvCost: usd(storageUsd(group)),
    pvs: presentVolumes(volumes),
    pvCostAdjustment: 0,
    ramBytes: perHour(memory.hours),
    ramByteRequestAverage: rounded(memory.requested),
    ramByteUsageAverage: orNull(memory.used),
    ramByteHours: rounded(memory.hours),
    ramCost: memory.cost,
    ramCostAdjustment: 0,
    ramCostIdle: usd(group.idle.memory),
    ramEfficiency: orNull(memory.efficiency),
    externalCost: 0,
    sharedCost: usd(group.shared),
    totalCost: usd(totalUsd(group)),
    totalEfficiency: orNull(efficiency),
    lbAllocations: null,
  }
}

/** Network traffic is not collected. */
const noNetwork = {
  networkTransferBytes: 0,
  networkReceiveBytes: 0,
  networkCost: 0,
  networkCrossZoneCost: 0,
  networkCrossRegionCost: 0,
  networkInternetCost: 0,
  networkCostAdjustment: 0,
}

function presentSummaryRow(name: string, group: Group, span: PresentedSpan) {
  const { shown, cpu, memory, gpu, efficiency } = allFigures(group, span)
  return {
    name,
    ...presentSpan(shown),
    cpuCoreRequestAverage: rounded(cpu.requested),
    cpuCoreUsageAverage: orNull(cpu.used),
    cpuCost: cpu.cost,
    cpuCostIdle: usd(group.idle.cpu),
    gpuRequestAverage: rounded(gpu.requested),
    gpuUsageAverage: orNull(gpu.used),
    gpuCost: gpu.cost,
    gpuCostIdle: usd(group.idle.gpu),
    networkCost: 0,
    loadBalancerCost: usd(group.loadBalancer),
    pvCost: usd(storageUsd(group)),
    ramByteRequestAverage: rounded(memory.requested),
    ramByteUsageAverage: orNull(memory.used),
    ramCost: memory.cost,
    ramCostIdle: usd(group.idle.memory),
    sharedCost: usd(group.shared),
    externalCost: 0,
    totalEfficiency: orNull(efficiency),
    totalCost: usd(totalUsd(group)),
  }
}

function presentProperties({ properties }: Group, { hasLabels }: Options) {
  const { controllerName: controller, labels, ...others } = properties
  const named = Object.entries({ ...others, controller }).filter(([, value]) => value !== '')
  const isLabeled = hasLabels && Object.keys(labels).length > 0
  return { ...Object.fromEntries(named), ...(isLabeled ? { labels } : {}) }
}

const byteHoursOf = (unitSeconds: bigint) => (Number(unitSeconds) / SECONDS_PER_HOUR) * BYTES_PER_KIB

/**
 * Clients compute the cost of volumes from this list. Volumes are not stored one by one beyond their hours, so all
 * volumes of a row in one cluster are one entry.
 */
const presentVolumes = (volumes: readonly (readonly [string, { usd: Decimal; unitSeconds: bigint }])[]) =>
  volumes.length === 0
    ? null
    : Object.fromEntries(
        volumes.map(([cluster, { usd: cost, unitSeconds }]) => [
          `cluster=${cluster}:name=all-volumes`,
          { byteHours: rounded(byteHoursOf(unitSeconds)), cost: usd(cost), providerID: '', adjustment: 0 },
        ]),
      )
