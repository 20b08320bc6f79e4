/**
 * What the past says about one container is too little for a number, so people see a class: how much of the last 14 days would
 * have been short.
 */
export type RiskClass = 'low' | 'medium' | 'high'

const LOW_SHARE_MAX = 0.01
const MEDIUM_SHARE_MAX = 0.05

export function riskClass(shortShare: number): RiskClass {
  if (shortShare <= LOW_SHARE_MAX) return 'low'
  return shortShare <= MEDIUM_SHARE_MAX ? 'medium' : 'high'
}
