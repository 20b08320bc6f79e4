// The cost of a simulated cluster: CPU time of one core and bytes per minute, at three sizes. npm run bench:simulator
import { gunzipSync } from 'node:zlib'
import {
  fullSize,
  largeScenario,
  openWorld,
  SimulatedAgent,
  type EncodedBatch,
} from '../packages/simulator/src/index.ts'

const MINUTES = 5
const START_SECOND = 1_760_000_460
const MIB = 1024 * 1024

type Measured = { ms: number; batches: EncodedBatch[] }

function coreMs<Result>(work: () => Result): { ms: number; result: Result } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { ms: (user + system) / 1000, result }
}

function bytes(batches: readonly EncodedBatch[]): { raw: number; gzip: number } {
  return batches.reduce((sum, { body }) => ({ raw: sum.raw + gunzipSync(body).length, gzip: sum.gzip + body.length }), {
    raw: 0,
    gzip: 0,
  })
}

function row(name: string, { ms, batches }: Measured): string {
  const { raw, gzip } = bytes(batches)
  const mib = (value: number) => `${(value / MIB).toFixed(2)} MiB`.padStart(10)
  return `  ${name.padEnd(26)} ${(ms / 1000).toFixed(2).padStart(6)} s ${mib(raw)} raw ${mib(gzip)} gzip ${String(batches.length).padStart(3)} batches`
}

function measure(share: number): void {
  const options = { ...fullSize, nodes: fullSize.nodes * share, workloads: fullSize.workloads * share }
  const open = coreMs(() => openWorld(largeScenario(options), START_SECOND))
  const agent = new SimulatedAgent(open.result)
  const full = coreMs(() => agent.minute({ full: true }))
  const minutes = Array.from({ length: MINUTES }, () => coreMs(() => agent.minute()))
  const median = minutes.sort((a, b) => a.ms - b.ms)[Math.floor(MINUTES / 2)] ?? full
  const pods = open.result.living().pods.length
  console.log(`${options.nodes} nodes, ${pods.toLocaleString('en')} pods: opened in ${(open.ms / 1000).toFixed(2)} s`)
  console.log(row('a minute with snapshot', { ms: full.ms, batches: full.result }))
  console.log(row(`a minute, median of ${MINUTES}`, { ms: median.ms, batches: median.result }))
}

for (const share of [0.01, 0.1, 1]) measure(share)
console.log(`memory at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB (aim < 1,500), a minute < 3 s`)
