import { expect, test } from 'vitest'
import { allocationKey, parseAggregates } from './aggregates.ts'
import { filterPredicate, type FilterSubject } from './match-filter.ts'
import { parseFilter } from './parse-filter.ts'

const web: FilterSubject = {
  cluster: ['prod-eu', 'cls_1'],
  node: 'node-a',
  namespace: 'shop',
  controllerKind: 'deployment',
  controllerName: 'web',
  pod: 'web-1',
  container: 'app',
  provider: '',
  services: ['web', 'web-internal'],
  label: { 'app.kubernetes.io/name': 'storefront', tier: '' },
  annotation: {},
  nodeLabel: {},
  aliases: { team: 'payments' },
}

test('rows without services are selected by the name of an absent value', () => {
  const select = (text: string, services: string[]) => {
    const filter = parseFilter(text)
    return filter.kind === 'ok' && filterPredicate(filter.value)({ ...web, services })
  }
  expect([select('services:"__unallocated__"', []), select('services:"__unallocated__"', ['web'])]).toEqual([
    true,
    false,
  ])
  expect(select('services!:"__unallocated__"', [])).toBe(false)
})

const isSelected = (text: string) => {
  const filter = parseFilter(text)
  if (filter.kind === 'invalid') throw new Error(filter.reason)
  return filterPredicate(filter.value)(web)
}

test.each([
  ['namespace:"shop"', true],
  ['namespace:"web","shop"', true],
  ['namespace!:"web","shop"', false],
  ['namespace!:"web","data"', true],
  ['namespace~:"ho"', true],
  ['namespace<~:"sh"+namespace~>:"op"', true],
  ['cluster:"prod-eu"', true],
  ['cluster:"cls_1"', true],
  ['cluster!:"cls_1"', false],
  ['controllerKind:"deployment"+controllerName:"web"', true],
  ['label[app.kubernetes.io/name]:"storefront"', true],
  ['label[app_kubernetes_io_name]:"storefront"', true],
  ['label[app]:""', true],
  ['label[app]:"__unallocated__"', true],
  ['label:"app_kubernetes_io_name"', true],
  ['label:"app"', false],
  ['label<~:"app"', true],
  ['services:"web"', true],
  ['services:"we"', false],
  ['services<~:"web-"', true],
  ['team:"payments"', true],
  ['owner:"__unallocated__"', true],
  ['owner:"me"', false],
  ['owner!:"me"', true],
  ['label[constructor]:""', true],
  ['(namespace:"shop"|namespace:"web")+pod:"web-1"', true],
])('%s selects the row: %s', (text, expected) => {
  expect(isSelected(text)).toBe(expected)
})

const keyOf = (text: string, subject = web) => {
  const aggregates = parseAggregates(text)
  if (aggregates.kind === 'invalid') throw new Error(aggregates.reason)
  return allocationKey(subject, aggregates.value)
}

test.each([
  ['namespace', 'shop'],
  ['cluster,namespace', 'prod-eu/shop'],
  ['controller', 'deployment:web'],
  ['namespace,controllerkind,deployment', 'shop/deployment/web'],
  ['statefulset', '__unallocated__'],
  ['label:app_kubernetes_io_name', 'storefront'],
  ['label:tier', '__unallocated__'],
  ['team,owner', 'payments/__unallocated__'],
  ['service', 'web'],
  ['annotation:x', '__unallocated__'],
  ['all', 'all'],
  ['', 'prod-eu/node-a/shop/web-1/app'],
  ['namespace,namespace', 'shop'],
])('the key of aggregate=%s is %s', (text, key) => {
  expect(keyOf(text)).toBe(key)
})

test('a key has as many fields as aggregates, also for names with a slash', () => {
  expect(keyOf('cluster,namespace', { ...web, cluster: ['team/prod', 'cls_1'] })).toBe('team-prod/shop')
})

test.each(['color', 'label:', 'label:a b', 'namespace,,pod'])('aggregate=%s is refused', (text) => {
  expect(parseAggregates(text)).toMatchObject({ kind: 'invalid' })
})
