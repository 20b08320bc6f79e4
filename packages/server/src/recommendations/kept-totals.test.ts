import type { RecommendationAction, RecommendationList, Summary } from '@plimsoll/contract'
import fc from 'fast-check'
import type { Static } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { rounds } from '../../../../test/rounds.ts'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { aCluster, aPerson, type Person } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { buildApp } from '../app.ts'
import { sumByStatus } from './queries/recommendations.ts'

const t = useTestApp()
const moment = 1000
const names = ['web', 'api', 'db']

let editor: Person
beforeAll(async () => {
  editor = await aPerson(t, 'editor')
})

type Step =
  | { kind: 'act'; name: string; action: RecommendationAction }
  | { kind: 'analyse'; usd: number; left: number }
  | { kind: 'wait' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('act' as const),
    name: fc.constantFrom(...names),
    action: fc.constantFrom(
      'approve' as const,
      'reject' as const,
      'reopen' as const,
      'apply' as const,
      'snooze' as const,
    ),
  }),
  fc.record({ kind: fc.constant('analyse' as const), usd: fc.integer({ min: 5, max: 50 }), left: fc.nat({ max: 3 }) }),
  fc.constant({ kind: 'wait' as const }),
)

test('for any actions, analyses and times, cached totals of two replicas equal the rows', async () => {
  const other = { ...t, app: await buildApp(t.deps) }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const { clusterId } = await aCluster(t)
      await analysed(t, clusterId, { findings: names.map((name) => aFinding({ name })) })
      for (const [index, each] of steps.entries()) {
        await take(each, clusterId, index % 2 === 0 ? t : other)
        const rows = await totalsOfRows(clusterId)
        for (const replica of [t, other]) {
          expect(await shownTotals(replica, clusterId)).toEqual(rows)
          expect(await shownPotential(replica, clusterId)).toBe((rows.pending ?? 0) + (rows.approved ?? 0))
        }
      }
    }),
    { numRuns: rounds({ short: 2, full: 15 }) },
  )
  await other.app.close()
})

async function take(each: Step, clusterId: string, replica: typeof t): Promise<void> {
  if (each.kind === 'wait') return t.clock.advance(moment)
  if (each.kind === 'analyse') {
    const findings = names.slice(each.left).map((name) => aFinding({ name, estimatedUsdPerMonth: each.usd }))
    await analysed(t, clusterId, { findings })
    return
  }
  const { [each.name]: id = '' } = await idsOf(t, clusterId)
  const until = new Date(t.clock.now.getTime() + 1.5 * moment).toISOString()
  const body = each.action === 'snooze' ? { until } : {}
  await send(replica, {
    method: 'POST',
    url: `/api/v1/recommendations/${id}/${each.action}`,
    headers: editor.bearer,
    body,
  })
}

async function totalsOfRows(clusterId: string): Promise<Record<string, number>> {
  const filter = { clusterIds: [clusterId], awakeAt: t.clock.now }
  const totals = await sumByStatus(t.db, { clusters: null, namespaces: null }, filter)
  return Object.fromEntries(totals.map(({ status, estimated_savings: usd }) => [status, Number(usd)]))
}

async function shownTotals(replica: typeof t, clusterId: string): Promise<Record<string, number>> {
  const url = `/api/v1/recommendations?cluster_id=${clusterId}`
  const { totals } = (await send(replica, { url, headers: editor.bearer })).json<Static<typeof RecommendationList>>()
  const shown = Object.entries(totals).filter(([, { count }]) => count > 0)
  return Object.fromEntries(shown.map(([status, { estimated_savings: usd }]) => [status, usd]))
}

async function shownPotential(replica: typeof t, clusterId: string): Promise<number> {
  const url = `/api/v1/clusters/${clusterId}/summary`
  const summary = (await send(replica, { url, headers: editor.bearer })).json<Static<typeof Summary>>()
  return summary.potential_savings.estimated
}
