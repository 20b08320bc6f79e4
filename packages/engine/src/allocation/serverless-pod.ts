import { BYTES_PER_KIB, KIB_PER_GIB, MICROCORES_PER_CORE, type Amounts } from '../units.ts'
import { eachResource, type PodRequest } from './pod-request.ts'
import type { NodeSize } from './share-node-among-pods.ts'

/** A pod size of a provider, or no size is large enough. */
export type ServerlessSize = { kind: 'size'; size: Amounts } | { kind: 'too-large' }

/**
 * A serverless pod rents its billed size, like a node of that size. The `(pod)` row holds the rounding, so there is no
 * cluster idle.
 */
export function serverlessPod(request: PodRequest, size: Amounts): { node: NodeSize; request: PodRequest } {
  const containers = sumOf(request.containers.map((container) => container.request))
  const pod = eachResource((resource) => Math.max(0, size[resource] - containers[resource]))
  return { node: { capacity: size, allocatable: size }, request: { ...request, pod } }
}

export function wholeRequest(request: PodRequest): Amounts {
  return sumOf([...request.containers.map((container) => container.request), request.pod])
}

/** EKS on Fargate: adds 256 MiB for its own components, then takes the smallest combination that fits both. */
export function fargateSize(request: Amounts): ServerlessSize {
  const neededKib = request.memory + FARGATE_COMPONENTS_KIB
  for (const { vcpu, fromGib, toGib, stepGib } of FARGATE_SIZES) {
    const gib = Math.max(fromGib, roundUp(neededKib / KIB_PER_GIB, stepGib))
    const holds = request.cpu <= vcpu * MICROCORES_PER_CORE && gib <= toGib
    if (holds) return { kind: 'size', size: { cpu: vcpu * MICROCORES_PER_CORE, memory: gib * KIB_PER_GIB, gpu: 0 } }
  }
  return { kind: 'too-large' }
}

/**
 * GKE Autopilot, general purpose: at least 50m and 52 MiB, and between 1 and 6.5 GiB per vCPU. The smaller resource is
 * raised until the ratio fits. Autopilot usually writes these values into the pod, and then nothing changes here.
 */
export function autopilotSize(request: Amounts): ServerlessSize {
  const cpu = Math.max(request.cpu, AUTOPILOT_MIN.cpu)
  const memory = Math.max(request.memory, AUTOPILOT_MIN.memory, Math.ceil((cpu * KIB_PER_GIB) / MICROCORES_PER_CORE))
  const cpuForMemory = Math.ceil((memory * MICROCORES_PER_CORE) / (AUTOPILOT_GIB_PER_VCPU_MAX * KIB_PER_GIB))
  return { kind: 'size', size: { cpu: Math.max(cpu, cpuForMemory), memory, gpu: request.gpu } }
}

const MIB = BYTES_PER_KIB
const FARGATE_COMPONENTS_KIB = 256 * MIB
const AUTOPILOT_MIN = { cpu: 50_000, memory: 52 * MIB }
const AUTOPILOT_GIB_PER_VCPU_MAX = 6.5

/** Two rows for the smallest size, which has 0.5 GiB and then whole GiB. */
const FARGATE_SIZES = [
  { vcpu: 0.25, fromGib: 0.5, toGib: 0.5, stepGib: 0.5 },
  { vcpu: 0.25, fromGib: 1, toGib: 2, stepGib: 1 },
  { vcpu: 0.5, fromGib: 1, toGib: 4, stepGib: 1 },
  { vcpu: 1, fromGib: 2, toGib: 8, stepGib: 1 },
  { vcpu: 2, fromGib: 4, toGib: 16, stepGib: 1 },
  { vcpu: 4, fromGib: 8, toGib: 30, stepGib: 1 },
  { vcpu: 8, fromGib: 16, toGib: 60, stepGib: 4 },
  { vcpu: 16, fromGib: 32, toGib: 120, stepGib: 8 },
]

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

function sumOf(amounts: readonly Amounts[]): Amounts {
  return eachResource((resource) => amounts.reduce((sum, one) => sum + one[resource], 0))
}
