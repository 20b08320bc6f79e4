import type { ClusterNode } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { isBlockedNode, isRemovable } from './verdicts.ts'

const node = (code: string, savings: number, ended: string | null = null) => ({
  ended_at: ended,
  why_still_here: { code, message: '', pods_fit_elsewhere: true, savings } as ClusterNode['why_still_here'],
})

test('a node whose pods fit elsewhere is removable', () => {
  expect(isRemovable(node('can_go', 94))).toBe(true)
  expect(isRemovable(node('nobody_scales_the_pool', 94))).toBe(true)
  expect(isRemovable(node('can_go', 94, '2026-11-01T00:00:00Z'))).toBe(false)
})

test('a node with a blocker is blocked, not removable', () => {
  expect(isRemovable(node('disruption_budget', 94))).toBe(false)
  expect(isBlockedNode(node('disruption_budget', 94))).toBe(true)
  expect(isBlockedNode(node('disruption_budget', 0))).toBe(false)
  expect(isBlockedNode(node('can_go', 94))).toBe(false)
})
