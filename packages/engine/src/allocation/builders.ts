import { decimal } from '../decimal.ts'
import type { NodeRates } from '../pricing/rate.ts'
import { splitNodePrice } from '../pricing/split-node-price.ts'
import { SECONDS_PER_HOUR, type TimeSpan } from '../time.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE, NO_AMOUNTS, PARTS_PER_WHOLE, type Amounts } from '../units.ts'
import type { NodeSize } from './share-node-among-pods.ts'
import type { Owner } from './cost-row.ts'
import type { ContainerShape } from './pod-request.ts'
import type { PodSpan, Usage } from './pod-span.ts'

/**
 * For tests: valid defaults, so that a test states only the relevant values. Sizes are in cores, GiB and whole GPUs.
 */
export type Size = { cores?: number; gib?: number; gpus?: number }

export function amounts({ cores = 0, gib = 0, gpus = 0 }: Size): Amounts {
  return {
    cpu: Math.round(cores * MICROCORES_PER_CORE),
    memory: Math.round(gib * KIB_PER_GIB),
    gpu: Math.round(gpus * PARTS_PER_WHOLE),
  }
}

export const HOUR: TimeSpan = { from: 0, to: SECONDS_PER_HOUR }

/** The node of the reference example, with a long lifetime. */
export function aNode(
  size: Size & { allocatable?: Size; life?: TimeSpan } = {},
): NodeSize & { readonly life: TimeSpan } {
  const { allocatable, life = { from: -1e9, to: 1e9 }, ...capacity } = size
  const whole = amounts({ cores: 2, gib: 8, ...capacity })
  return { capacity: whole, allocatable: allocatable ? amounts(allocatable) : whole, life }
}

/** Two cores and 8 GiB for $0.096 an hour by default. */
export function someRates({ usdPerHour = '0.096', ...size }: Size & { usdPerHour?: string } = {}): NodeRates {
  const reference = { cpu: decimal('0.031611'), memory: decimal('0.004237'), gpu: decimal('0.95') }
  return splitNodePrice(decimal(usdPerHour), aNode(size).capacity, reference, { estimated: false })
}

export function aContainer(size: Size & { name?: string } = {}): ContainerShape {
  const { name = 'app', ...request } = size
  return { name, request: amounts({ cores: 0.5, gib: 1, ...request }) }
}

/** A pod with one container. Without `uses` its usage is unmeasured. */
export function aPodSpan(
  pod: Partial<TimeSpan> & { uid?: string; requests?: Size; uses?: Size; beyond?: Size } = {},
): PodSpan {
  const { uid = 'pod-1', from = HOUR.from, to = HOUR.to, requests = {}, uses, beyond } = pod
  const request = amounts({ cores: 0.5, gib: 1, ...requests })
  return {
    uid,
    from,
    to,
    request: { containers: [{ name: 'app', request }], pod: beyond ? amounts(beyond) : NO_AMOUNTS },
    usage: new Map(uses ? [['app', usageOf(uses)]] : []),
  }
}

export function usageOf(size: Size): Usage {
  const { cpu, memory, gpu } = amounts(size)
  return { cpu, memory, gpu: size.gpus === undefined ? 'unknown' : gpu }
}

export function anOwner(owner: Partial<Extract<Owner, { kind: 'workload' }>> = {}): Owner {
  return { kind: 'workload', namespace: 'shop', controllerKind: 'Deployment', workload: 'web', labels: {}, ...owner }
}
