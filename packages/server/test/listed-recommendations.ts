import type { RecommendationList } from '@plimsoll/contract'
import type { RuleFinding } from '@plimsoll/engine/rules'
import { beforeAll, expect } from 'vitest'
import { aFinding, analysed, idsOf } from './findings.ts'
import { aCluster, aPerson, type Person } from './people.ts'
import { send, useTestApp, type TestApp } from './test-app.ts'

export const findings: RuleFinding[] = [
  aFinding({
    name: 'web',
    estimatedUsdPerMonth: 30,
    bankableUsdPerMonth: 1,
    severity: 'high',
    riskReasons: ['Single pod'],
  }),
  aFinding({ name: 'api', estimatedUsdPerMonth: 20, bankableUsdPerMonth: null, severity: 'critical', risk: 'high' }),
  aFinding({ name: 'db', namespace: 'data', estimatedUsdPerMonth: 20, bankableUsdPerMonth: 9, severity: 'low' }),
  aFinding({
    name: 'lake',
    namespace: 'data',
    ruleId: 'requests_missing',
    category: 'governance',
    estimatedUsdPerMonth: -3,
    bankableUsdPerMonth: null,
    severity: 'low',
    title: 'Set requests for Lake_100%',
  }),
]

type Place = {
  t: TestApp
  viewer: Person
  clusterId: string
  /** By the name of the workload. */
  ids: Record<string, string>
  list: (query: string, person?: Person) => Promise<RecommendationList>
}

/** A cluster with four recommendations, one of them approved, and two withheld ones, for tests that only read them. */
export function useListedRecommendations(): Place {
  const t = useTestApp()
  const place = { t } as Place
  place.list = async (query, person = place.viewer) => {
    const url = `/api/v1/recommendations?cluster_id=${place.clusterId}${query}`
    const response = await send(t, { url, headers: person.bearer })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  beforeAll(async () => {
    place.viewer = await aPerson(t, 'viewer')
    place.clusterId = (await aCluster(t)).clusterId
    await analysed(t, place.clusterId, {
      findings,
      withheld: [
        {
          kind: 'withheld',
          ruleId: 'pv_orphaned',
          target: null,
          reason: 'no_source',
          detail: 'No volumes.',
          unlock: 'Report them.',
        },
        {
          kind: 'withheld',
          ruleId: 'requests_missing',
          target: { kind: 'Deployment', namespace: 'shop', name: 'new', container: 'app' },
          reason: 'too_little_history',
          detail: 'One day.',
          unlock: 'Wait.',
        },
      ],
    })
    place.ids = await idsOf(t, place.clusterId)
    const approve = { method: 'POST' as const, url: `/api/v1/recommendations/${place.ids.db}/approve` }
    await send(t, { ...approve, headers: (await aPerson(t)).bearer })
  })
  return place
}
