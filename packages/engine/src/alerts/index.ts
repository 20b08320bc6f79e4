export { advanceAlert, type AlertLife, type AlertTiming } from './alert-state.ts'
export { COLLECT_MS, planNotices, type HoldReason } from './plan-notices.ts'
export type { QuietTime } from './quiet-time.ts'
