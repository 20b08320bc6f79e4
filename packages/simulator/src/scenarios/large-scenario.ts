import { noise } from '../random.ts'
import type { Archetype, ContainerScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'

export type LargeOptions = {
  readonly nodes: number
  readonly podsPerNode: number
  /** The mean; between 1 and 3. */
  readonly containersPerPod: number
  readonly workloads: number
  /** The share of the pods that is replaced per hour. */
  readonly churnPerHour: number
  readonly seed: number
}

const WORKLOADS_PER_NAMESPACE = 100
const NODE = { cpuMillicores: 16_000, memoryMib: 65_536 }
const ALLOCATABLE = { cpuMillicores: 15_890, memoryMib: 62_000 }

/** Alternating archetypes, so that a large cluster looks like many small ones. */
const archetypes: readonly Archetype[] = [
  { kind: 'web' },
  { kind: 'steady' },
  { kind: 'jvm' },
  { kind: 'idle' },
  { kind: 'web', peakHourUtc: 20 },
  { kind: 'spiky' },
  { kind: 'database' },
  { kind: 'batch' },
]

/** A cluster of any size, 90 % requested, in which all pods fit in any scheduling order. */
export function largeScenario(options: LargeOptions): Scenario {
  const { nodes, podsPerNode, workloads, churnPerHour, seed } = options
  const replicas = (nodes * podsPerNode) / workloads
  return {
    seed,
    name: `large-${nodes}`,
    clusterUid: `large-${nodes}-${seed}`,
    provider: 'aws',
    region: 'eu-west-1',
    kubernetesVersion: 'v1.33.4',
    pools: [
      {
        name: 'general',
        instanceType: 'm6i.4xlarge',
        count: nodes,
        zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
        capacityType: 'on-demand',
        capacity: NODE,
        allocatable: ALLOCATABLE,
        // First fit would fill some nodes and leave others empty; real large clusters are more even.
        podsMax: podsPerNode + 1,
      },
    ],
    namespaces: namespaces(workloads),
    workloads: Array.from({ length: workloads }, (_, index) => workload(index, replicas, options)),
    churnPerHour,
  }
}

/** The maximum supported cluster size. */
export const fullSize: LargeOptions = {
  nodes: 5_000,
  podsPerNode: 30,
  containersPerPod: 1.5,
  workloads: 30_000,
  churnPerHour: 0.05,
  seed: 1,
}

function namespaces(workloads: number): { name: string; labels: Record<string, string> }[] {
  const count = Math.ceil(workloads / WORKLOADS_PER_NAMESPACE)
  return Array.from({ length: count }, (_, index) => ({
    name: `team-${index}`,
    labels: { team: `team-${index}`, 'cost-center': `cc-${index % 40}` },
  }))
}

/** Replicas are rounded so that they add up: 2.5 each is 2 and 3 alternately. */
function workload(index: number, replicas: number, options: LargeOptions): WorkloadScenario {
  return {
    namespace: `team-${Math.floor(index / WORKLOADS_PER_NAMESPACE)}`,
    name: `app-${index}`,
    kind: 'Deployment',
    replicas: Math.floor((index + 1) * replicas) - Math.floor(index * replicas),
    labels: { app: `app-${index}` },
    archetype: archetypes[index % archetypes.length] ?? { kind: 'steady' },
    containers: containers(index, options),
  }
}

function containers(index: number, { containersPerPod, podsPerNode, seed }: LargeOptions): ContainerScenario[] {
  const extra = Math.min(2, containersPerPod - 1)
  const sidecars = Math.floor((index + 1) * extra) - Math.floor(index * extra)
  const size = 0.6 + 0.6 * noise(seed, index)
  const cpu = Math.floor(((ALLOCATABLE.cpuMillicores * 0.9) / podsPerNode) * size)
  const memory = Math.floor(((ALLOCATABLE.memoryMib * 0.9) / podsPerNode) * size)
  const part = 1 / (1 + sidecars)
  return Array.from({ length: 1 + sidecars }, (_, position) => ({
    name: position === 0 ? 'app' : `helper-${position}`,
    request: { cpuMillicores: Math.floor(cpu * part), memoryMib: Math.floor(memory * part) },
    uses: { cpuMillicores: cpu * part * (0.2 + noise(seed, index, 1)), memoryMib: memory * part * 0.6 },
  }))
}
