export const alertRuleNames = [
  'budget_actual',
  'budget_forecast',
  'cost_above_expected',
  'idle_above',
  'cluster_silent',
  'unpriced_share',
  'usage_unknown',
  'savings_waiting',
  'saving_reverted',
  'namespace_unowned',
  'price_changed',
  'channel_failing',
  'key_owner_absent',
] as const
export type AlertRuleName = (typeof alertRuleNames)[number]
