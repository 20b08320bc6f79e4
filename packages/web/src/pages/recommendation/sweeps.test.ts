import type { Evidence } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { shortageWords, sweepOf, type Candidate } from './sweeps.ts'

const mib = 1024 ** 2

const at = (cpu: number, memory: number, savings = 0): Candidate => ({
  cpu_millicores: cpu,
  memory_bytes: memory * mib,
  minutes_short: 0,
  volume_short: 0,
  oom_days: 0,
  estimated_savings: savings,
})

/** The proposal is 300m and 512Mi. Three CPU and two memory candidates surround it; none equals it. */
const evidence = {
  candidates: [at(100, 512, 9), at(290, 512, 5), at(310, 512, 4), at(300, 500, 6), at(300, 600, 2)],
  backtest: {
    standing_days: 7,
    results: [{ who: 'proposed', risk: 'low', ...at(300, 512), minutes_short: 3, estimated_savings: 4.5 }],
  },
} as unknown as Evidence

test('the proposal is among the candidates, at its exact position and with its own savings', () => {
  const cpu = sweepOf(evidence, 4.5, 'cpu_millicores')
  expect(cpu.map(({ cpu_millicores: each, place }) => [each, place])).toEqual([
    [100, 0],
    [290, 1],
    [300, null],
    [310, 2],
  ])
  expect(cpu[2]).toMatchObject({ memory_bytes: 512 * mib, minutes_short: 3, estimated_savings: 4.5 })
})

test('a candidate equal to the proposal appears once', () => {
  const doubled = { ...evidence, candidates: [...evidence.candidates, at(300, 512, 4.4)] }
  expect(sweepOf(doubled, 4.5, 'memory_bytes').map(({ place }) => place)).toEqual([3, null, 4])
})

test('without a replay there is no slider', () => {
  expect(sweepOf({ ...evidence, backtest: { standing_days: 7, results: [] } }, 4.5, 'cpu_millicores')).toEqual([])
})

test('each slider shows the shortage of its own request, including no shortage', () => {
  const window = { from: '2026-11-01T00:00:00Z', to: '2026-11-15T00:00:00Z', hours: 336 }
  const short = { ...at(300, 512), minutes_short: 1348, oom_days: 1 }
  const seen = { window }
  expect(shortageWords(short, 'cpu_millicores', seen)).toBe('short of CPU: 1,348 min in 14 days')
  expect(shortageWords(short, 'memory_bytes', seen)).toBe('short of memory: 1 day of 14 days')
  expect(shortageWords(at(300, 512), 'memory_bytes', { ...seen, window: null })).toBe('short of memory: 0 days')
})

test('the minutes of a throttled container are a lower bound, as in the back-test', () => {
  const demand = { unknown_above_limit: { cpu: true, memory: false } } as NonNullable<Evidence['demand']>
  const short = { ...at(250, 512), minutes_short: 2769 }
  expect(shortageWords(short, 'cpu_millicores', { window: null, demand })).toBe('short of CPU: at least 2,769 min')
})
