import { expect, test } from 'vitest'
import { detailWords } from './details.ts'

const nameOf = (id: string) => (id === 'cls_1' ? 'production' : '')

test.each([
  ['cluster_id', 'cls_1', ['cluster', 'production']],
  ['cluster_id', 'cls_gone', ['cluster', 'cls_gone']],
  ['rule_id', 'container_overprovisioned', ['rule', 'Container overprovisioned']],
  ['reason', 'Agreed.', ['reason', 'Agreed.']],
  ['settings_before', { dial: 'safe', floor: null }, ['settings before', 'dial safe, floor none']],
  ['scopes', ['clusters:read', 'reports:read'], ['permissions', 'clusters:read, reports:read']],
  ['scopes', null, ['permissions', 'same as its owner']],
  ['expires_at', null, ['expires', 'never']],
  ['disabled', false, ['disabled', 'no']],
  ['taken_out_of_roles', [], ['taken out of roles', 'none']],
])('%s reads as people know it', (name, value, expected) => {
  expect(detailWords(name, value, nameOf)).toEqual(expected)
})
