import { Value } from 'typebox/value'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { CreateApiKeyBody } from './api-keys.ts'
import { AcceptBody, LoginBody, PasswordBody } from './auth.ts'
import { CreateBudgetBody, UpdateBudgetBody } from './budgets.ts'
import { CreateClusterBody, UpdateClusterBody } from './clusters.ts'
import { PutPolicyBody } from './policies.ts'
import { CreatePriceOverrideBody } from './price-overrides.ts'
import { BatchBody, SnoozeBody } from './recommendation-moves.ts'
import { CreateRoleBody, UpdateRoleBody } from './roles.ts'
import { PutTeamMappingBody } from './team-mapping.ts'
import { PutTeamBody } from './teams.ts'
import { CreateUserBody, UpdateUserBody } from './users.ts'

type Example = { name: string; schema: TSchema; accepted: readonly unknown[]; refused: readonly unknown[] }

const clusterId = 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8'
const channelId = 'chn_01k3v7m9q2x4t6b8n0d2f4h6j8'
const noTeam = { contact: null, cost_center: null, channel_ids: [] }
const budget = { name: 'Shop', period: 'month', amount: 1000 }
const text = (length: number) => 'a'.repeat(length)
const many = (count: number, make: (index: number) => unknown) => Array.from({ length: count }, (_, at) => make(at))

const bodies: Example[] = [
  {
    name: 'CreateClusterBody',
    schema: CreateClusterBody,
    accepted: [
      { name: 'prod' },
      { name: 'prod', provider: '', region: '' },
      { name: text(100), provider: text(100), region: text(100) },
      { name: 'Кластер' },
    ],
    refused: [
      {},
      { name: '' },
      { name: text(101) },
      { name: ' prod' },
      { name: 'prod ' },
      { name: 'pr\u0000od' },
      { name: 'prod', provider: text(101) },
      { name: 'prod', region: 'eu\nwest' },
      { name: 'prod', colour: 'red' },
      { name: 5 },
      [],
      'prod',
    ],
  },
  {
    name: 'UpdateClusterBody',
    schema: UpdateClusterBody,
    accepted: [{ name: 'prod' }, { provider: 'aws' }, { region: 'eu-west-1' }],
    refused: [{}, { name: null }, { status: 'active' }],
  },
  {
    name: 'CreateUserBody',
    schema: CreateUserBody,
    accepted: [
      { email: 'ada@example.com', role: 'viewer' },
      { email: 'ada@example.com', role: 'viewer', password: text(8) },
      { email: 'ada@example.com', role: 'viewer', password: text(1024) },
    ],
    refused: [
      { email: 'ada', role: 'viewer' },
      { email: 'ada@example.com' },
      { role: 'viewer' },
      { email: 'ada@example.com', role: '' },
      { email: 'ada@example.com', role: text(64) },
      { email: 'ada@example.com', role: 'viewer', password: text(7) },
      { email: 'ada@example.com', role: 'viewer', password: text(1025) },
      { email: `${text(250)}@example.com`, role: 'viewer' },
    ],
  },
  {
    name: 'UpdateUserBody',
    schema: UpdateUserBody,
    accepted: [{ role: 'editor' }, { disabled: true }, { role: 'editor', disabled: false }],
    refused: [{}, { disabled: 'yes' }, { role: '' }, { email: 'ada@example.com' }],
  },
  {
    name: 'CreateRoleBody',
    schema: CreateRoleBody,
    accepted: [
      { name: 'finops', permissions: [] },
      { name: 'f', permissions: ['clusters:read'] },
      { name: `f${text(62)}`, permissions: ['clusters:read', 'reports:read'] },
      { name: 'finops', permissions: [], clusters: null, namespaces: null },
      { name: 'finops', permissions: [], clusters: [], namespaces: [] },
      { name: 'finops', permissions: [], clusters: [clusterId], namespaces: ['shop', 'data-1'] },
      { name: 'finops', permissions: [], namespaces: many(1000, (at) => `n${at}`) },
    ],
    refused: [
      { name: 'finops' },
      { permissions: [] },
      { name: 'Finops', permissions: [] },
      { name: '1finops', permissions: [] },
      { name: `f${text(63)}`, permissions: [] },
      { name: 'finops', permissions: ['clusters:fly'] },
      { name: 'finops', permissions: ['clusters:read', 'clusters:read'] },
      { name: 'finops', permissions: [], clusters: ['prod'] },
      { name: 'finops', permissions: [], clusters: [clusterId, clusterId] },
      { name: 'finops', permissions: [], namespaces: ['Shop'] },
      { name: 'finops', permissions: [], namespaces: ['-shop'] },
      { name: 'finops', permissions: [], namespaces: [text(64)] },
      { name: 'finops', permissions: [], namespaces: many(1001, (at) => `n${at}`) },
    ],
  },
  {
    name: 'UpdateRoleBody',
    schema: UpdateRoleBody,
    accepted: [{ permissions: [] }, { clusters: null }, { namespaces: ['shop'] }],
    refused: [{}, { name: 'other' }, { permissions: null }],
  },
  {
    name: 'LoginBody',
    schema: LoginBody,
    accepted: [
      { email: 'ada@example.com', password: 'x' },
      // The schema does not check the address, so a caller who guesses learns nothing.
      { email: 'ada', password: 'x' },
      { email: 'ada@example.com', password: text(1024), cookie: true },
    ],
    refused: [
      { email: 'ada@example.com' },
      { email: '', password: 'x' },
      { email: 'ada@example.com', password: '' },
      { email: 'ada@example.com', password: text(1025) },
      { email: 'ada@example.com', password: 'x', cookie: 1 },
    ],
  },
  {
    name: 'AcceptBody',
    schema: AcceptBody,
    accepted: [
      { code: 'abc', password: text(8) },
      { code: text(200), email: 'ada@example.com', password: text(8), cookie: false },
    ],
    refused: [
      { code: '', password: text(8) },
      { code: text(201), password: text(8) },
      { code: 'abc', password: text(7) },
      { code: 'abc', email: 'ada', password: text(8) },
    ],
  },
  {
    name: 'PasswordBody',
    schema: PasswordBody,
    accepted: [{ current_password: 'x', new_password: text(8) }],
    refused: [
      { current_password: '', new_password: text(8) },
      { current_password: 'x', new_password: text(7) },
      { new_password: text(8) },
    ],
  },
  {
    name: 'CreateApiKeyBody',
    schema: CreateApiKeyBody,
    accepted: [
      { name: 'nightly' },
      { name: 'nightly', scopes: ['clusters:read'] },
      { name: 'nightly', expires_at: '2026-12-31T00:00:00Z' },
    ],
    refused: [
      { name: '' },
      // A key without permissions is useless.
      { name: 'nightly', scopes: [] },
      { name: 'nightly', scopes: ['clusters:read', 'clusters:read'] },
      { name: 'nightly', scopes: ['everything'] },
      { name: 'nightly', expires_at: 'tomorrow' },
      { name: 'nightly', expires_at: 1_700_000_000 },
    ],
  },
  {
    name: 'PutPolicyBody',
    schema: PutPolicyBody,
    accepted: [
      { cluster_id: clusterId, settings: {} },
      { cluster_id: clusterId, namespace: null, settings: { dial: 'safe' } },
      { cluster_id: clusterId, namespace: 'shop', settings: { min_history_days: 35, min_coverage: 1 } },
      { cluster_id: clusterId, settings: { min_history_days: 0, min_coverage: 0, min_savings: 0 } },
      { cluster_id: clusterId, settings: { min_cpu_millicores: 1, min_memory_mib: 1 } },
      { cluster_id: clusterId, settings: { owner_labels: [] } },
      { cluster_id: clusterId, settings: { owner_labels: many(20, (at) => `label-${at}`) } },
      { cluster_id: clusterId, settings: { node_pool_scaling: { work: 'automatic', '': 'manual' } } },
    ],
    refused: [
      { settings: {} },
      { cluster_id: '', settings: {} },
      { cluster_id: clusterId },
      { cluster_id: clusterId, namespace: 'Shop', settings: {} },
      { cluster_id: clusterId, settings: { dial: 'reckless' } },
      { cluster_id: clusterId, settings: { min_history_days: -1 } },
      { cluster_id: clusterId, settings: { min_history_days: 36 } },
      { cluster_id: clusterId, settings: { min_coverage: 1.01 } },
      { cluster_id: clusterId, settings: { min_savings: -0.01 } },
      { cluster_id: clusterId, settings: { min_cpu_millicores: 0 } },
      { cluster_id: clusterId, settings: { min_cpu_millicores: 1.5 } },
      { cluster_id: clusterId, settings: { min_memory_mib: 10_000_001 } },
      { cluster_id: clusterId, settings: { owner_labels: [''] } },
      { cluster_id: clusterId, settings: { owner_labels: many(21, (at) => `label-${at}`) } },
      { cluster_id: clusterId, settings: { node_pool_scaling: { work: 'sometimes' } } },
      { cluster_id: clusterId, settings: { margin: 1 } },
    ],
  },
  {
    name: 'CreatePriceOverrideBody',
    schema: CreatePriceOverrideBody,
    accepted: [
      { kind: 'discount', provider: 'aws', percent: 10 },
      { kind: 'discount', provider: 'aws', percent: '12.5', effective_from: '2026-01-01T00:00:00Z' },
      { kind: 'node_price', provider: 'aws', instance_type: 'm5.xlarge', usd_per_hour: 0 },
      { kind: 'node_price', instance_type: 'm5.xlarge', capacity_type: 'spot', os: 'windows', usd_per_hour: '0.1' },
      { kind: 'custom_rates', cluster_id: clusterId, usd_per_vcpu_month: 18, note: 'contract' },
    ],
    refused: [
      { provider: 'aws', percent: 10 },
      { kind: 'gift', percent: 10 },
      { kind: 'discount', percent: '' },
      { kind: 'discount', percent: text(65) },
      { kind: 'discount', percent: true },
      { kind: 'discount', percent: 10, cluster_id: 'prod' },
      { kind: 'node_price', capacity_type: 'reserved', usd_per_hour: 1 },
      { kind: 'node_price', os: 'plan9', usd_per_hour: 1 },
      { kind: 'discount', percent: 10, effective_from: '2026-01-01' },
      { kind: 'discount', percent: 10, note: ' contract' },
    ],
  },
  {
    name: 'PutTeamMappingBody',
    schema: PutTeamMappingBody,
    accepted: [
      { rules: [] },
      { rules: [{ team: 'shop' }] },
      { rules: [{ team: 'shop', namespace: 'shop-*' }] },
      { rules: [{ team: 'shop', label: { key: 'team' } }] },
      { rules: [{ team: 'shop', label: { key: 'team', value: '*' } }] },
      { rules: many(1000, (at) => ({ team: `team-${at}` })) },
    ],
    refused: [
      {},
      { rules: [{}] },
      { rules: [{ team: '' }] },
      { rules: [{ team: 'a,b' }] },
      { rules: [{ team: 'a=b' }] },
      { rules: [{ team: text(101) }] },
      { rules: [{ team: 'shop', namespace: '' }] },
      { rules: [{ team: 'shop', label: { value: 'shop' } }] },
      { rules: [{ team: 'shop', label: 'team' }] },
      { rules: many(1001, (at) => ({ team: `team-${at}` })) },
    ],
  },
  {
    name: 'SnoozeBody',
    schema: SnoozeBody,
    accepted: [
      { until: '2026-02-28T09:00:00Z' },
      { until: '2026-02-28T09:00:00+01:00', reason: 'after the release\nof March' },
      { until: '2026-02-28T09:00:00Z', reason: text(1000) },
    ],
    refused: [
      {},
      { until: 'March' },
      { until: '2026-02-28T09:00:00Z', reason: text(1001) },
      { until: '2026-02-28T09:00:00Z', reason: 'a\u202Eb' },
    ],
  },
  {
    name: 'BatchBody',
    schema: BatchBody,
    accepted: [
      { action: 'approve', ids: ['rec_1'] },
      { action: 'reject', ids: many(500, (at) => `rec_${at}`), reason: 'known peak', atomic: true },
    ],
    refused: [
      { action: 'approve', ids: [] },
      { action: 'approve', ids: [''] },
      { action: 'approve', ids: many(501, (at) => `rec_${at}`) },
      { action: 'delete', ids: ['rec_1'] },
      { ids: ['rec_1'] },
      { action: 'approve', ids: 'rec_1' },
    ],
  },
  {
    name: 'PutTeamBody',
    schema: PutTeamBody,
    accepted: [
      noTeam,
      { contact: 'Ada Lovelace', cost_center: 'CC-4711', channel_ids: [channelId] },
      { ...noTeam, contact: text(200) },
      { ...noTeam, cost_center: text(100) },
    ],
    refused: [
      {},
      { contact: null, cost_center: null },
      { contact: null, channel_ids: [] },
      { cost_center: null, channel_ids: [] },
      { ...noTeam, contact: '' },
      { ...noTeam, contact: text(201) },
      { ...noTeam, contact: 'Ada\u0000' },
      { ...noTeam, cost_center: '' },
      { ...noTeam, cost_center: text(101) },
      { ...noTeam, channel_ids: null },
      { ...noTeam, channel_ids: [''] },
      { ...noTeam, channel_ids: [channelId, channelId] },
      { ...noTeam, name: 'shop' },
    ],
  },
  {
    name: 'CreateBudgetBody',
    schema: CreateBudgetBody,
    accepted: [
      budget,
      { ...budget, growth_percent: -100 },
      { ...budget, growth_percent: 1000 },
      { ...budget, thresholds: { actual: [], forecast: false } },
      { ...budget, thresholds: { actual: [50, 80, 90, 100, 120], forecast: true } },
      { ...budget, parent_id: null },
      { ...budget, parent_id: 'bud_1' },
      { ...budget, reason: text(500) },
    ],
    refused: [
      {},
      { name: 'Shop', period: 'month' },
      { name: 'Shop', amount: 1000 },
      { period: 'month', amount: 1000 },
      { ...budget, name: '' },
      { ...budget, period: 'hourly' },
      { ...budget, amount: -1 },
      { ...budget, amount: '1000' },
      { ...budget, growth_percent: -101 },
      { ...budget, growth_percent: 1001 },
      { ...budget, thresholds: { actual: [0], forecast: true } },
      { ...budget, thresholds: { actual: [80, 80], forecast: true } },
      { ...budget, thresholds: { actual: [1, 2, 3, 4, 5, 6], forecast: true } },
      { ...budget, thresholds: { actual: [80] } },
      { ...budget, parent_id: 'shop' },
      { ...budget, reason: text(501) },
    ],
  },
  {
    name: 'UpdateBudgetBody',
    schema: UpdateBudgetBody,
    accepted: [{ name: 'Shop' }, { amount: 1 }, { thresholds: { actual: [80], forecast: true } }],
    refused: [{}, { name: '' }, { amount: null }, { growth_percent: 'much' }, { parent_id: 7 }],
  },
]

describe.each(bodies)('$name', ({ schema, accepted, refused }) => {
  test.each(accepted.map((body) => [short(body), body]))('accepts %s', (_name, body) => {
    expect(Value.Check(schema, body)).toBe(true)
  })

  test.each(refused.map((body) => [short(body), body]))('rejects %s', (_name, body) => {
    expect(Value.Check(schema, body)).toBe(false)
  })

  test('rejects null, a list and an unknown field', () => {
    for (const body of [null, [], { ...(accepted[0] as object), unknown_field: 1 }]) {
      expect(Value.Check(schema, body)).toBe(false)
    }
  })
})

function short(body: unknown): string {
  const written = JSON.stringify(body)
  return written.length > 90 ? `${written.slice(0, 90)}… (${written.length})` : written
}
