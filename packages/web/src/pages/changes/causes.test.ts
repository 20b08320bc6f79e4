import type { Changes } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { contributorsByCause, sortCauses, sumByCause } from './causes.ts'

const effect = (part: string, kind: string, usd: number, more: object = {}) => ({
  ...{ part, kind, amount: usd, exact_amount: String(usd) },
  ...more,
})

const changes = {
  by: ['workload'],
  total: {
    effects: [
      effect('compute', 'request', 0.89, { resource: 'cpu' }),
      effect('compute', 'replicas', 1.08),
      effect('idle', 'allocated', -1.5),
      effect('idle', 'nodes', 0.5),
      effect('storage', 'size', 0),
    ],
  },
  rows: [
    {
      names: { workload: 'shop/Deployment/cart' },
      effects: [effect('compute', 'request', 0.8, { resource: 'cpu' }), effect('compute', 'replicas', 1.08)],
      workload: {
        pods: { before: 4, now: 6 },
        cpu_request_millicores: { before: 500, now: 750 },
        memory_request_bytes: { before: 2 ** 30, now: 2 ** 30 },
      },
    },
    { names: { workload: '__idle__' }, effects: [effect('idle', 'allocated', -1.5), effect('idle', 'nodes', 0.5)] },
  ],
  rest: { rows: 0 },
} as unknown as Changes

test('effects are summed by cause, in the order of the bridge, without causes of zero', () => {
  expect(sumByCause(changes.total.effects).map(({ id, usd }) => [id, usd])).toEqual([
    ['replicas', 1.08],
    ['request', 0.89],
    ['idle', -1],
  ])
})

test('a gap is one cause for all parts, and the price and the idle cost of whole clusters have their causes', () => {
  const effects = [
    effect('compute', 'hours', -2),
    effect('idle', 'hours', -1),
    effect('storage', 'hours', -0.5),
    effect('idle', 'price', 0.25),
    effect('compute', 'price', 0.75),
    effect('idle', 'new', 4),
    effect('idle', 'gone', -3),
    effect('storage', 'new', 0.125),
  ] as unknown as Changes['total']['effects']
  expect(sumByCause(effects).map(({ id, usd }) => [id, usd])).toEqual([
    ['hours', -3.5],
    ['new_clusters', 4],
    ['gone_clusters', -3],
    ['price', 1],
    ['storage', 0.125],
  ])
})

test('a count of workloads says how many rows it is from', () => {
  expect(contributorsByCause(changes)[0]?.text).toBe('1 workload')
  const cut = contributorsByCause({ ...changes, rest: { ...changes.rest, rows: 40 } })
  expect(cut[0]?.text).toBe('1 of the 2 largest workloads')
})

test('each cause names its workloads with the facts, and the rest adds up', () => {
  const lines = contributorsByCause(changes)
  expect(lines.map(({ id }) => id)).toEqual(['replicas', 'idle', 'request'])
  const requests = lines.find(({ id }) => id === 'request')
  expect(requests?.contributors.map(({ word, text }) => [word, text])).toEqual([
    ['shop/cart', 'CPU request 500m → 750m'],
    ['Others', ''],
  ])
  expect(requests?.contributors.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(0.89)
  expect(lines[0]?.contributors[0]?.text).toBe('replicas 4 → 6')
  expect(lines[1]?.contributors[0]?.word).toBe('Unallocated')
})

test('causes and their contributors are sorted together, and the others stay last', () => {
  const line = (word: string, usd: number) => ({ key: word, name: word, word, by: 'workload', text: '', usd })
  const others = { ...line('Others', 9), key: '' }
  const causes = [
    { id: 'replicas' as const, word: 'Replicas', usd: 5, text: '', contributors: [line('b', 3), line('a', 2), others] },
    { id: 'idle' as const, word: 'Unallocated', usd: -7, text: '', contributors: [] },
    { id: 'price' as const, word: 'Price', usd: 1, text: '', contributors: [] },
  ]
  const words = (by: 'word' | 'usd', isDescending: boolean) =>
    sortCauses(causes, { by, isDescending }).map(({ word }) => word)
  expect(words('usd', true)).toEqual(['Replicas', 'Price', 'Unallocated'])
  expect(words('usd', false)).toEqual(['Unallocated', 'Price', 'Replicas'])
  expect(words('word', false)).toEqual(['Price', 'Replicas', 'Unallocated'])
  const [first] = sortCauses(causes, { by: 'word', isDescending: true }).slice(1)
  expect(first?.contributors.map(({ word }) => word)).toEqual(['b', 'a', 'Others'])
})
