import type { RecommendationWithEvidence } from '@plimsoll/contract'
import type { Observation, RuleFinding } from '@plimsoll/engine/rules'
import { beforeAll, beforeEach, expect } from 'vitest'
import { listHistory } from '../src/recommendations/queries/recommendation-history.ts'
import { aFinding, analysed, type Analysed } from './findings.ts'
import { aCluster, anApiKey, aPerson } from './people.ts'
import { send, useTestApp } from './test-app.ts'

/** The key of the target of `aFinding()`. */
export const web = 'Deployment/shop/web/app'

/** The finding of another analysis of the same container. */
export const other = aFinding({
  recommendedSpec: { cpuMillicores: 250, memoryKib: 256 * 1024 },
  estimatedUsdPerMonth: 14,
})

export const seenAs = (cpuMillicores: number, mib: number): Extract<Observation, { kind: 'seen' }> => ({
  kind: 'seen',
  cpuMillicores,
  memoryKib: mib * 1024,
  replicas: 1,
  price: null,
})

/** An app with a new cluster for each test, and the recommendations that analyses of this cluster store. */
export function useStoredFindings() {
  const t = useTestApp()
  // A key, because a token would expire during the simulated months.
  const store = { clusterId: '', editor: {} as Record<string, string> }
  beforeAll(async () => {
    store.editor = (await anApiKey(t, (await aPerson(t, 'editor')).userId)).header
  })
  beforeEach(async () => {
    store.clusterId = (await aCluster(t)).clusterId
  })

  const analyse = (analysis: Analysed) => analysed(t, store.clusterId, analysis)
  const find = (...findings: RuleFinding[]) => analyse({ findings })

  const stored = () =>
    t.db
      .selectFrom('recommendation')
      .selectAll()
      .where('cluster_id', '=', store.clusterId)
      .orderBy('created_at')
      .execute()

  const statuses = async () => (await stored()).map(({ status }) => status)

  async function only() {
    const rows = await stored()
    expect(rows).toHaveLength(1)
    return rows[0] ?? expect.fail('nothing is stored')
  }

  async function shown(): Promise<RecommendationWithEvidence> {
    const { recommendation_id: id } = await only()
    return (await send(t, { url: `/api/v1/recommendations/${id}`, headers: store.editor })).json()
  }

  async function act(action: string): Promise<void> {
    const id = (await stored()).at(-1)?.recommendation_id
    const url = `/api/v1/recommendations/${id}/${action}`
    expect((await send(t, { method: 'POST', url, headers: store.editor })).statusCode).toBe(200)
  }

  const history = async () => {
    const [row] = await stored()
    return (await listHistory(t.db, store.clusterId, row?.recommendation_id ?? '')).map(({ action }) => action)
  }

  return { t, store, analyse, find, stored, statuses, only, shown, act, history }
}
