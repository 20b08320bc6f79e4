// The time to allocate one minute of the largest cluster: 5,000 nodes of 45 containers, some of which start or end in
// it.
import {
  shareNodeAmongPods,
  clearSpans,
  makeSpanColumns,
  writePod,
  type NodeSize,
  type PodSpan,
  type SpanColumns,
} from '../packages/engine/src/allocation/index.ts'

const NODES = 5_000
const PODS_PER_NODE = 30
const MINUTE = { from: 0, to: 60 }
const ROUNDS = 20

const node: NodeSize = {
  capacity: { cpu: 16_000_000, memory: 64 * 1024 * 1024, gpu: 0 },
  allocatable: { cpu: 15_890_000, memory: 60 * 1024 * 1024, gpu: 0 },
}

/** Every fifth node has a pod that starts and one that ends in the minute; every third pod has a `(pod)` row. */
function podsOfNode(nodeIndex: number): PodSpan[] {
  return Array.from({ length: PODS_PER_NODE }, (_, podIndex) => {
    const seed = nodeIndex * PODS_PER_NODE + podIndex
    const names = podIndex % 2 === 0 ? ['app'] : ['app', 'sidecar']
    const starts = nodeIndex % 5 === 0 && podIndex === 0
    const ends = nodeIndex % 5 === 0 && podIndex === 1
    const amounts = (share: number) => ({ cpu: 300_000 * share, memory: 1024 * 1024 * share, gpu: 0 })
    return {
      uid: `pod-${seed}`,
      from: starts ? 20 : -600,
      to: ends ? 40 : 600,
      request: {
        containers: names.map((name) => ({ name, request: amounts(1) })),
        pod: podIndex % 3 === 0 ? amounts(1) : amounts(0),
      },
      usage: new Map(names.map((name, index) => [name, { ...usageOf(seed + index), gpu: 'unknown' as const }])),
    }
  })
}

function usageOf(seed: number) {
  const noise = ((seed * 2654435761) >>> 0) / 2 ** 32
  return { cpu: Math.floor(noise * 700_000), memory: Math.floor(noise * 1_500_000) }
}

function fill(columns: SpanColumns, pods: readonly PodSpan[]): void {
  clearSpans(columns)
  for (const pod of pods) writePod(columns, pod)
}

function seconds(work: () => void): number {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}

const cluster = Array.from({ length: NODES }, (_, index) => podsOfNode(index))
const containers = cluster.reduce(
  (sum, pods) => sum + pods.reduce((own, pod) => own + pod.request.containers.length, 0),
  0,
)
const perNode = cluster.map((pods) => {
  const columns = makeSpanColumns(64)
  fill(columns, pods)
  return columns
})
const columns = makeSpanColumns(256)

const kernel: number[] = []
const whole: number[] = []
for (let round = 0; round < ROUNDS; round++) {
  kernel.push(seconds(() => perNode.forEach((one) => shareNodeAmongPods(one, node, MINUTE))))
  whole.push(
    seconds(() =>
      cluster.forEach((pods) => {
        fill(columns, pods)
        shareNodeAmongPods(columns, node, MINUTE)
      }),
    ),
  )
}

function report(name: string, times: number[]): void {
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  const rate = Math.round(containers / median).toLocaleString('en')
  console.log(
    `${name.padEnd(28)} ${(median * 1000).toFixed(1).padStart(7)} ms a minute   ${rate.padStart(12)} containers/s`,
  )
}

console.log(`${NODES} nodes, ${containers.toLocaleString('en')} containers, median of ${ROUNDS} rounds`)
report('allocate', kernel)
report('write columns and allocate', whole)
