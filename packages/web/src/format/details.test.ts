import { expect, test } from 'vitest'
import { detailWords } from './details.ts'

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
  ['taken_out_of_roles', [], ['taken out of roles', 'none']],
])('%s is shown as readable text', (name, value, expected) => {
  expect(detailWords(name, value, names)).toEqual(expected)
})
