import type { Message } from '@plimsoll/engine/messages'

export type Silence = { clusterId: string; name: string; since: Date; endedAt: Date | null }

/** The agent of a cluster has sent nothing for the time after which a cluster is disconnected. */
export const silentMessage = ({ clusterId, name, since, endedAt }: Silence): Message => ({
  event: 'cluster_silent',
  severity: 'critical',
  title: `No data from cluster ${name}`,
  facts: [
    { label: 'Cluster', value: name },
    { label: 'Last data', value: `${since.toISOString().slice(0, 16).replace('T', ' ')} UTC` },
  ],
  money: null,
  links: [{ label: 'Open the cluster', url: `/clusters/${clusterId}` }],
  dedupKey: `cluster_silent:${clusterId}:${since.toISOString()}`,
  startedAt: since.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
})
