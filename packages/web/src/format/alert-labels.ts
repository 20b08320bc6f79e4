import type { AlertRule, AlertRuleName, DeliveryError, UnsentReason } from '@plimsoll/contract'
import { exactDollars } from './money.ts'

type RuleLabel = { word: string; firesWhen: string }

/** The type requires an entry for every rule of the contract. */
export const ruleLabels: Record<AlertRuleName, RuleLabel> = {
  budget_actual: { word: 'Budget, actual', firesWhen: 'Actual cost reaches a share of the amount' },
  budget_forecast: { word: 'Budget, forecast', firesWhen: 'Low end of the 80 % range is above the amount' },
  cost_above_expected: {
    word: 'Cost above expected',
    firesWhen: 'The cost of 24 h exceeds the forecast by more than the threshold',
  },
  idle_above: { word: 'Idle cost', firesWhen: 'Unallocated share over 7 days, and cost a month' },
  cluster_silent: { word: 'Cluster silent', firesWhen: 'The agent sends no data for 30 minutes' },
  unpriced_share: { word: 'Not priced', firesWhen: 'Share of node time without a price' },
  usage_unknown: { word: 'Usage coverage', firesWhen: 'Usage coverage of a cluster is low' },
  savings_waiting: { word: 'Savings waiting', firesWhen: 'Bankable savings stay open' },
  saving_reverted: { word: 'Saving reverted', firesWhen: 'An applied saving is Reverted or Regressed' },
  namespace_unowned: { word: 'Namespace without team', firesWhen: 'Cost a month of a namespace without a team' },
  price_changed: { word: 'Price changed', firesWhen: 'A price list or override changes the run rate of a cluster' },
  channel_failing: { word: 'Channel failing', firesWhen: 'A message could not be delivered after ten tries' },
  key_owner_absent: { word: 'API token owner absent', firesWhen: 'A user who has not signed in holds API tokens' },
}

export const unsentLabels: Record<UnsentReason, string> = {
  accepted: 'Not sent: accepted',
  acknowledged: 'Not sent: acknowledged',
  channel_disabled: 'Not sent: channel disabled',
  collecting: 'Waits 5 min for other alerts',
  ended: 'Not sent: resolved before',
  grouped: 'Waits: one message an hour',
  joined: 'Not sent: part of another message',
  no_channel: 'Not sent: no channel',
  quiet_hours: 'Waits for the end of quiet hours',
  shift: 'Not sent: idle capacity is used',
  snoozed: 'Waits for the end of the snooze',
}

export const deliveryErrorLabels: Record<DeliveryError, string> = {
  address_refused: 'Address refused',
  channel_disabled: 'Channel disabled',
  connection: 'No connection',
  dns: 'Name not found',
  internal: 'Error in the server',
  not_configured: 'No mail server is set',
  redirect: 'Redirected',
  rejected: 'Rejected by the mail server',
  status: 'Unexpected status',
  timeout: 'No answer in 15 s',
  tls: 'TLS certificate not valid',
}

type Threshold = AlertRule['thresholds'][number]

const units: Record<Threshold['unit'], string> = {
  percent: '%',
  usd_per_month: '$/month',
  days: 'days',
  alerts_per_month: 'alerts a month',
}

export const unitOf = ({ unit }: Threshold) => units[unit]

const names: Readonly<Record<string, string>> = {
  idle_percent: 'Idle share',
  idle_usd_per_month: 'Idle cost',
  unpriced_percent: 'Share without a price',
  coverage_percent: 'Usage coverage',
  bankable_usd_per_month: 'Bankable savings',
  open_days: 'Open for',
  unowned_usd_per_month: 'Cost',
  changed_percent: 'Change of the run rate',
  absent_days: 'Not seen for',
  alerts_per_month: 'About',
}

export const thresholdName = ({ name }: Threshold) => names[name] ?? name

/** `1440` → `24 h`. */
export function minutesText(minutes: number): string {
  if (minutes === 0) return '0 min'
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

export const moneyText = ({ amount, per }: { amount: number; per: string | null }) =>
  `${exactDollars(amount)}${per === null ? '' : `/${per}`}`
