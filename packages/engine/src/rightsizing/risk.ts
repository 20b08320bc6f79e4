import type { Level } from '../vocabulary/recommendations.ts'

/**
 * The history of one container is too short for a number, so users see a class: the share of the last 14 days that
 * would have been short.
 */
export type RiskClass = Level

const LOW_SHARE_MAX = 0.01
const MEDIUM_SHARE_MAX = 0.05

export function riskClass(shortShare: number): RiskClass {
  if (shortShare <= LOW_SHARE_MAX) return 'low'
  return shortShare <= MEDIUM_SHARE_MAX ? 'medium' : 'high'
}
