import type { Preview } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { useListedRecommendations } from '../../../test/listed-recommendations.ts'
import { aPerson, aRole } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send } from '../../../test/test-app.ts'

const place = useListedRecommendations()
const { t, list } = place

describe('a preview', () => {
  const preview = (wanted: (string | undefined)[], person = place.viewer) =>
    send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: person.bearer, body: { ids: wanted } })

  test('counts different targets once each, and leaves bankable savings unknown', async () => {
    const response = await preview([place.ids.web, place.ids.db, place.ids.web])
    expect(response.json<Preview>()).toEqual({
      currency: 'USD',
      estimated_savings: 50,
      bankable_savings: null,
      unattributed_savings: null,
      share_savings: 10,
      shares_differ_because: null,
      nodes_freed: [],
      blockers: [],
      recommendations: 2,
    })
  })

  test('accepts recommendation_ids in place of ids, and not both', async () => {
    const ask = (body: object) =>
      send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: place.viewer.bearer, body })
    const named = await ask({ recommendation_ids: [place.ids.web, place.ids.db] })
    expect(named.json()).toEqual((await ask({ ids: [place.ids.web, place.ids.db] })).json())
    const both = await ask({ ids: [place.ids.web], recommendation_ids: [place.ids.db] })
    expect(both.json()).toMatchObject({ status: 422, errors: [{ pointer: '/recommendation_ids' }] })
    const filtered = await ask({ recommendation_ids: [place.ids.web], status: 'pending' })
    expect(filtered.statusCode).toBe(422)
  })

  test('of the whole list equals the totals', async () => {
    const { recommendations, totals } = await list('&status=pending')
    const { estimated_savings: usd } = (await preview(recommendations.map(({ id }) => id))).json<Preview>()
    expect(usd).toBeCloseTo(totals.pending.estimated_savings, 6)
  })

  describe('of a status', () => {
    const ask = (body: object, person = place.viewer) =>
      send(t, { method: 'POST', url: '/api/v1/recommendations/preview', headers: person.bearer, body })

    test('covers all matches of the list filters', async () => {
      const { totals } = await list('')
      const pending = (await ask({ status: 'pending', cluster_id: place.clusterId })).json<Preview>()
      expect(pending).toMatchObject({ recommendations: totals.pending.count })
      expect(pending.estimated_savings).toBeCloseTo(totals.pending.estimated_savings, 6)
      const some = (
        await ask({ status: 'pending,approved', cluster_id: place.clusterId, namespace: 'data' })
      ).json<Preview>()
      expect(some).toMatchObject({
        recommendations: (await list('&namespace=data&status=pending,approved')).recommendations.length,
      })
    })

    test('covers the approved ones only', async () => {
      const approved = (await ask({ status: 'approved', cluster_id: place.clusterId })).json<Preview>()
      expect(approved).toMatchObject({ estimated_savings: 20, recommendations: 1 })
    })

    test('omits recommendations that the caller may not see', async () => {
      const role = await aRole(t, ['recommendations:read'], { namespaces: ['data'] })
      const own = (
        await ask({ status: 'pending', cluster_id: place.clusterId }, await aPerson(t, role))
      ).json<Preview>()
      expect(own).toMatchObject({ estimated_savings: -3, recommendations: 1 })
    })

    test.each([
      { body: {}, code: 'invalid_body' as const },
      { body: { ids: ['rec_1'], status: 'approved' }, code: 'invalid_body' as const },
      { body: { ids: ['rec_1'], namespace: 'shop' }, code: 'invalid_body' as const },
      { body: { status: 'implemented' }, code: 'invalid_body' as const },
      { body: { status: 'approved', cluster_id: 'cls_nowhere' }, code: 'cluster_not_found' as const },
      { body: { status: 'approved', rule_id: 'no_rule' }, code: 'invalid_body' as const },
    ])('is rejected for $body', async ({ body, code }) => {
      expectProblem(await ask(body), code)
    })
  })

  test('of recommendations that the caller may not see is not found', async () => {
    expectProblem(await preview(['nonsense']), 'recommendation_not_found')
    const role = await aRole(t, ['recommendations:read'], { namespaces: ['data'] })
    expectProblem(await preview([place.ids.web], await aPerson(t, role)), 'recommendation_not_found')
  })
})
