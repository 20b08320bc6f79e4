import type { AlertRule, AlertRuleName, DeliveryError, UnsentReason } from '@plimsoll/contract'
import { exactDollars } from './money.ts'

type RuleLabel = { word: string; firesWhen: string }

/** The type requires an entry for every rule of the contract. */
export const ruleLabels: Record<AlertRuleName, RuleLabel> = {
  budget_actual: { word: 'Budget, actual', firesWhen: 'The cost reaches a threshold of the budget' },
  budget_forecast: {
    word: 'Budget, forecast',
    firesWhen: 'The low end of the 80 % forecast range is above the budget',
  },
  cost_above_expected: {
    word: 'Cost above expected',
    firesWhen: 'The cost of the last 24 hours exceeds the forecast by more than the threshold',
  },
  idle_above: {
    word: 'Unallocated cost',
    firesWhen: 'Unallocated share and cost of the last 7 days are above the thresholds',
  },
  cluster_silent: { word: 'Agent not reporting', firesWhen: 'The agent sends no data for 30 minutes' },
  unpriced_share: {
    word: 'Nodes not priced',
    firesWhen: 'The share of node time without a price is above the threshold',
  },
  usage_unknown: { word: 'Usage coverage', firesWhen: 'Usage coverage of a cluster is below the threshold' },
  savings_waiting: { word: 'Open savings', firesWhen: 'Bankable savings are open for longer than the threshold' },
  saving_reverted: { word: 'Change reverted', firesWhen: 'An applied change is reverted or regressed' },
  namespace_unowned: {
    word: 'Namespace without team',
    firesWhen: 'A namespace without a team costs more than the threshold',
  },
  price_changed: { word: 'Price changed', firesWhen: 'A price list or override changes the run rate of a cluster' },
  channel_failing: { word: 'Channel failing', firesWhen: 'A message could not be delivered after ten tries' },
  key_owner_absent: {
    word: 'Inactive API token owner',
    firesWhen: 'The owner of an API token has not signed in for longer than the threshold',
  },
}

export const unsentLabels: Record<UnsentReason, string> = {
  accepted: 'Not sent: accepted',
  acknowledged: 'Not sent: acknowledged',
  channel_disabled: 'Not sent: channel disabled',
  collecting: 'Waiting 5 min for other alerts',
  ended: 'Not sent: resolved first',
  grouped: 'Waiting: at most one message per hour',
  joined: 'Not sent: included in another message',
  no_channel: 'Not sent: no channel',
  quiet_hours: 'Waiting for the end of quiet hours',
  shift: 'Not sent: the bill does not rise',
  snoozed: 'Snoozed',
}

export const deliveryErrorLabels: Record<DeliveryError, string> = {
  address_refused: 'Address refused',
  channel_disabled: 'Channel disabled',
  connection: 'Connection failed',
  dns: 'Host name not found',
  internal: 'Plimsoll error, see its log',
  not_configured: 'No mail server configured',
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
  alerts_per_month: 'alerts per month',
}

export const unitOf = ({ unit }: Threshold) => units[unit]

const names: Readonly<Record<string, string>> = {
  idle_percent: 'Unallocated share',
  idle_usd_per_month: 'Unallocated cost',
  unpriced_percent: 'Share without a price',
  coverage_percent: 'Usage coverage',
  bankable_usd_per_month: 'Bankable savings',
  open_days: 'Days open',
  unowned_usd_per_month: 'Cost',
  changed_percent: 'Change of the run rate',
  absent_days: 'Days without sign-in',
  alerts_per_month: 'Target number of alerts',
}

export const thresholdName = ({ name }: Threshold) => names[name] ?? name

/** `1440` → `24 h`. */
export function minutesText(minutes: number): string {
  if (minutes === 0) return '0 min'
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

export const moneyText = ({ amount, per }: { amount: number; per: string | null }) =>
  `${exactDollars(amount)}${per === null ? '' : `/${per}`}`
