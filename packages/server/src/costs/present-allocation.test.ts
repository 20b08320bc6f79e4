import type { Allocation } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal } from '@plimsoll/engine'
import type { Owner, Unowned } from '@plimsoll/engine/allocation'
import { NO_CHARGE } from '@plimsoll/engine/pricing'
import type { AllocationOptions, ClusterAllocation } from './allocation.ts'
import { selectUnowned } from './cost-filter.ts'
import { parseGrouping, parseLevels } from './parse-grouping.ts'
import { presentSteps, totalOf } from './present-allocation.ts'
import type { PricedRow } from './priced-rows.ts'
import { firstLevelOf, shareRows } from './share-rows.ts'

const dayMs = 86_400_000
const days = 2

const window = { name: 'custom' as const, from: new Date(0), to: new Date(days * dayMs) }

const options = (changed: Partial<AllocationOptions> = {}): AllocationOptions => ({
  window,
  grouping: parseGrouping('namespace'),
  isNested: false,
  step: 'none',
  shareIdle: 'none',
  shareOverhead: 'none',
  shareNamespaces: { names: new Set(), by: 'even' },
  weights: new Map(),
  teams: [],
  rowsMax: 1000,
  namespaces: null,
  workloads: null,
  visibleTeams: null,
  names: new Map(),
  unowned: selectUnowned({}),
  ...changed,
})

const nested = (levels: string) => ({ grouping: parseLevels(levels), isNested: true })

const costOf = (owner: Owner, usd: string): PricedRow => ({
  cluster: 'prod',
  owner,
  charges: { cpu: { ...NO_CHARGE, usd: decimal(usd) } },
  usedUsd: 0n,
  unmeasuredUsd: 0n,
  idleUsd: 0n,
})
const workload = (namespace: string, name: string, usd: string) =>
  costOf({ kind: 'workload', namespace, controllerKind: 'Deployment', workload: name, labels: {} }, usd)
const unowned = (kind: Unowned, usd: string) => costOf({ kind }, usd)

const cover = { clusterId: 'cls_1', days: [], hours: [], hoursWithData: 48, asOf: null, openHour: null }

/** The rows of each day, or of the window. */
function clusterOf(rowsByDay: readonly PricedRow[][], asked: AllocationOptions): ClusterAllocation {
  const parts = asked.step === 'none' ? [rowsByDay.flat()] : rowsByDay
  const steps = new Map(parts.map((rows, day) => [day * dayMs, shareRows(rows, asked)]))
  return { cover, steps }
}

const answer = (rows: readonly PricedRow[][], asked: AllocationOptions) => presentSteps([clusterOf(rows, asked)], asked)

const unownedLines = ['idle', 'unmounted', 'unattached', 'overhead'] as const
const sumOf = ({ rows, rest, ...step }: Allocation['steps'][number]) =>
  rows.reduce((sum, { cost }) => sum + cost.total, rest.cost.total) +
  unownedLines.reduce((sum, kind) => sum + (step[kind]?.total ?? 0), 0)

const shop = [
  workload('shop', 'web', '1'),
  workload('shop', 'cart', '3'),
  workload('data', 'db', '4'),
  unowned('idle', '8'),
]

const rowTotals = (steps: Allocation['steps'], by: string) =>
  Object.fromEntries((steps[0]?.rows ?? []).map(({ names, cost }) => [names[by] ?? '', cost.total]))

test('a second level does not change what a row pays for evenly shared idle cost', () => {
  const one = answer([shop], options({ shareIdle: 'even' }))
  const two = answer([shop], options({ shareIdle: 'even', ...nested('namespace,workload') }))
  expect(rowTotals(two, 'namespace')).toEqual({ shop: 8, data: 8 })
  expect(rowTotals(two, 'namespace')).toEqual(rowTotals(one, 'namespace'))
  expect(two[0]?.rows[0]?.rows?.reduce((sum, { cost }) => sum + cost.total, 0)).toBe(8)
})

test('with a second level, the row of a cluster still is its whole cost', () => {
  const [step] = answer([shop], options(nested('cluster,namespace')))
  expect(step).toMatchObject({ idle: null, rows: [{ names: { cluster: 'prod' }, cost: { total: 16 } }] })
  expect(step?.rows[0]?.rows?.map(({ names, cost }) => [names.namespace, cost.total])).toEqual([
    ['__idle__', 8],
    ['data', 4],
    ['shop', 4],
  ])
})

test('without a comparison, the rest of the second level has none', () => {
  const asked = options(nested('namespace,workload'))
  const [step] = answer([shop], asked)
  expect(step?.rows[0]?.rest).not.toHaveProperty('compare')
  const [compared] = presentSteps([clusterOf([shop], asked)], asked, [clusterOf([], asked)])
  expect(compared?.rows[0]?.rest?.compare).toMatchObject({ total: 0, difference: 0 })
})

test('each step of a trend has the given rows, also if others are larger', () => {
  const [step] = answer([shop], options({ rowNames: [['data']], rowsMax: 1 }))
  expect(step).toMatchObject({ rows: [{ names: { namespace: 'data' }, cost: { total: 4 } }], rest: { rows: 1 } })
})

test('a label with 100,000 values has the largest rows, and one rest with the cost of the others', () => {
  const values = 100_000
  const rows = Array.from({ length: values }, (_each, at) =>
    costOf(
      {
        kind: 'workload',
        namespace: 'shop',
        controllerKind: 'Deployment',
        workload: 'web',
        labels: { commit: `v${at}` },
      },
      '2',
    ),
  )
  const asked = options({ grouping: parseGrouping('label:commit'), rowsMax: 200 })
  const [step] = presentSteps([clusterOf([rows], asked)], asked, [clusterOf([rows.slice(1)], asked)])
  expect(step?.rows).toHaveLength(200)
  expect(step?.rest).toMatchObject({ rows: values - 200, cost: { total: 2 * (values - 200) } })
  expect(step?.compare).toMatchObject({ total: { difference: 2 }, rest: { total: 2 * (values - 200) - 2 } })
})

test('1,000 rows have 5,000 rows of the second level in total', () => {
  const rows = Array.from({ length: 1000 }, (_each, at) =>
    Array.from({ length: 6 }, (_inner, of) => workload(`n${at}`, `w${of}`, '1')),
  ).flat()
  const [step] = answer([rows], options(nested('namespace,workload')))
  const inner = step?.rows.map((row) => row.rows?.length ?? 0) ?? []
  expect(inner.reduce((sum, count) => sum + count, 0)).toBe(5000)
  expect(step?.rows[0]?.rest).toMatchObject({ rows: 1, cost: { total: 1 } })
})

const aRow = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y'), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([namespace, name, cents]) => workload(namespace, name, (cents / 100).toFixed(2)))
const anUnowned = fc
  .tuple(fc.constantFrom(...unownedLines), fc.integer({ min: 0, max: 1_000_000 }))
  .map(([kind, cents]) => unowned(kind, (cents / 100).toFixed(2)))
const someDays = fc.array(fc.array(fc.oneof(aRow, anUnowned), { maxLength: 12 }), { minLength: days, maxLength: days })

const aQuestion = fc.record({
  levels: fc.constantFrom(
    'namespace',
    'workload',
    'cluster',
    'namespace,workload',
    'cluster,namespace',
    'cluster,workload',
  ),
  shareIdle: fc.constantFrom('none', 'even', 'proportional'),
  shareOverhead: fc.constantFrom('none', 'even', 'proportional'),
  shared: fc.constantFrom(new Set<string>(), new Set(['c'])),
  filter: fc.constantFrom(null, ['a'], ['a', '__idle__']),
  rowsMax: fc.integer({ min: 1, max: 4 }),
} as const)

const readQuestion = ({ levels, shareIdle, shareOverhead, shared, filter, rowsMax }: Generated) =>
  options({
    ...nested(levels),
    isNested: levels.includes(','),
    shareIdle,
    shareOverhead,
    shareNamespaces: { names: shared, by: 'proportional' },
    namespaces: filter,
    unowned: selectUnowned(filter === null ? {} : { namespace: filter.join(',') }),
    rowsMax,
  })
type Generated = typeof aQuestion extends fc.Arbitrary<infer Value> ? Value : never

test('any grouping, filter and sharing: rows, rest and cost without an owner add up to the total', () => {
  fc.assert(
    fc.property(someDays, aQuestion, (rows, question) => {
      const asked = readQuestion(question)
      const cluster = clusterOf(rows, asked)
      const [step] = presentSteps([cluster], asked)
      if (!step) throw new Error('an answer without steps')
      expect(sumOf(step)).toBeCloseTo(step.total, 4)
      expect(totalOf([cluster], asked)).toBe(step.total)
      for (const { cost, rows: inner, rest } of step.rows) {
        if (inner === undefined) continue
        expect(inner.reduce((sum, row) => sum + row.cost.total, rest?.cost.total ?? 0)).toBeCloseTo(cost.total, 4)
      }
    }),
  )
})

test('without sharing, the steps of the trend add up to the rows of the first level', () => {
  fc.assert(
    fc.property(someDays, aQuestion, (rows, question) => {
      const asked = {
        ...readQuestion({ ...question, shareIdle: 'none', shareOverhead: 'none', shared: new Set() }),
        rowsMax: 1000,
      }
      const [step] = answer(rows, asked)
      const trend = answer(rows, { ...firstLevelOf(asked), step: 'day' })
      const [by = ''] = asked.grouping.names
      for (const { names, cost } of step?.rows ?? []) {
        const own = trend.flatMap((each) => each.rows.filter((row) => row.names[by] === names[by]))
        expect(own.reduce((sum, row) => sum + row.cost.total, 0)).toBeCloseTo(cost.total, 4)
      }
      expect(trend.reduce((sum, each) => sum + each.total, 0)).toBeCloseTo(step?.total ?? 0, 4)
    }),
  )
})
