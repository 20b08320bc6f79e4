export type { AlertCondition } from './condition.ts'
export { evaluateRule } from './evaluate-rule.ts'
export { loadThresholds } from './queries/alert-rules.ts'
export { listDueNotices } from './queries/notices.ts'
