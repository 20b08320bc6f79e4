import type {
  Allocation,
  Cluster,
  OverviewCluster,
  PriceOverride,
  RecommendationList,
  Savings,
} from '@plimsoll/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actionLabels, labelOfAction } from '../format/audit-labels.ts'
import {
  clusterLabels,
  stateName,
  neutral,
  ownerName,
  plainName,
  providerName,
  ruleName,
  verificationLabels,
} from '../format/labels.ts'
import { largestCluster } from '../parts/largest-cluster.ts'
import { firstPage, isOfOneCluster, keepCluster, menuPages } from '../shell/menu-pages.ts'
import { colourOf, namesWithColour } from './allocation/colours.ts'
import { filterQuery, groupings, isByNode, readQuestion } from './allocation/question.ts'
import { tilesOf } from './allocation/tiles.ts'
import { nameIn } from './overview/name-in.ts'
import { partsByCluster } from './overview/parts-by-cluster.ts'
import { listTotal } from './recommendations/list-total.ts'
import { hasMoney } from './savings/has-money.ts'
import { draftFields, draftFor, overrideBody } from './settings/prices/override-draft.ts'
import { overrideText } from './settings/prices/override-text.ts'

type Step = Allocation['steps'][number]

const cost = (total: number) => ({ total }) as Step['rest']['cost']
const aStep = (owners: Record<string, number>, more: Partial<Record<'idle' | 'overhead' | 'rest', number>> = {}) =>
  ({
    rows: Object.entries(owners).map(([name, total]) => ({ names: { namespace: name }, cost: cost(total) })),
    rest: { cost: cost(more.rest ?? 0) },
    idle: cost(more.idle ?? 0),
    overhead: cost(more.overhead ?? 0),
  }) as unknown as Step
const anAllocation = (...steps: Step[]) => ({ steps }) as Allocation

describe('colours of the allocation', () => {
  test('the eight largest owners have separate colours, by the sum of all steps', () => {
    const owners = Object.fromEntries(Array.from({ length: 10 }, (_each, index) => [`n${index}`, 10 - index]))
    const named = namesWithColour(anAllocation(aStep(owners), aStep({ n9: 100 })), 'namespace')
    expect(named).toEqual(['n9', 'n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6'])
  })

  test('owners without a separate colour are grey, and no two owners share a colour', () => {
    const named = Array.from({ length: 8 }, (_each, index) => `n${index}`)
    const fills = named.map((name) => colourOf(name, named).fill)
    expect(new Set(fills).size).toBe(named.length)
    expect(fills).not.toContain(colourOf('another', named).fill)
  })

  test('an owner keeps its colour when another becomes larger', () => {
    const named = ['shop', 'data', 'ci']
    expect(named.map((name) => colourOf(name, named))).toEqual(
      named.map((name) => colourOf(name, [...named].reverse())),
    )
  })
})

describe('tiles of the allocation', () => {
  test('the tiles add up to the cost of the step', () => {
    const usd = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(fc.array(usd, { maxLength: 40 }), usd, usd, usd, (totals, idle, overhead, rest) => {
        const owners = Object.fromEntries(totals.map((total, index) => [`n${index}`, total]))
        const tiles = tilesOf(anAllocation(aStep(owners, { idle, overhead, rest })), 'namespace', [])
        const sum = tiles.reduce((all, { value }) => all + value, 0)
        expect(sum).toBe(totals.reduce((all, each) => all + each, idle + overhead + rest))
        expect(tiles.every(({ value }) => value > 0)).toBe(true)
      }),
    )
  })

  test('at most 24 owners have a tile, and one more tile sums up the others', () => {
    const owners = Object.fromEntries(Array.from({ length: 30 }, (_each, index) => [`n${index}`, 5]))
    const tiles = tilesOf(anAllocation(aStep(owners)), 'namespace', [])
    expect(tiles).toHaveLength(25)
    expect(tiles.at(-1)).toMatchObject({ key: '__other__', value: 30 })
  })

  test('owners too small for a name share one tile', () => {
    const tiles = tilesOf(anAllocation(aStep({ shop: 990, tiny: 6, ci: 4 })), 'namespace', [])
    expect(tiles).toMatchObject([
      { key: 'shop', value: 990 },
      { key: '__other__', name: 'Others', value: 10 },
    ])
  })

  test('cost without an owner is hatched', () => {
    const tiles = tilesOf(anAllocation(aStep({ shop: 5 }, { idle: 3, overhead: 1 })), 'namespace', ['shop'])
    expect(tiles.map(({ key, isHatched = false }) => [key, isHatched])).toEqual([
      ['shop', false],
      ['__idle__', true],
      ['__overhead__', true],
    ])
  })

  test('there are no tiles without a step', () => {
    expect(tilesOf(anAllocation(), 'namespace', [])).toEqual([])
  })
})

describe('the allocation query in the URL', () => {
  test.each([
    [{}, { levels: ['namespace'], share: 'none' }],
    [
      { by: 'team', then: 'namespace', share: 'even' },
      { levels: ['team', 'namespace'], share: 'even' },
    ],
    [
      { by: 'label:app.kubernetes.io/name', then: 'workload' },
      { levels: ['label:app.kubernetes.io/name', 'workload'], share: 'none' },
    ],
    [
      { by: 'nonsense', then: 'label:', share: 'nonsense' },
      { levels: ['namespace'], share: 'none' },
    ],
    // The cost of a node includes its idle part, and cost per workload and node is not stored.
    [
      { by: 'node_pool', then: 'node', share: 'even' },
      { levels: ['node_pool', 'node'], share: 'none' },
    ],
    [
      { by: 'node', then: 'workload' },
      { levels: ['node'], share: 'none' },
    ],
    [
      { by: 'node', team: 'blue', share: 'even' },
      { levels: ['workload'], share: 'even' },
    ],
    [
      { by: 'team', then: 'team' },
      { levels: ['team'], share: 'none' },
    ],
  ] as const)('%j is parsed as %j', (search, question) => expect(readQuestion(search)).toEqual(question))

  test('idle cost is never shared among nodes, whatever the URL contains', () => {
    const text = fc.oneof(fc.constantFrom(...groupings, 'even', 'proportional'), fc.string())
    fc.assert(
      fc.property(text, text, text, (by, then, share) => {
        const { levels, share: shared } = readQuestion({ by, then, share })
        if (levels.some(isByNode)) expect(shared).toBe('none')
      }),
    )
  })

  test('a filter by node pool is sent only with a grouping by nodes', () => {
    const search = { pool: 'general', kind: 'Deployment' }
    expect(filterQuery(search, { levels: ['namespace'], share: 'none' })).toEqual({ controller_kind: 'Deployment' })
    expect(filterQuery({ pool: 'general' }, { levels: ['node'], share: 'none' })).toEqual({ node_pool: 'general' })
  })
})

describe('price overrides', () => {
  const filled = Object.fromEntries(draftFields.map((field) => [field, `${field} `]))

  test.each(['node_price', 'discount', 'custom_rates'] as const)(
    'a body of kind %s holds only the fields of this kind',
    (kind) => {
      const { kind: sent, ...fields } = overrideBody(kind, filled)
      expect(sent).toBe(kind)
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['cluster_id', 'effective_from', 'note']))
      expect('percent' in fields).toBe(kind === 'discount')
      expect('usd_per_hour' in fields).toBe(kind === 'node_price')
      expect('usd_per_vcpu_month' in fields).toBe(kind === 'custom_rates')
    },
  )

  test('empty fields are not sent, and blanks are trimmed', () => {
    expect(overrideBody('discount', { percent: ' 12.5 ', note: '  ', provider: '' })).toEqual({
      kind: 'discount',
      percent: '12.5',
    })
  })

  test.each([
    ['2026-01-01T05:00', '2026-01-01T05:00:00Z'],
    ['2026-01-01T05:00:00Z', '2026-01-01T05:00:00Z'],
    ['tomorrow', 'tomorrow'],
  ])('the time %s is sent as %s', (typed, sent) => {
    expect(overrideBody('discount', { effective_from: typed })).toMatchObject({ effective_from: sent })
  })

  test('a discount begins with a provider, and a typed provider stays', () => {
    expect(draftFor('discount', {})).toEqual({ provider: 'aws' })
    expect(draftFor('discount', { provider: 'gcp' })).toEqual({ provider: 'gcp' })
    expect(draftFor('node_price', {})).toEqual({})
  })

  const row = {
    ...{ provider: null, region: null, instance_type: null, capacity_type: null, os: null, usd_per_hour: null },
    ...{ percent: null, usd_per_vcpu_month: null, usd_per_gib_month: null, usd_per_gpu_month: null },
    usd_per_storage_gib_month: null,
  } as unknown as PriceOverride

  test.each<[Partial<PriceOverride>, string[]]>([
    [{ kind: 'discount', provider: 'aws', percent: 12.5 }, ['12.5 %', 'AWS']],
    [{ kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: 0.161 }, ['m5.xlarge', '$0.1610/h']],
    [{ kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: 1, os: 'windows' }, ['(Windows)']],
    [{ kind: 'node_price', instance_type: 'a', usd_per_hour: 1, capacity_type: 'spot', region: 'eu' }, ['(spot, eu)']],
    [{ kind: 'custom_rates', usd_per_vcpu_month: 18, usd_per_storage_gib_month: 0.05 }, ['$18/vCPU', '$0.05/GiB']],
  ])('%j has the text %j', (fields, words) => {
    for (const each of words) expect(overrideText({ ...row, ...fields })).toContain(each)
  })
})

describe('totals of the list', () => {
  const totals = {
    pending: { count: 3, estimated_savings: 30, bankable_savings: 20 },
    approved: { count: 1, estimated_savings: 5, bankable_savings: null },
    rejected: { count: 2, estimated_savings: 7, bankable_savings: null },
  } as unknown as RecommendationList['totals']

  test.each([
    [undefined, { count: 3, estimated_savings: 30, bankable_savings: 20 }],
    ['pending,approved', { count: 4, estimated_savings: 35, bankable_savings: 20 }],
    // An unknown amount is not $0.
    ['approved,rejected', { count: 3, estimated_savings: 12, bankable_savings: null }],
  ])('the statuses %j add up', (status, expected) => expect(listTotal(totals, status)).toEqual(expected))

  test('there is no total before the list is loaded', () => expect(listTotal(undefined)).toBeUndefined())

  test('a row of the savings has money if any amount is not zero', () => {
    const aRow = (row: object) => row as Savings['rows'][number]
    expect(hasMoney(aRow({ month: '2026-03', verified: 0, reverted: 0 }))).toBe(false)
    expect(hasMoney(aRow({ month: '2026-03', verified: 0, reverted: -2 }))).toBe(true)
  })
})

describe('clusters', () => {
  const cluster = (name: string, monthly_cost: number | null) => ({ id: name, name, monthly_cost }) as Cluster

  test('the cluster that costs most is the largest; an unknown cost counts as the smallest', () => {
    expect(largestCluster([cluster('a', 5), cluster('b', 9), cluster('c', null)])?.name).toBe('b')
    expect(largestCluster([cluster('c', null), cluster('a', 1)])?.name).toBe('a')
    expect(largestCluster([])).toBeUndefined()
  })

  test('at most twelve clusters are named, and the parts add up', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 30 }), (amounts) => {
        const all = amounts.map(
          (usd, index) => ({ id: `c${index}`, name: `c${index}`, usd }) as unknown as OverviewCluster,
        )
        const parts = partsByCluster(all, (each) => (each as unknown as { usd: number }).usd)
        expect(parts.length).toBe(Math.min(amounts.length, 13))
        expect(parts.reduce((sum, { usd }) => sum + (usd ?? 0), 0)).toBe(amounts.reduce((sum, each) => sum + each, 0))
      }),
    )
  })

  test('a deleted cluster has no name', () => {
    const find = nameIn({ clusters: [{ id: 'cls_1', name: 'prod' } as OverviewCluster] })
    expect([find('cls_1'), find('cls_2')]).toEqual(['prod', ''])
  })
})

describe('labels', () => {
  test.each(Object.entries(actionLabels))('the audit action %s has its own label', (action, words) => {
    expect(words).not.toBe('')
    expect(labelOfAction(action)).toBe(words)
  })

  test('no two audit actions have the same label', () => {
    expect(new Set(Object.values(actionLabels)).size).toBe(Object.keys(actionLabels).length)
  })

  test.each([
    ['cluster.explode', 'cluster explode'],
    ['price_book.burn', 'price book burn'],
  ])('an unknown action %s reads %s', (action, words) => expect(labelOfAction(action)).toBe(words))

  test('states start with a capital letter', () => {
    const all = [...Object.values(clusterLabels), ...Object.values(verificationLabels)].map(({ word }) => word)
    expect(all.filter((word) => !/^[A-Z]/.test(word))).toEqual([])
    expect([stateName('approved'), stateName('pending')]).toEqual(['Approved', 'Open'])
  })

  test('states have different labels', () => {
    for (const words of [clusterLabels, verificationLabels]) {
      const all = Object.values(words).map(({ word }) => word)
      expect(new Set(all).size).toBe(all.length)
    }
  })

  test.each([
    ['ok', 'muted'],
    ['warn', 'warn'],
    ['danger', 'danger'],
  ] as const)('before the first data the tone %s is shown as %s', (tone, shown) => expect(neutral(tone)).toBe(shown))

  test('names that the service does not know are shown as they are', () => {
    expect([providerName('aws'), providerName('my-own-cloud')]).toEqual(['AWS', 'my-own-cloud'])
    expect([plainName('api_key'), plainName('agent_token')]).toEqual(['API token', 'agent token'])
    expect(ownerName('shop')).toBe('shop')
    expect(ownerName('__idle__')).not.toContain('_')
    expect(ruleName({ rule_id: 'new_rule', rule_name: null })).toBe('New rule')
    expect(ruleName({ rule_id: 'new_rule', rule_name: 'A name' })).toBe('A name')
  })
})

describe('pages', () => {
  test('each page has its own key and path', () => {
    for (const field of ['to', 'word', 'key'] as const) {
      expect(new Set(menuPages.map((place) => place[field])).size).toBe(menuPages.length)
    }
  })

  test('a user without access to other pages starts in the settings', () => {
    const grant = { permissions: [], clusters: null, namespaces: null } as unknown as Parameters<typeof firstPage>[0]
    expect(firstPage(grant)).toMatch(/^\/settings|^\/clusters/)
  })

  test('the next page shows the same cluster and drops other parameters', () => {
    const search = { cluster: 'cls_1', sort: 'name' }
    expect(keepCluster(search)).toEqual({ cluster: 'cls_1' })
    expect(keepCluster({})).toEqual({})
    expect([isOfOneCluster('/nodes'), isOfOneCluster('/')]).toEqual([true, false])
  })
})
