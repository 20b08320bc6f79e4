import type { WithheldList } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { analysed } from '../../../test/findings.ts'
import { useListedRecommendations } from '../../../test/listed-recommendations.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send } from '../../../test/test-app.ts'

const place = useListedRecommendations()
const { t } = place

describe('a withheld finding', () => {
  const listed = async (query: string, person: Person) => {
    const url = `/api/v1/recommendations/withheld?cluster_id=${place.clusterId}${query}`
    return (await send(t, { url, headers: person.bearer })).json<WithheldList>()
  }
  const withheld = async (query: string, person: Person) => (await listed(query, person)).withheld

  test('is counted by reason, for any page or reason, within the access of the role', async () => {
    const both = [
      { reason: 'no_source', count: 1 },
      { reason: 'too_little_history', count: 1 },
    ]
    expect((await listed('', place.viewer)).counts).toEqual(both)
    expect((await listed('&reason=no_source', place.viewer)).counts).toEqual(both)
    expect((await listed('&limit=1', place.viewer)).counts).toEqual(both)
    const role = await aRole(t, ['recommendations:read'], { namespaces: ['shop'] })
    expect((await listed('', await aPerson(t, role))).counts).toEqual(both.slice(1))
  })

  test('is found by all words of its text, and counted with them', async () => {
    const { clusterId: large } = await aCluster(t, 'prod-lisbon')
    const held = Array.from({ length: 120 }, (_each, index) => ({
      ...{ kind: 'withheld' as const, ruleId: 'requests_missing', unlock: 'Wait until Monday.' },
      target: { kind: 'Deployment', namespace: index < 60 ? 'Shop' : 'data', name: `n_${index}`, container: 'app' },
      reason: index % 2 ? ('too_spiky' as const) : ('too_little_history' as const),
      detail: index === 119 ? 'Its image is new.' : 'One day.',
    }))
    const whole = { kind: 'withheld' as const, ruleId: 'pv_orphaned', target: null, reason: 'no_source' as const }
    await analysed(t, large, { withheld: [...held, { ...whole, detail: 'No volumes.', unlock: 'Report them.' }] })
    const find = async (text: string, more = '', person = place.viewer) => {
      const query = `cluster_id=${large}&limit=2&text=${encodeURIComponent(text)}${more}`
      const response = await send(t, { url: `/api/v1/recommendations/withheld?${query}`, headers: person.bearer })
      return response.json<WithheldList>()
    }
    const countOf = async (...filters: Parameters<typeof find>) =>
      (await find(...filters)).counts?.map(({ reason, count }) => [reason, count])
    expect(await find('DATA/n_119 image')).toMatchObject({
      withheld: [{ object: { name: 'n_119' } }],
      counts: [{ reason: 'too_spiky', count: 1 }],
      has_more: false,
    })
    expect(await countOf('shop')).toEqual([
      ['too_little_history', 30],
      ['too_spiky', 30],
    ])
    expect(await countOf('shop', '&reason=too_spiky')).toEqual(await countOf('shop'))
    expect(await countOf('Lisbon monday spiky')).toEqual([['too_spiky', 60]])
    expect((await find('lisbon UNATTACHED')).withheld).toMatchObject([{ rule_id: 'pv_orphaned', object: null }])
    // Wildcards of other searches are plain letters here, and other words are not found.
    for (const text of ['n%', 'shop n-1', 'container', 'requests_missing']) {
      expect(await find(text)).toMatchObject({ withheld: [], counts: [] })
    }
    const { next_cursor: cursor } = await find('shop')
    expect(await find('shop', `&cursor=${cursor}`)).toMatchObject({
      withheld: [{ object: { namespace: 'Shop' } }, { object: { namespace: 'Shop' } }],
      counts: null,
    })
    expectProblem(
      await send(t, {
        url: `/api/v1/recommendations/withheld?cluster_id=${large}&limit=2&text=data&cursor=${cursor}`,
        headers: place.viewer.bearer,
      }),
      'invalid_cursor',
    )
    const narrowed = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['data'] }))
    expect(await countOf('lisbon', '', narrowed)).toEqual([
      ['too_little_history', 30],
      ['too_spiky', 30],
    ])
    for (const text of ['shop', 'nobody']) expect(await countOf(text, '', narrowed)).toEqual([])
  })

  test('is listed with the reason and how to resolve it', async () => {
    expect(await withheld('', place.viewer)).toMatchObject([
      { rule_id: 'pv_orphaned', object: null, reason: 'no_source', unlock: 'Report them.' },
      { rule_id: 'requests_missing', object: { name: 'new' }, reason: 'too_little_history', detail: 'One day.' },
    ])
    expect(await withheld('&reason=no_source', place.viewer)).toHaveLength(1)
  })

  test('is visible to a restricted role only in its namespaces', async () => {
    const role = await aRole(t, ['recommendations:read'], { namespaces: ['shop'] })
    expect(await withheld('', await aPerson(t, role))).toMatchObject([{ rule_id: 'requests_missing' }])
  })
})
