import { expect, test } from 'vitest'
import { usd } from '../forecast/builders.ts'
import { anHour, scoresFrom } from './builders.ts'
import { replayIncidents, type Evaluation } from './incident.ts'
import { partTree } from './part-tree.ts'

/** `shop` belongs to team red. `mixed` has workloads of red and workloads without a team. Workloads below the threshold are not parts. */
const tree = partTree([
  { key: 'all', level: 'installation', parents: [] },
  { key: 'prod', level: 'cluster', parents: ['all'] },
  { key: 'test', level: 'cluster', parents: ['all'] },
  { key: 'idle', level: 'idle', parents: ['prod'] },
  { key: 'red', level: 'team', parents: ['all'] },
  { key: 'shop', level: 'namespace', parents: ['prod', 'red'] },
  { key: 'mixed', level: 'namespace', parents: ['prod'] },
  { key: 'mixed-red', level: 'team_namespace', parents: ['mixed', 'red'] },
  { key: 'mixed-web', level: 'workload', parents: ['mixed', 'red', 'mixed-red'] },
  { key: 'mixed-rest', level: 'workload', parents: ['mixed'] },
  { key: 'test-shop', level: 'namespace', parents: ['test', 'red'] },
  { key: 'test-web', level: 'namespace', parents: ['test', 'red'] },
])

function hour(at: number, lowest: Readonly<Record<string, number>>, others: Partial<Evaluation> = {}): Evaluation {
  const scores = scoresFrom(tree, Object.fromEntries(Object.entries(lowest).map(([key, each]) => [key, usd(each)])))
  return { ...anHour(at, {}), scores, ...others }
}

const replay = (...evaluations: Evaluation[]) => replayIncidents(tree, evaluations)
const price = (amount: number) => new Map([['compute price m6i.large', usd(amount)]])

test('a rise of a namespace of one team is one incident of the namespace', () => {
  expect(replay(hour(0, { shop: 150 }), hour(1, { shop: 160 })).incidents).toMatchObject([{ part: 'shop', joined: [] }])
})

test('a rise of a team in a namespace of several owners is one incident', () => {
  // The workload that is a part did not rise.
  const { incidents } = replay(hour(0, { 'mixed-red': 150, 'mixed-web': 0 }))
  expect(incidents.map(({ part }) => part)).toEqual(['mixed-red'])
  const both = replay(hour(0, { 'mixed-red': 110, 'mixed-web': 0, 'mixed-rest': 100 }))
  expect(both.incidents.map(({ part }) => part)).toEqual(['mixed'])
})

test('a price of a cluster explains what its teams have there, and not their other rises', () => {
  const splits = new Map([
    ['prod', price(300)],
    ['shop', price(150)],
    ['mixed', price(150)],
    ['mixed-red', price(140)],
    ['red', price(290)],
  ])
  const rise = { shop: 150, 'mixed-red': 140, 'mixed-rest': 10 }
  expect(replay(hour(0, rise, { splits })).incidents).toMatchObject([{ part: 'prod', kind: 'price' }])
  const { incidents } = replay(hour(0, { ...rise, 'test-shop': 150 }, { splits }))
  expect(incidents.map(({ part }) => part)).toEqual(['prod', 'test-shop'])
})

test('a price under the threshold in each cluster is one incident of the installation', () => {
  const splits = new Map([
    ['prod', price(80)],
    ['test', price(80)],
    ['shop', price(80)],
    ['test-shop', price(80)],
    ['red', price(160)],
  ])
  const { incidents } = replay(hour(0, { shop: 80, 'test-shop': 80 }, { splits }))
  expect(incidents).toMatchObject([{ part: 'all', kind: 'price', detail: 'm6i.large' }])
})

test('a price that shows in a team later joins the incident of the cluster', () => {
  const splits = new Map([
    ['prod', price(300)],
    ['red', price(150)],
  ])
  const fallen = (at: number, lowest: Record<string, number>) => {
    const evaluation = hour(at, lowest, { splits })
    const scores = new Map(evaluation.scores).set('all', { excess: 0n, isComplete: true, isFitted: true })
    return { ...evaluation, scores }
  }
  const { incidents } = replay(
    fallen(0, { 'mixed-rest': 300 }),
    fallen(24, { 'mixed-rest': 300, 'test-shop': 90, 'test-web': 90 }),
  )
  expect(incidents).toMatchObject([{ part: 'prod', joined: [{ part: 'red' }] }])
})

test('a team that takes workloads of another owner, or idle capacity, is a shift', () => {
  const withTeam = (at: number, team: number, lowest: Record<string, number>) => {
    const evaluation = hour(at, lowest)
    const scores = new Map(evaluation.scores).set('red', { excess: usd(team), isComplete: true, isFitted: true })
    return { ...evaluation, scores }
  }
  const moved = replay(withTeam(0, 150, {}), withTeam(1, 150, {}))
  expect(moved).toMatchObject({ incidents: [{ part: 'red', isShift: true }], events: [] })
  const filled = replay(withTeam(0, 150, { shop: 75, 'test-shop': 20, idle: -60 }))
  expect(filled).toMatchObject({ incidents: [{ part: 'red', isShift: true }], events: [] })
  const real = replay(withTeam(0, 150, { shop: 75, 'test-shop': 75 }))
  expect(real.incidents.filter(({ isShift }) => isShift)).toEqual([])
})
