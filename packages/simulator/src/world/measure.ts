import type { NodeMinute } from '@plimsoll/agent'
import type { ContainerSample } from '@plimsoll/contract'
import { secondsRunIn } from './run-clock.ts'
import type { SimNode, SimPod, State, Workload } from './state.ts'
import { throttlingIn } from './throttle.ts'
import { loadAt, useOf } from './usage.ts'
import { KIB_PER_MIB } from './versions.ts'

/** Usage is sampled every fifteen seconds, so a shorter run in a minute has no sample. */
const SECONDS_SEEN_MIN = 15

type Loads = Map<Workload, number>

/** The usage samples of the last minute by node; empty if usage was not sampled. */
export function measureMinute(state: State, minute: number, measured: boolean): NodeMinute[] {
  const nodes = [...state.nodes.values(), ...state.leftNodes]
  state.leftNodes = []
  const loads: Loads = new Map()
  const isSeen = measured && state.scenario.usageSource !== 'none'
  const minutes = nodes.map((node) => {
    const samples = isSeen ? measureNode(node, minute, loads) : []
    node.left = []
    return { nodeRef: node.id, samples }
  })
  if (isSeen) {
    const loadOf = ({ workload }: SimPod) => loadOfPod(workload, minute, loads)
    state.facts.events.push(...throttlingIn(state, minute, loadOf))
  }
  return measured ? minutes : []
}

function measureNode(node: SimNode, minute: number, loads: Loads): ContainerSample[] {
  const samples: ContainerSample[] = []
  for (const pod of node.pods) measurePod(pod, minute, loads, samples)
  for (const pod of node.left) measurePod(pod, minute, loads, samples)
  const { cpuMillicores, memoryMib } = node.pool.spec.capacity
  capAt(samples, 'cpuMeanTenths', 'cpuAboveTenths', cpuMillicores * 10)
  capAt(samples, 'memoryMeanKib', 'memoryAboveKib', memoryMib * KIB_PER_MIB)
  return samples
}

/** Means cover the time in which the pod was bound, because the pod has a cost for that time. */
function measurePod(pod: SimPod, minute: number, loads: Loads, samples: ContainerSample[]): void {
  const [from, to] = [minute * 60, minute * 60 + 60]
  const held = Math.min(pod.heldUntil, to) - Math.max(pod.boundAt, from)
  const { containers, main } = pod.workload
  const load = loadOfPod(pod.workload, minute, loads)
  let initAt = pod.initAt
  for (let container = 0; container < containers.length; container += 1) {
    const { kind, seconds = 5 } = containers[container] ?? {}
    let ran: number
    let since = pod.clock.since
    if (kind === 'init') {
      ran = Math.min(initAt + seconds, pod.heldUntil, to) - Math.max(initAt, from)
      initAt += seconds
    } else {
      const clock = container === main ? pod.mainClock : pod.clock
      ran = secondsRunIn(clock, minute)
      since = clock.since
    }
    if (ran < SECONDS_SEEN_MIN || held <= 0) continue
    const age = since < 0 ? ran : Math.max(0, to - ran / 2 - since)
    samples.push(sampleOf(pod, container, minute, load, age, ran / held))
  }
}

// eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
function sampleOf(
  pod: SimPod,
  container: number,
  minute: number,
  load: number,
  ageSeconds: number,
  share: number,
): ContainerSample {
  const use = useOf(pod, container, load, minute, ageSeconds)
  const limits = pod.template.shape.containers[container]
  const cpu = Math.min(use.cpuMillicores, limits?.cpu_limit ?? Infinity)
  const memory = Math.min(use.memoryKib, limits?.memory_limit ?? Infinity)
  const cpuMeanTenths = Math.round(cpu * share * 10)
  const memoryMeanKib = Math.round(memory * share)
  const cpuMaxTenths = Math.min(cpu * (1 + use.cpuPeakFactor), limits?.cpu_limit ?? Infinity) * 10
  const memoryMaxKib = Math.min(memory * (1 + use.memoryPeakFactor), limits?.memory_limit ?? Infinity)
  return {
    podRef: pod.id,
    container,
    cpuMeanTenths,
    cpuAboveTenths: Math.max(0, Math.round(cpuMaxTenths) - cpuMeanTenths),
    memoryMeanKib,
    memoryAboveKib: Math.max(0, Math.round(memoryMaxKib) - memoryMeanKib),
  }
}

/** The load of one pod. With an autoscaler, the running replicas share the load. */
function loadOfPod(workload: Workload, minute: number, loads: Loads): number {
  const known = loads.get(workload)
  if (known !== undefined) return known
  const { autoscaler, archetype, replicas = 1 } = workload.spec
  const load = loadAt(archetype, workload.seed, minute)
  const running = autoscaler ? [...workload.pods].filter(({ phase }) => phase === 'running').length : replicas
  const shared = autoscaler ? (load * replicas) / Math.max(1, running) : load
  loads.set(workload, shared)
  return shared
}

/** Limits usage to the capacity of the node, in proportion for each container. */
function capAt(
  samples: readonly ContainerSample[],
  mean: 'cpuMeanTenths' | 'memoryMeanKib',
  above: 'cpuAboveTenths' | 'memoryAboveKib',
  capacity: number,
): void {
  let sum = 0
  for (const sample of samples) sum += sample[mean]
  if (sum <= capacity) return
  for (const sample of samples) {
    sample[mean] = Math.floor((sample[mean] * capacity) / sum)
    sample[above] = Math.floor((sample[above] * capacity) / sum)
  }
}
