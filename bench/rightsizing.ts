/**
 * Evaluates requests on recorded fleets. The product code sees only the past; its request applies until the next
 * decision, and the outcome is counted. `--traces DIR` is a directory of recordings, `--speed` measures the time of
 * decisions.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  judgeCpu,
  judgeMeans,
  judgeMemory,
  ratiosOf,
  SERIES_MIN,
  type Ratios,
  type Verdict,
} from './rightsizing/bar.ts'
import { fold, type Folded } from './rightsizing/fold.ts'
import { oursCpu, oursHourly, oursMemory } from './rightsizing/ours.ts'
import { cpuPeers, memoryPeers } from './rightsizing/peers.ts'
import { replay, type Replay } from './rightsizing/replay.ts'
import { measureSpeed } from './rightsizing/speed.ts'
import { listTraces, readTrace } from './rightsizing/traces.ts'

const HOUR = 3600
const DEFAULT_DIRECTORY = '../shared/data/traces/open'

const { values: options } = parseArgs({
  options: {
    traces: { type: 'string', default: DEFAULT_DIRECTORY },
    only: { type: 'string' },
    scales: { type: 'string', default: '1,0.2,0.05' },
    daily: { type: 'boolean', default: false },
    speed: { type: 'boolean', default: false },
  },
})

const row = (cells: readonly string[]) =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(30) : cell.padStart(9))).join(' '))
const percent = (share: number) => (100 * share).toFixed(2)

function print(title: string, { scores }: Replay): void {
  const [first] = scores.values()
  if (!first || first.series === 0) return
  console.log(`\n${title}, ${first.series} series`)
  row(['', 'R', 'time %', 'volume %', 'OOM-d/wk', 'chg/wk'])
  for (const [name, { r, time, volume, oomDays, changes }] of scores) {
    row([name, r.toFixed(3), percent(time), percent(volume), oomDays.toFixed(3), changes.toFixed(2)])
  }
}

function report(verdicts: readonly Verdict[]): boolean {
  for (const { what, value, holds } of verdicts) console.log(`  ${holds ? 'pass' : 'FAIL'} ${what} ${value}`)
  return verdicts.every(({ holds }) => holds)
}

function hasSeries({ scores }: Replay, count: number): boolean {
  return [...scores.values()].every(({ series }) => series >= count)
}

function judgeFleet(name: string, scale: number, fleet: readonly Folded[]): Ratios | undefined {
  const title = `${name} × ${scale}`
  const before = process.cpuUsage()
  const cpu = replay(fleet, 'cpu', [...cpuPeers(), ...oursCpu()])
  const { user, system } = process.cpuUsage(before)
  print(`${title}, CPU, decided daily`, cpu)
  if (cpu.decisions > 0) {
    console.log(
      `  ${((user + system) / cpu.decisions / cpu.scores.size).toFixed(0)} µs of CPU time per container and decision, judging included`,
    )
  }
  if (hasSeries(cpu, SERIES_MIN)) report(judgeCpu(cpu.scores, scale))
  if (!options.daily)
    print(`${title}, CPU, decided hourly`, replay(fleet, 'cpu', [...cpuPeers(), ...oursHourly()], HOUR))
  const memory = replay(fleet, 'memory', [...memoryPeers(), ...oursMemory()])
  print(`${title}, memory, decided daily`, memory)
  if (hasSeries(memory, SERIES_MIN)) report(judgeMemory(memory.scores))
  return hasSeries(cpu, SERIES_MIN) ? ratiosOf(cpu.scores, "ours, VPA's total", 'VPA') : undefined
}

function judgeAll(directory: string): void {
  const names = listTraces(directory).filter((name) => !options.only || options.only.split(',').includes(name))
  for (const scale of options.scales.split(',').map(Number)) {
    const ratios = names.flatMap((name) => {
      const fleet = readTrace(directory, name, scale).series.map(fold)
      return judgeFleet(name, scale, fleet) ?? []
    })
    if (ratios.length === 0) continue
    console.log(`\nall fleets of ${SERIES_MIN} series or more × ${scale}`)
    report(judgeMeans(ratios, scale))
  }
}

if (options.speed) measureSpeed()
else if (existsSync(options.traces)) judgeAll(options.traces)
else
  console.log(
    `There are no recordings in ${options.traces}. Pass a directory with --traces DIR; see docs/how-it-works/right-sizing.md.`,
  )
