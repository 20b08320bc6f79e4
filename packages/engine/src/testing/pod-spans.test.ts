import { expect, test } from 'vitest'
import { aContainer, usageOf } from '../allocation/builders.ts'
import type { PodFacts, UsageSample } from './pod-facts.ts'
import { podSpans } from './pod-spans.ts'

const sample = (from: number, to: number, cores: number): UsageSample => ({
  from,
  to,
  container: 'app',
  usage: usageOf({ cores, gib: 1 }),
})
const version = (from: number, cores: number) => ({ from, shape: { containers: [aContainer({ cores })] } })

function aPod(facts: Partial<PodFacts> = {}): PodFacts {
  return { uid: 'a', life: { boundAt: 0, deletedAt: 100 }, versions: [version(0, 1)], samples: [], ...facts }
}

/** Each span as [from, to, requested cores, used cores or unknown]. */
function story(...pods: PodFacts[]) {
  return podSpans(pods, 1000).map(({ from, to, request, usage }) => {
    const used = usage.get('app')?.cpu ?? 'unknown'
    return [from, to, (request.containers[0]?.request.cpu ?? 0) / 1e6, used === 'unknown' ? used : used / 1e6]
  })
}

test('a life without samples is one span of unknown usage', () => {
  expect(story(aPod())).toEqual([[0, 100, 1, 'unknown']])
})

test('a life is cut at each change of the spec and each edge of a sample', () => {
  expect(story(aPod({ versions: [version(0, 1), version(50, 2)], samples: [sample(30, 60, 0.5)] }))).toEqual([
    [0, 30, 1, 'unknown'],
    [30, 50, 1, 0.5],
    [50, 60, 2, 0.5],
    [60, 100, 2, 'unknown'],
  ])
})

test('the first observed spec also applies before its observation', () => {
  expect(story(aPod({ versions: [version(40, 1)] }))).toEqual([
    [0, 40, 1, 'unknown'],
    [40, 100, 1, 'unknown'],
  ])
})

test('a repeated, late or overlapping sample is counted once', () => {
  const samples = [sample(60, 90, 0.5), sample(0, 60, 0.2), sample(60, 90, 0.5), sample(30, 70, 9)]
  const expected = [
    [0, 60, 1, 0.2],
    [60, 90, 1, 0.5],
    [90, 100, 1, 'unknown'],
  ]
  expect(story(aPod({ samples }))).toEqual(expected)
  expect(story(aPod({ samples: samples.toReversed() }))).toEqual(expected)
})

test('of two values for the same minute the larger counts, in any order', () => {
  const samples = [sample(0, 60, 0.2), sample(0, 60, 0.3)]
  expect(story(aPod({ samples }))[0]).toEqual([0, 60, 1, 0.3])
  expect(story(aPod({ samples: samples.toReversed() }))[0]).toEqual([0, 60, 1, 0.3])
})

test('a pod without an observed spec has no spans to charge', () => {
  expect(story(aPod({ versions: [] }))).toEqual([])
})

test('a pod reported twice is one pod, and either report may hold its end', () => {
  const first = aPod({ life: { boundAt: 0 }, samples: [sample(0, 60, 0.2)] })
  const second = aPod({ life: { boundAt: 0, succeededAt: 90 }, samples: [sample(0, 60, 0.2)] })
  expect(story(first, second, first)).toEqual([
    [0, 60, 1, 0.2],
    [60, 90, 1, 'unknown'],
  ])
})

test('a pod that is not scheduled has no spans', () => {
  expect(story(aPod({ life: {} }))).toEqual([])
})
