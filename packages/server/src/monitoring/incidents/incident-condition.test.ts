import { expect, test } from 'vitest'
import { anIncident } from '../../../test/an-incident.ts'
import { incidentCondition } from './incident-condition.ts'
import { partKey, placeOf } from './part-key.ts'

const names = new Map([['cls_1', 'prod']])

test('an incident names its part, its cause and the money', () => {
  expect(incidentCondition(anIncident(), names)).toMatchObject({
    entity: '1/cls_1/shop/Deployment/cart',
    clusterId: 'cls_1',
    namespace: 'shop',
    content: {
      title: 'shop/cart costs more than expected: higher CPU request',
      money: { amount: 21.08, per: 'day' },
      links: [{ url: '/allocation?cluster=cls_1&namespace=shop' }],
    },
  })
})

test.each([
  ['installation', 'The total of all clusters costs more than expected: more replicas'],
  ['team:payments', 'Team payments costs more than expected: more replicas'],
  ['cls_1', 'Cluster prod costs more than expected: more replicas'],
  ['cls_1/shop', 'Namespace shop costs more than expected: more replicas'],
  ['cls_1//idle', 'Unallocated capacity of cluster prod costs more than expected: more replicas'],
])('the title of %s', (part, title) => {
  expect(incidentCondition(anIncident({ part, kind: 'replicas', detail: '' }), names).content.title).toBe(title)
})

test('a shift is listed and not sent, and an unknown cause is left out', () => {
  const { unsent, content } = incidentCondition(anIncident({ isShift: true, kind: 'unknown', detail: '' }), names)
  expect([unsent, content.title]).toEqual(['shift', 'shop/cart costs more than expected'])
})

test('a key names its place', () => {
  const key = partKey('cls_1', { level: 'workload', namespace: 'shop', kind: 'Deployment', name: 'cart' })
  expect(placeOf(key)).toEqual({
    clusterId: 'cls_1',
    namespace: 'shop',
    workload: 'Deployment/cart',
    level: null,
    team: null,
  })
  expect(placeOf(partKey('cls_1', { level: 'idle' }))).toMatchObject({ namespace: null, level: 'idle' })
})
