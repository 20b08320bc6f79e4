import { expect, test } from 'vitest'
import { detailLines, detailWords } from './details.ts'

const names = {
  clusterName: (id: string) => (id === 'cls_1' ? 'production' : ''),
  ruleShortName: (id: string) => (id === 'container_overprovisioned' ? 'Over-provisioned' : undefined),
}

test.each([
  ['cluster_id', 'cls_1', ['cluster', 'production']],
  ['cluster_id', 'cls_gone', ['cluster', 'cls_gone']],
  ['rule_id', 'container_overprovisioned', ['rule', 'Over-provisioned']],
  ['rule_id', 'gone_rule', ['rule', 'Gone rule']],
  ['reason', 'Agreed.', ['reason', 'Agreed.']],
  ['settings_before', { dial: 'safe', floor: null }, ['settings before', 'dial safe, floor none']],
  ['scopes', ['clusters:read', 'reports:read'], ['permissions', 'clusters:read, reports:read']],
  ['scopes', null, ['permissions', 'same as its owner']],
  ['expires_at', null, ['expires', 'never']],
  ['disabled', false, ['disabled', 'no']],
  ['taken_out_of_roles', [], ['removed from roles', 'none']],
  ['events', ['cost_above_expected'], ['events', 'cost above expected']],
  ['team', 'data_platform', ['team', 'data_platform']],
  ['clusters', null, ['clusters', 'all']],
  ['job_id', 'job_7', ['job', 'job_7']],
  ['growth_percent', 3, ['growth', '3 %']],
  ['scope', { clusters: ['cls_1'], namespaces: ['shop'] }, ['scope', 'clusters production, namespaces shop']],
])('%s is shown as readable text', (name, value, expected) => {
  expect(detailWords(name, value, names)).toEqual(expected)
})

test('a time has its time zone', () => {
  expect(detailWords('created_at', '2026-11-01T10:00:00.000Z', names)[1]).toMatch(/^1 Nov.*, \d\d:\d\d \S+/)
})

test('a change shows each changed field before and after, without JSON', () => {
  const detail = {
    email: 'ada@example.com',
    before: { amount: 200, cost_center: null, thresholds: [{ kind: 'budget_actual', percent: 80 }] },
    after: { amount: 250.5, cost_center: 'CC-7', thresholds: [] },
  }
  expect(detailLines(detail, names)).toEqual([
    ['email', 'ada@example.com'],
    ['amount', '200 → 250.5'],
    ['cost center', 'none → CC-7'],
    ['thresholds', 'kind budget actual, percent 80 → none'],
  ])
})

test('the version of a loaded price list stays one value', () => {
  expect(detailLines({ after: '2026-10-01' }, names)).toEqual([['after', '2026-10-01']])
})
