import { count } from '@plimsoll/engine'
import type { AlertCondition } from '../alerts/index.ts'
import type { AbsentOwner, FailingChannel, WaitingSavings } from './queries/installation-figures.ts'

export const savingsCondition = (
  { clusterId, name, count: open, usdPerMonth }: WaitingSavings,
  { bankable_usd_per_month: usdMin, open_days: days }: { bankable_usd_per_month: number; open_days: number },
): AlertCondition => ({
  entity: clusterId,
  isTrue: usdPerMonth > usdMin,
  clusterId,
  namespace: null,
  content: {
    severity: 'info',
    title: `Bankable savings in cluster ${name} have been open for at least ${count(days, 'day')}`,
    facts: [
      { label: 'Cluster', value: name },
      { label: 'Recommendations', value: String(open) },
    ],
    money: { label: 'Bankable savings', amount: usdPerMonth, currency: 'USD', per: 'month' },
    links: [{ label: 'Open the recommendations', url: '/recommendations' }],
  },
})

export const failingCondition = ({ channelId, name, dead }: FailingChannel): AlertCondition => ({
  entity: channelId,
  isTrue: true,
  clusterId: null,
  namespace: null,
  content: {
    severity: 'warning',
    title: `Channel ${name} does not deliver messages`,
    facts: [{ label: 'Messages not delivered', value: String(dead) }],
    money: null,
    links: [{ label: 'Open the channels', url: '/settings/alerts' }],
  },
})

export const absentCondition = ({ userId, email, keys, lastSeenAt }: AbsentOwner): AlertCondition => ({
  entity: userId,
  isTrue: true,
  clusterId: null,
  namespace: null,
  content: {
    severity: 'warning',
    title: `${email} has ${count(keys, 'API token')} and has not signed in since ${lastSeenAt.toISOString().slice(0, 10)}`,
    facts: [{ label: 'API tokens', value: String(keys) }],
    money: null,
    links: [{ label: 'Open the users', url: '/settings/users' }],
  },
})
