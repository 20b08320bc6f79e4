import type { AlertCondition } from '../alerts/index.ts'

export type SilentCluster = { clusterId: string; name: string; lastSeenAt: Date }

/** The agent of a cluster has sent nothing for the time after which a cluster is disconnected. */
export const silentCondition = ({ clusterId, name, lastSeenAt }: SilentCluster): AlertCondition => ({
  entity: clusterId,
  isTrue: true,
  clusterId,
  namespace: null,
  content: {
    severity: 'critical',
    title: `Cluster ${name} sends no data`,
    facts: [
      { label: 'Cluster', value: name },
      { label: 'Last data', value: `${lastSeenAt.toISOString().slice(0, 16).replace('T', ' ')} UTC` },
    ],
    money: null,
    links: [{ label: 'Open the cluster', url: `/clusters/${clusterId}` }],
  },
})
