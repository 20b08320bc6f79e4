import { expect, test } from 'vitest'
import type { PodEntry } from '../observe/pods.ts'
import { ThrottlingCounts } from './throttling-counts.ts'

const app = { namespace: 'shop', pod: 'web', container: 'app' }
const counted = (periods: number, throttledPeriods: number) => ({ periods, throttledPeriods })

function countsOf(workload: { kind: string; name: string } | undefined = { kind: 'Deployment', name: 'web' }) {
  const pod = { shape: { containers: [{ name: 'proxy' }, { name: 'app' }] } }
  const entry = { ref: 7, facts: { pod, workload } } as PodEntry
  const counts = new ThrottlingCounts(
    (_namespace, name) => (name === 'web' ? entry : undefined),
    () => 1_790_000_000,
  )
  return { counts, entry }
}

const eventWith = (throttling: object) => ({
  podRef: 7,
  container: 1,
  at: 1_790_000_000,
  oomKills: 0,
  restarts: 0,
  throttling,
})

test('the increase between two samples is sent once; counts before the first sample are ignored', () => {
  const { counts } = countsOf()
  counts.counter(app, counted(1000, 500))
  expect(counts.take()).toEqual([])
  counts.counter(app, counted(7000, 2000))
  expect(counts.take()).toEqual([eventWith(counted(6000, 1500))])
  expect(counts.take()).toEqual([])
})

test('decreasing counters have restarted at 0', () => {
  const { counts } = countsOf()
  counts.counter(app, counted(1000, 500))
  counts.counter(app, counted(40, 10))
  expect(counts.take()).toEqual([eventWith(counted(40, 10))])
})

test('idle and unknown containers are not sent', () => {
  const { counts } = countsOf()
  for (const each of [app, { ...app, container: 'other' }, { ...app, pod: 'gone' }]) {
    counts.counter(each, counted(1000, 500))
    counts.counter(each, counted(1000, 500))
    counts.increase(each, counted(0, 0))
  }
  expect(counts.take()).toEqual([])
})

test('a pod is sent once its workload is known, with the counts of the meantime', () => {
  const { counts, entry } = countsOf()
  entry.facts.workload = undefined
  counts.counter(app, counted(0, 0))
  counts.counter(app, counted(100, 10))
  counts.increase(app, counted(100, 10))
  expect(counts.take()).toEqual([])
  entry.facts.workload = { kind: 'Deployment', name: 'web' }
  counts.counter(app, counted(300, 30))
  expect(counts.take()).toEqual([eventWith(counted(300, 30))])
})

test('external increases are used unchanged, with at most as many throttled periods as periods', () => {
  const { counts } = countsOf()
  counts.increase(app, counted(6000, 6001))
  expect(counts.take()).toEqual([eventWith(counted(6000, 6000))])
})
