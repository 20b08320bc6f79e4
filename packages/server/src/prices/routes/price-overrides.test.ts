import type { PriceOverride } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { entriesOf } from '../../../test/audit-trail.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
const url = '/api/v1/price-overrides'

const post = ({ bearer }: Person, body: unknown, headers: Record<string, string> = {}) =>
  send(t, { method: 'POST', url, headers: { ...bearer, ...headers }, body })

const list = async ({ bearer }: Person, query = '') => {
  const response = await send(t, { url: `${url}${query}`, headers: bearer })
  return response.json<{ price_overrides: PriceOverride[]; next_cursor: string | null }>()
}

const end = ({ bearer }: Person, id: string, query = '') =>
  send(t, { method: 'DELETE', url: `${url}/${id}${query}`, headers: bearer })

const discount = { kind: 'discount', provider: 'aws', percent: 10, effective_from: '2026-01-01T00:00:00Z' }
const price = { kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: '0.161' }

test('a price is shown as set, from this hour on by default', async () => {
  const admin = await aPerson(t)
  t.clock.now = new Date('2026-03-01T12:34:56Z')
  const response = await post(admin, { ...price, provider: 'aws', region: 'eu-central-1', note: 'from the contract' })
  expect(response.statusCode).toBe(201)
  const made = response.json<PriceOverride>()
  expect(made).toEqual({
    id: made.id,
    kind: 'node_price',
    cluster_id: null,
    provider: 'aws',
    region: 'eu-central-1',
    instance_type: 'm5.xlarge',
    capacity_type: null,
    os: 'linux',
    usd_per_hour: 0.161,
    percent: null,
    usd_per_vcpu_month: null,
    usd_per_gib_month: null,
    usd_per_gpu_month: null,
    usd_per_storage_gib_month: null,
    effective_from: '2026-03-01T12:00:00.000Z',
    effective_until: null,
    note: 'from the contract',
    created_at: '2026-03-01T12:34:56.000Z',
  })
  expect((await list(admin)).price_overrides).toContainEqual(made)
  expect(await entriesOf(t, response)).toMatchObject([
    {
      action: 'price_override.create',
      target: { type: 'price_override', id: made.id },
      detail: { kind: 'node_price', usd_per_hour: 0.161, instance_type: 'm5.xlarge' },
    },
  ])
})

const custom = { kind: 'custom_rates', cluster_id: 'cls_1' }

test.each([
  { name: 'a negative price', body: { ...price, usd_per_hour: -0.01 }, pointer: '/usd_per_hour', code: 'negative' },
  { name: 'an implausible price', body: { ...price, usd_per_hour: 10_001 }, pointer: '/usd_per_hour', code: 'absurd' },
  { name: 'not a number', body: { ...price, usd_per_hour: 'free' }, pointer: '/usd_per_hour', code: 'not_a_number' },
  { name: 'an empty price', body: { ...price, usd_per_hour: ' ' }, pointer: '/usd_per_hour', code: 'not_a_number' },
  {
    name: 'too many digits',
    body: { ...price, usd_per_hour: `0.${'1'.repeat(25)}` },
    pointer: '/usd_per_hour',
    code: 'too_precise',
  },
  { name: 'more than 100 %', body: { ...discount, percent: 100.5 }, pointer: '/percent', code: 'absurd' },
  { name: 'a surcharge', body: { ...discount, percent: '-1' }, pointer: '/percent', code: 'negative' },
  {
    name: 'an implausible monthly rate',
    body: { ...custom, usd_per_gib_month: 4e6 },
    pointer: '/usd_per_gib_month',
    code: 'absurd',
  },
  {
    name: 'not a full hour',
    body: { ...discount, effective_from: '2026-01-01T00:30:00Z' },
    pointer: '/effective_from',
    code: 'full_hour',
  },
  {
    name: 'an end before the start',
    body: { ...discount, effective_until: '2026-01-01T00:00:00Z' },
    pointer: '/effective_until',
    code: 'order',
  },
  { name: 'no percent', body: { kind: 'discount', provider: 'aws' }, pointer: '/percent', code: 'required' },
  { name: 'no type', body: { kind: 'node_price', usd_per_hour: 1 }, pointer: '/instance_type', code: 'required' },
  { name: 'no rate', body: custom, pointer: '/kind', code: 'required' },
  {
    name: 'a field of another kind',
    body: { ...discount, usd_per_hour: 1 },
    pointer: '/usd_per_hour',
    code: 'not_for_kind',
  },
  { name: 'a region of a discount', body: { ...discount, region: 'x' }, pointer: '/region', code: 'not_for_kind' },
  {
    name: 'a missing cluster',
    body: { ...discount, cluster_id: 'cls_1' },
    pointer: '/cluster_id',
    code: 'unknown_cluster',
  },
  { name: 'an unknown field', body: { ...discount, precent: 1 }, pointer: '/precent', code: 'additionalProperties' },
])('$name is rejected with a pointer', async ({ body, pointer, code }) => {
  const response = await post(await aPerson(t), body)
  expect(response.statusCode).toBe(422)
  expect(response.json<{ errors: object[] }>().errors).toContainEqual(expect.objectContaining({ pointer, code }))
})

test('a price of 0 and a discount of 100 % are valid', async () => {
  const admin = await aPerson(t)
  expect((await post(admin, { ...price, usd_per_hour: 0 })).json()).toMatchObject({ usd_per_hour: 0 })
  expect((await post(admin, { ...discount, percent: '100' })).json()).toMatchObject({ percent: 100 })
})

test('the same Idempotency-Key creates one override', async () => {
  const admin = await aPerson(t)
  const send = () => post(admin, price, { 'idempotency-key': 'once' })
  const [first, again] = [await send(), await send()]
  expect(again.json()).toEqual(first.json())
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(await entriesOf(t, again)).toEqual([])
})

test('an override ends once; a deleted one is not shown', async () => {
  const admin = await aPerson(t)
  t.clock.now = new Date('2026-03-01T12:34:56Z')
  const { id } = (await post(admin, discount)).json<PriceOverride>()
  const ended = await end(admin, id)
  expect(ended.statusCode).toBe(204)
  expect(await entriesOf(t, ended)).toMatchObject([
    { action: 'price_override.end', target: { id }, detail: { effective_until: '2026-03-01T12:00:00.000Z' } },
  ])
  expect((await end(admin, id)).json()).toMatchObject({ code: 'price_override_not_found' })
  const ids = async (query: string) => (await list(admin, query)).price_overrides.map((each) => each.id)
  expect(await ids('')).not.toContain(id)
  expect(await ids('?include_ended=true')).toContain(id)

  expect((await end(admin, id, '?from=2026-01-01T00:00:00Z')).statusCode).toBe(204)
  expect(await ids('?include_ended=true')).not.toContain(id)
  expect((await end(admin, id, '?from=2026-01-01T00:00:00Z')).statusCode).toBe(404)
})

test('an override that has not begun can be deleted', async () => {
  const admin = await aPerson(t)
  const { id } = (await post(admin, { ...discount, effective_from: '2030-01-01T00:00:00Z' })).json<PriceOverride>()
  expect((await end(admin, id)).statusCode).toBe(204)
  expect((await end(admin, id)).statusCode).toBe(404)
})

test.each([
  ['/prc_1', 404],
  ['/prc_00000000000000000000000000', 404],
])('there is no override %s', async (path, status) => {
  const { bearer } = await aPerson(t)
  expect((await send(t, { method: 'DELETE', url: `${url}${path}`, headers: bearer })).statusCode).toBe(status)
})

test('an end before the beginning is rejected with the way to delete it, and nothing is deleted', async () => {
  const admin = await aPerson(t)
  t.clock.now = new Date('2026-03-01T12:34:56Z')
  const made = await post(admin, { ...discount, effective_from: '2026-02-01T00:00:00Z' })
  const { id } = made.json<PriceOverride>()
  const response = await end(admin, id, '?from=2026-01-31T23:00:00Z')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'invalid_parameter',
    detail:
      'from: must not be before 2026-02-01T00:00:00.000Z, the start of the override, got 2026-01-31T23:00:00Z; ' +
      'send 2026-02-01T00:00:00.000Z to remove the override.',
    errors: [{ parameter: 'from', code: 'before_start' }],
  })
  const kept = (await list(admin, '?limit=500')).price_overrides.find((each) => each.id === id)
  expect(kept).toEqual(made.json())
})

test('the end is a full hour', async () => {
  const admin = await aPerson(t)
  const { id } = (await post(admin, discount)).json<PriceOverride>()
  const response = await end(admin, id, '?from=2026-02-01T00:00:01Z')
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ errors: [{ parameter: 'from', code: 'full_hour' }] })
})

test('pages continue where the previous one ended', async () => {
  const admin = await aPerson(t)
  const made = await Promise.all([1, 2, 3].map(() => post(admin, price)))
  const first = await list(admin, '?limit=2')
  const rest = await list(admin, `?limit=500&cursor=${first.next_cursor}`)
  const ids = [...first.price_overrides, ...rest.price_overrides].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const response of made) expect(ids).toContain(response.json<PriceOverride>().id)
})

test('a role restricted to a cluster manages its prices and no others', async () => {
  const [mine, theirs] = [await aCluster(t), await aCluster(t)]
  const admin = await aPerson(t)
  const fleet = (await post(admin, discount)).json<PriceOverride>()
  const foreign = (await post(admin, { ...discount, cluster_id: theirs.clusterId })).json<PriceOverride>()
  const role = await aRole(t, ['billing:read', 'billing:write'], { clusters: [mine.clusterId] })
  const owner = await aPerson(t, role)

  const own = await post(owner, { ...discount, cluster_id: mine.clusterId })
  expect(own.statusCode).toBe(201)
  expect((await post(owner, discount)).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await post(owner, { ...discount, cluster_id: theirs.clusterId })).statusCode).toBe(422)
  const ids = (await list(owner, '?limit=500')).price_overrides.map(({ id }) => id)
  expect([fleet.id, foreign.id, own.json<PriceOverride>().id].map((id) => ids.includes(id))).toEqual([
    true,
    false,
    true,
  ])
  expect((await end(owner, fleet.id)).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await end(owner, foreign.id)).statusCode).toBe(404)
  expect((await end(owner, own.json<PriceOverride>().id)).statusCode).toBe(204)
  expect((await send(t, { url: `${url}?cluster_id=${theirs.clusterId}`, headers: owner.bearer })).statusCode).toBe(404)
})

test('callers that may read prices may not set them, and others do neither', async () => {
  const reader = await aPerson(t, await aRole(t, ['billing:read']))
  expect((await post(reader, discount)).json()).toMatchObject({ required_permission: 'billing:write' })
  expect((await send(t, { url, headers: reader.bearer })).statusCode).toBe(200)
  const editor = await aPerson(t, 'editor')
  expect((await send(t, { url, headers: editor.bearer })).statusCode).toBe(403)
})

test('the prices of a deleted cluster are deleted with it', async () => {
  const admin = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const { id } = (await post(admin, { ...discount, cluster_id: clusterId })).json<PriceOverride>()
  await send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: admin.bearer })
  expect((await end(admin, id)).statusCode).toBe(404)
})
