import type { AddressInfo } from 'node:net'
import type { RecommendationList, Savings } from '@plimsoll/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chaptersOf, DemoApi, Fleet, play, type Scenario, type Stage } from '../../simulator/src/index.ts'
import { startJobs } from '../src/jobs/index.ts'
import { aPerson, password, type Person } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const today = 500_000 * 3600

/** Each asks for ten times what it uses. */
const workloads = ['kept', 'undone', 'halved', 'forgotten', 'unsaid'].map((name) => ({
  namespace: 'shop',
  name,
  kind: 'Deployment' as const,
  archetype: { kind: 'steady' as const },
  containers: [
    { name: 'app', request: { cpuMillicores: 600, memoryMib: 900 }, uses: { cpuMillicores: 60, memoryMib: 90 } },
  ],
}))

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
  ],
  namespaces: [{ name: 'shop' }],
  workloads,
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
  removals: [],
}

const t = useTestApp()
let admin: Person
let jobs: { stop: () => Promise<void> }

beforeAll(async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  admin = await aPerson(t)
  jobs = await startJobs(t.deps, t.pool)
})
afterAll(() => jobs.stop())

/** One after the other, each at the time at which it plays; the last is today. */
async function livePast(): Promise<void> {
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  const api = new DemoApi(url)
  const nothing = { email: '', password: '', clusters: [], leftovers: [], chapters: [] }
  // Nine days before anybody decides: a week has to be known.
  const fleet = new Fleet(
    nothing,
    () => undefined,
    () => 17,
  )
  const stage: Stage = {
    ...{ url, api, fleet, plot, today, scenarios: [scenario], pauseMs: 100 },
    signal: new AbortController().signal,
    say: () => undefined,
    clock: () => 0,
  }
  for (const chapter of [...chaptersOf(today), { kind: 'today' as const, hour: today / 3600 }]) {
    t.clock.now = new Date(chapter.hour * 3_600_000)
    await api.signIn(admin.email, password)
    await play(stage, chapter)
  }
}

test('what people did last week is verified, half there, undone or never seen: by the service alone', async () => {
  await livePast()
  const { bearer: headers } = await aPerson(t)
  const list = await send(t, { url: '/api/v1/recommendations?status=implemented,resolved&limit=100', headers })
  const states = list.json<RecommendationList>().recommendations.map((each) => [each.workload?.name, each.verification])
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
  // Eight days of five small changes are no month of them.
  expect(total.verified).toBeLessThan((total.implemented + total.resolved) / 2)
})
