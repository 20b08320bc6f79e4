import { count } from '@plimsoll/engine'
import type { Message } from '@plimsoll/engine/messages'

export type LostChange = {
  recommendationId: string
  title: string
  state: 'reverted' | 'regressed'
  usdPerMonth: number
}

type Cluster = { clusterId: string; name: string }

const stateLabels = { reverted: 'Reverted', regressed: 'Regressed' }

/** One message for all changes that an analysis found reverted or regressed: one deployment may revert many. */
export function revertedMessage({ clusterId, name }: Cluster, changes: readonly LostChange[], at: Date): Message {
  const [first] = changes
  const usdPerMonth = changes.reduce((sum, change) => sum + change.usdPerMonth, 0)
  const isOne = changes.length === 1 && first !== undefined
  return {
    event: 'saving_reverted',
    severity: 'warning',
    title: isOne
      ? `${stateLabels[first.state]} in cluster ${name}: ${first.title}`
      : `${count(changes.length, 'change')} reverted or regressed in cluster ${name}`,
    facts: [
      { label: 'Cluster', value: name },
      ...changes.map(({ state, title }) => ({ label: stateLabels[state], value: title })),
    ],
    money: { label: 'Estimated savings', amount: usdPerMonth, currency: 'USD', per: 'month' },
    links: [
      isOne
        ? { label: 'Open the recommendation', url: `/recommendations/${first.recommendationId}` }
        : { label: 'Open the savings history', url: '/savings' },
    ],
    dedupKey: `saving_reverted:${clusterId}:${at.toISOString()}`,
    startedAt: at.toISOString(),
    endedAt: null,
  }
}
