// The additional time per minute for storing usage of containers and pods: npm run bench:usage [scale]
// Scale 1 is 5,000 nodes, 150,000 pods, 225,000 containers and 30,000 workloads.
import { emptyMinutes, type Batch, type PodVersion } from '@plimsoll/contract'
import { makeSpanColumns } from '@plimsoll/engine/allocation'
import { addMinuteUse, encodeHistogram, Inventory, type PodRecord, PodSums, UsageSums } from '@plimsoll/pipeline/fold'

const scale = Number(process.argv[2] ?? 1)
const nodes = Math.ceil(5000 * scale)
const podsPerNode = 30
const workloads = Math.ceil(30_000 * scale)
const minutes = 10

const shapes = [['web'], ['web', 'proxy']].map((names) => ({
  containers: names.map((name) => ({ name, kind: 'app' as const, cpu_request: 100, memory_request: 100_000 })),
}))

function podVersion(index: number): PodVersion {
  const shape = shapes[index % 2]
  if (!shape) throw new Error('unknown shape')
  const workload = index % workloads
  return {
    ref: index,
    uid: `pod-${index}`,
    from: 0,
    name: `pod-${index}`,
    namespace: `namespace-${workload % 200}`,
    nodeRef: 1,
    boundAt: 0,
    phase: 'running',
    shape,
    workloadKind: 'Deployment',
    workloadName: `workload-${workload}`,
    labels: {},
  }
}

/** A deterministic number from 0 to 1. */
const spread = (a: number, b: number) => ((Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 7, 0x85ebca6b)) >>> 0) / 2 ** 32

const inventory = new Inventory(() => {
  throw new Error('no node is classified here')
})
const pods: PodRecord[] = []
for (let index = 0; index < nodes * podsPerNode; index += 1) pods.push(inventory.addPod(podVersion(index), undefined))
for (const pod of pods) pod.boundAt = 0

function minuteColumns(minute: number): Batch['minutes'] {
  const columns = emptyMinutes()
  pods.forEach((pod, ref) => {
    pod.versions[0]?.names.forEach((_name, container) => {
      columns.pod_ref.push(ref)
      columns.container.push(container)
      columns.cpu_mean.push(Math.floor(500 * (1 + spread(ref, 1)) * (0.6 + 0.8 * spread(ref, minute))))
      columns.cpu_above.push(50)
      columns.memory_mean.push(Math.floor(200_000 * (1 + spread(ref, 2)) * (0.98 + 0.04 * spread(ref, minute))))
      columns.memory_above.push(100)
    })
  })
  return columns
}

function addSums({ uid, versions }: PodRecord): void {
  const { containers } = versions[0]?.request ?? { containers: [] }
  sums.add(spans, { uid, containers, firstRow: 0, lastRow: containers.length, seconds: 60 })
}

function cpuSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const usage = new UsageSums()
const sums = new PodSums()
const spans = makeSpanColumns(1024)
const [perMinute, perMinutePods]: [number[], number[]] = [[], []]
let containers = 0
for (let minute = 1000; minute < 1000 + minutes; minute += 1) {
  const columns = minuteColumns(minute)
  containers = columns.pod_ref.length
  perMinute.push(
    cpuSeconds(() => {
      let first = 0
      for (let node = 0; node < nodes; node += 1) {
        let last = first
        while (last < containers && (columns.pod_ref[last] ?? 0) < (node + 1) * podsPerNode) last += 1
        addMinuteUse(columns, { minute, first, last }, { podOf: (ref) => pods[ref], usage, hourBefore: undefined })
        first = last
      }
    }),
  )
  perMinutePods.push(cpuSeconds(() => pods.forEach(addSums)))
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const print = (name: string, value: string) => console.log(`${name.padEnd(44)} ${value.padStart(14)}`)

console.log(`${nodes} nodes, ${pods.length} pods, ${containers} containers, ${workloads} workloads, ${minutes} minutes`)
print('container usage, core-seconds per minute', median(perMinute).toFixed(3))
print('pod quantities, core-seconds per minute', median(perMinutePods).toFixed(3))
print('both (at most 0.5 at scale 1)', (median(perMinute) + median(perMinutePods)).toFixed(3))
let saved = ''
const saving = cpuSeconds(() => (saved = JSON.stringify({ usage: usage.save(), pods: sums.save() })))
print('checkpoint size, MiB', (saved.length / 2 ** 20).toFixed(1))
print('writing the checkpoint, core-seconds', saving.toFixed(2))
let bytes = 0
const sealing = cpuSeconds(() => {
  for (const { cpu, memory } of usage.containers) {
    bytes += encodeHistogram(cpu.histogram).length + encodeHistogram(memory.histogram).length
  }
})
print('hourly histograms, core-seconds', sealing.toFixed(2))
print('hourly histograms, bytes per container', (bytes / usage.containers.length).toFixed(1))
print('RSS, MiB', (process.memoryUsage().rss / 2 ** 20).toFixed(0))
