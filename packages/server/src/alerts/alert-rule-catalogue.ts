import type { AlertRule, AlertRuleName } from '@plimsoll/contract'
import type { AlertTiming } from '@plimsoll/engine/alerts'

type Threshold = Pick<AlertRule['thresholds'][number], 'default' | 'minimum' | 'maximum' | 'unit'>

export type RuleDefinition = AlertTiming & {
  thresholds: Readonly<Record<string, Threshold>>
  /** Sent immediately, even in quiet hours. */
  isUrgent: boolean
  /** An alert that was resolved does not fire again for the same identity. */
  isOnce?: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const percent = (value: number): Threshold => ({ default: value, minimum: 0, maximum: 1_000, unit: 'percent' })
const usdPerMonth = (value: number): Threshold => ({ default: value, minimum: 0, maximum: 1e12, unit: 'usd_per_month' })
const days = (value: number): Threshold => ({ default: value, minimum: 1, maximum: 365, unit: 'days' })

const slow = { forMs: 24 * hourMs, holdMs: 24 * hourMs, isUrgent: false }
const cost = { forMs: 0, holdMs: 24 * hourMs, isUrgent: false }

/** Every alert rule, in the order of the settings page. */
export const ruleCatalogue: Readonly<Record<AlertRuleName, RuleDefinition>> = {
  // The evaluation of budgets decides per threshold whether the alert is urgent.
  budget_actual: { ...cost, thresholds: {}, isOnce: true },
  budget_forecast: { ...cost, thresholds: {}, isOnce: true },
  // The incident ends after 24 hours under half the threshold, so there is no second hold.
  cost_above_expected: {
    ...cost,
    holdMs: 0,
    thresholds: {
      alerts_per_month: { default: 4, minimum: 1, maximum: 100, unit: 'alerts_per_month' },
    },
  },
  idle_above: { ...slow, thresholds: { idle_percent: percent(40), idle_usd_per_month: usdPerMonth(500) } },
  // The condition itself is 30 minutes without data.
  cluster_silent: { forMs: 0, holdMs: 15 * minuteMs, isUrgent: true, thresholds: {} },
  unpriced_share: { ...slow, thresholds: { unpriced_percent: percent(2) } },
  usage_unknown: { ...slow, thresholds: { coverage_percent: percent(50) } },
  savings_waiting: { ...slow, forMs: 0, thresholds: { bankable_usd_per_month: usdPerMonth(500), open_days: days(14) } },
  saving_reverted: { ...slow, forMs: 0, holdMs: 0, thresholds: {} },
  namespace_unowned: { ...slow, thresholds: { unowned_usd_per_month: usdPerMonth(100) } },
  price_changed: { ...slow, forMs: 0, holdMs: 0, thresholds: { changed_percent: percent(1) } },
  channel_failing: { ...slow, forMs: 0, holdMs: 0, thresholds: {} },
  key_owner_absent: { ...slow, forMs: 0, holdMs: 0, thresholds: { absent_days: days(30) } },
}
