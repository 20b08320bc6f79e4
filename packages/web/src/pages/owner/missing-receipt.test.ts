import { expect, test } from 'vitest'
import { missingReceipt } from './missing-receipt.ts'

const reader = { permissions: ['reports:read', 'clusters:read'], teams: null }
const workload = { kind: 'workloads', name: 'shop/Deployment/web' } as const

test.each([
  { name: 'a reader of one cluster', owner: workload, ids: ['cls_1'], me: reader, expected: null },
  { name: 'two clusters', owner: workload, ids: ['cls_1', 'cls_2'], me: reader, expected: /Select a cluster/ },
  {
    name: 'a node',
    owner: { kind: 'nodes', name: 'node-0' } as const,
    ids: ['cls_1'],
    me: reader,
    expected: /workloads/,
  },
  {
    name: 'a role without clusters:read',
    owner: workload,
    ids: ['cls_1'],
    me: { permissions: ['reports:read'], teams: null },
    expected: /role/,
  },
  {
    name: 'a role limited to teams',
    owner: workload,
    ids: ['cls_1'],
    me: { ...reader, teams: ['blue'] },
    expected: /role/,
  },
])('the receipt of $name', ({ owner, ids, me, expected }) => {
  const missing = missingReceipt(owner, ids, me)
  if (expected === null) expect(missing).toBeNull()
  else expect(missing).toMatch(expected)
})
