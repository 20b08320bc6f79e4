import { count, groupBy } from '@plimsoll/engine'
import type { AlertCondition } from '../alerts/index.ts'

export type LostChange = {
  recommendationId: string
  namespace: string
  title: string
  state: 'reverted' | 'regressed'
  usdPerMonth: number
}

type Cluster = { clusterId: string; name: string }

const stateLabels = { reverted: 'Reverted', regressed: 'Regressed' }

/** One alert for all changes of a namespace that an analysis found: one deployment may revert many. */
export const revertedConditions = (cluster: Cluster, changes: readonly LostChange[], at: Date): AlertCondition[] =>
  [...groupBy(changes, ({ namespace }) => namespace)].map(([namespace, lost]) =>
    revertedCondition(cluster, { namespace, lost }, at),
  )

function revertedCondition(
  { clusterId, name }: Cluster,
  { namespace, lost }: { namespace: string; lost: readonly LostChange[] },
  at: Date,
): AlertCondition {
  const [first] = lost
  const isOne = lost.length === 1 && first !== undefined
  const place = namespace === '' ? `cluster ${name}` : `namespace ${namespace} of cluster ${name}`
  return {
    entity: `${clusterId}/${namespace}`,
    period: at.toISOString(),
    isTrue: true,
    clusterId,
    namespace: namespace === '' ? null : namespace,
    content: {
      severity: 'warning',
      title: isOne
        ? `${first.title} (cluster ${name}): ${stateLabels[first.state].toLowerCase()}`
        : `${count(lost.length, 'change')} reverted or regressed in ${place}`,
      facts: [
        { label: 'Cluster', value: name },
        ...lost.map(({ state, title }) => ({ label: stateLabels[state], value: title })),
      ],
      money: {
        label: 'Estimated savings',
        amount: lost.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0),
        currency: 'USD',
        per: 'month',
      },
      links: [
        isOne
          ? { label: 'Open the recommendation', url: `/recommendations/${first.recommendationId}` }
          : { label: 'Open the savings history', url: '/savings' },
      ],
    },
  }
}
