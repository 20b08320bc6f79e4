import type { AddressInfo } from 'node:net'
import type { RecommendationList, Savings } from '@plimsoll/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  chaptersOf,
  findIncident,
  DemoApi,
  Fleet,
  play,
  sendEarlierDays,
  sendUntil,
  untilAllKnown,
  type Member,
  type Scenario,
  type Stage,
} from '../../simulator/src/index.ts'
import { startJobs } from '../src/job-handlers.ts'
import { patience } from './patience.ts'
import { aPerson, password, type Person } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const today = 500_000 * 3600

/** Each container requests ten times its usage. */
const workloads = ['kept', 'undone', 'halved', 'forgotten', 'unsaid'].map((name) => ({
  namespace: 'shop',
  name,
  kind: 'Deployment' as const,
  archetype: { kind: 'steady' as const },
  containers: [
    { name: 'app', request: { cpuMillicores: 600, memoryMib: 900 }, uses: { cpuMillicores: 60, memoryMib: 90 } },
  ],
}))

/** Starts in the last day of the history, and needs a separate node. */
const newJob = {
  ...{ namespace: 'shop', name: 'backfill', kind: 'Job' as const, archetype: { kind: 'training' as const } },
  ...{ pools: ['batch'], runs: { seconds: 5 * 24 * 3600, atSecond: (17 * 24 - 20) * 3600 } },
  containers: [
    { name: 'app', request: { cpuMillicores: 3000, memoryMib: 9000 }, uses: { cpuMillicores: 2800, memoryMib: 8000 } },
  ],
}

const scenario: Scenario = {
  ...{ seed: 11, name: 'small', clusterUid: 'uid-of-small', provider: 'aws', region: 'eu-west-1' },
  kubernetesVersion: 'v1.33.0',
  pools: [
    {
      ...{ name: 'general', instanceType: 'm6i.xlarge', count: 2, zones: ['eu-west-1a'], capacityType: 'on-demand' },
      capacity: { cpuMillicores: 4000, memoryMib: 15_700 },
      allocatable: { cpuMillicores: 3920, memoryMib: 14_600 },
      podsMax: 58,
    },
    {
      ...{ name: 'batch', instanceType: 'm6i.xlarge', count: 0, zones: ['eu-west-1a'], capacityType: 'on-demand' },
      capacity: { cpuMillicores: 4000, memoryMib: 15_700 },
      allocatable: { cpuMillicores: 3920, memoryMib: 14_600 },
      ...{ podsMax: 58, dedicated: true, autoscaling: { min: 0, max: 1 } },
    },
  ],
  namespaces: [{ name: 'shop' }],
  workloads: [...workloads, newJob],
}

const of = (workload: string) => ({ scenario: 'small', namespace: 'shop', workload, container: 'app' })
const applied = [{ action: 'approve' }, { action: 'apply' }] as const
const plot = {
  decisions: [
    { ...of('kept'), moves: applied, share: 1 },
    { ...of('undone'), moves: applied, share: 1, takenBackAfterHours: 6 * 24 },
    { ...of('halved'), moves: applied, share: 0.5 },
    { ...of('forgotten'), moves: applied, share: 0 },
    { ...of('unsaid'), moves: [], share: 1 },
  ],
  removals: [{ scenario: 'small', pool: 'general', afterHours: 30 }],
}

const t = useTestApp()
let admin: Person
let incident: string | undefined
let leftOut: { hours: number; isAllKnown: boolean; isRestKnown: boolean } | undefined
let jobs: { stop: () => Promise<void> }

beforeAll(async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  admin = await aPerson(t)
  jobs = await startJobs(t.deps, t.pool)
  await livePast()
})
afterAll(() => jobs.stop())

/** Nine days before the first decision, so that a week of data exists. */
const daysOld = 17

/** A stage with its own fleet. */
function aStage(signal: AbortSignal, days = daysOld): Stage {
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  const nothing = { email: '', password: '', clusters: [], leftovers: [], chapters: [] }
  const fleet = new Fleet(
    nothing,
    () => undefined,
    () => days,
  )
  return {
    ...{ url, api: new DemoApi(url), fleet, plot, today, scenarios: [scenario], pauseMs: 100, signal },
    say: () => undefined,
    clock: () => 0,
  }
}

/** One after the other, each at its own time; the last at the current time. */
async function livePast(): Promise<void> {
  const stage = aStage(new AbortController().signal)
  for (const chapter of [...chaptersOf(today), { kind: 'today' as const, hour: today / 3600 }]) {
    t.clock.now = new Date(chapter.hour * 3_600_000)
    await stage.api.signIn(admin.email, password)
    await play(stage, chapter)
  }
  for (const member of stage.fleet.members) {
    leftOut = {
      hours: member.cluster.firstSentHour - member.cluster.openedAt / 3600,
      ...(await knownOf(stage, member)),
    }
    await sendEarlierDays(stage, member)
    await untilAllKnown(stage, member)
  }
  incident = await findIncident(stage, patience.timeout)
}

const knownOf = async ({ api }: Stage, { cluster }: Member) => ({
  isAllKnown: await api.isKnownSince(cluster.id, cluster.openedAt),
  isRestKnown: await api.isKnownSince(cluster.id, cluster.firstSentHour * 3600),
})

test('the earliest day is sent last, so that the demo is ready sooner', () => {
  expect(leftOut).toEqual({ hours: 24, isAllKnown: false, isRestKnown: true })
})

test('a new workload is a cost incident as soon as the history is sent', () => {
  expect(incident).toBe('shop/backfill costs more than expected: new in the last 24 hours')
})

test('the changes of last week are verified, partially applied, reverted or not observed by the service alone', async () => {
  const { bearer: headers } = await aPerson(t)
  const list = await send(t, { url: '/api/v1/recommendations?status=implemented,resolved&limit=100', headers })
  const { recommendations } = list.json<RecommendationList>()
  const states = recommendations.flatMap(({ workload, verification }) =>
    workload ? [[workload.name, verification] as const] : [],
  )
  expect(Object.fromEntries(states)).toEqual({
    kept: 'verified',
    undone: 'reverted',
    halved: 'partial',
    forgotten: 'not_observed',
    unsaid: 'verified',
  })
  const { total } = (await send(t, { url: '/api/v1/savings', headers })).json<Savings>()
  expect(total.verified).toBeGreaterThan(0)
  expect(total.reverted).toBeGreaterThan(0)
  // Eight days of five small changes are less than a month.
  expect(total.verified).toBeLessThan((total.implemented + total.resolved) / 2)
})

test('an applied step of the demo is off the bill by what it promised', async () => {
  const { bearer: headers } = await aPerson(t)
  const { steps } = (await send(t, { url: '/api/v1/savings?include=steps', headers })).json<Savings>()
  const [step, ...others] = steps?.rows.filter(({ nodes_gone: gone }) => gone !== null && gone > 0) ?? []
  expect(others).toEqual([])
  expect(step).toMatchObject({ nodes_named: 1, changes_applied: step?.changes, state: 'verified' })
  expect(step?.promised).toBeGreaterThan(0)
  expect(step?.off_the_bill).toBe(step?.promised)
})

test('the next start completes an interrupted history', async () => {
  t.clock.now = new Date(today * 1000)
  const another = { ...scenario, name: 'stopped', clusterUid: 'uid-of-stopped' }
  // A week of data, and a day that the interrupted start sent.
  const days = 8
  const stopped = aStage(AbortSignal.abort(), days)
  await stopped.api.signIn(admin.email, password)
  const member = await stopped.fleet.open(stopped.api, another, today)
  const begun = member.cluster.firstUnsentHour
  await sendUntil(stopped, member, { second: today - 3600 })
  expect(member.cluster.firstUnsentHour).toBe(begun)

  const next = { ...aStage(new AbortController().signal, days), api: stopped.api }
  const again = await next.fleet.open({ createCluster: async () => createdOf(member) }, another, today)
  next.fleet.remember(again, { runs: member.cluster.runs })
  // More history exists by then, so the last batch differs.
  await sendUntil(next, again, { second: today })
  expect(again.cluster.firstUnsentHour).toBe(today / 3600)
  await vi.waitUntil(() => next.api.isWholeWeekKnown(member.cluster.id), patience)
})

const createdOf = ({ cluster }: Member) => ({ id: cluster.id, agent_token: cluster.agentToken })
