import type { Policy, PolicyList } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { layersOf, settingsWith } from './policy-draft.ts'
import { policyFields, textFor, valueFor, wordsFor, type PolicyField, type SettingName } from './policy-fields.ts'

const defaults: PolicyList['defaults'] = {
  dial: 'balanced',
  min_history_days: 7,
  min_coverage: 0.905,
  min_savings: 1,
  min_cpu_millicores: 10,
  min_memory_mib: 32,
  include_system_namespaces: false,
  excluded: false,
  node_pool_scaling: {},
  owner_labels: ['team', 'owner'],
}

const policy = (namespace: string | null, settings: Policy['settings']): Policy => ({
  cluster_id: 'cls_1',
  namespace,
  settings,
  updated_at: '2026-01-01T00:00:00Z',
  etag: '"1-a"',
})

const list = (...policies: Policy[]): PolicyList => ({ policies, defaults, has_more: false, next_cursor: null })

test('a namespace setting overrides the cluster, and the cluster overrides the default', () => {
  const policies = list(policy(null, { min_savings: 5, dial: 'safe' }), policy('shop', { min_savings: 20 }))
  const shop = layersOf(policies, 'shop')
  expect(shop.holding).toEqual({ ...defaults, dial: 'safe', min_savings: 20 })
  expect(shop.inherited.min_savings).toBe(5)
  expect((['min_savings', 'dial', 'excluded'] as const).map(shop.originOf)).toEqual(['here', 'cluster', 'default'])
  expect(shop.wider('min_savings')).toBe('cluster')
})

test('a cluster setting is set here, not inherited', () => {
  const cluster = layersOf(list(policy(null, { min_savings: 5 }), policy('shop', { excluded: true })), null)
  expect(cluster.inherited).toEqual(defaults)
  expect([cluster.originOf('min_savings'), cluster.wider('min_savings')]).toEqual(['here', 'default'])
  expect(cluster.holding.excluded).toBe(false)
})

test('a draft changes edited settings, resets null settings and leaves the others unchanged', () => {
  const own = { dial: 'safe', min_savings: 5, min_history_days: 3 } as const
  expect(settingsWith(own, { min_savings: null, min_coverage: '55' })).toEqual({
    dial: 'safe',
    min_history_days: 3,
    min_coverage: 0.55,
  })
  expect(settingsWith({ min_savings: 5 }, { min_savings: null })).toEqual({})
})

const fieldOf = (name: SettingName): PolicyField => {
  const found = policyFields.find((each) => each.name === name)
  if (!found) throw new Error(`no field ${name}`)
  return found
}

test('every setting except sizing policy and node pools has a field that sends the value it shows', () => {
  expect(policyFields.map(({ name }) => name).sort()).toEqual(
    Object.keys(defaults)
      .filter((name) => name !== 'dial' && name !== 'node_pool_scaling')
      .sort(),
  )
  for (const field of policyFields) expect(valueFor(field, textFor(field, defaults))).toEqual(defaults[field.name])
})

test('labels are separated by commas, blanks or lines', () => {
  expect(valueFor(fieldOf('owner_labels'), ' team,  app.example.com/owner\nsquad ')).toEqual([
    'team',
    'app.example.com/owner',
    'squad',
  ])
})

test('text that is not a number is sent unchanged, so that the service rejects it', () => {
  expect(valueFor(fieldOf('min_savings'), 'much')).toBe('much')
  expect(valueFor(fieldOf('min_savings'), '')).toBe('')
})

test('values are shown with their units', () => {
  expect(policyFields.map((field) => wordsFor(field, defaults))).toEqual([
    '7 days',
    '90.5 %',
    '$1.00/month',
    '10m',
    '32 MiB',
    'off',
    'on',
    'team, owner',
  ])
})
