import { BatchWriter, usageBucketOf, type Batch, type UsageFigures, type UsageHour } from '@plimsoll/contract'
import { agent, nodeVersion, podVersion, startHour, type WorldNode, type WorldPod } from '@plimsoll/pipeline/testing'

/** Before any hour that backfill accepts. */
const longAgo = (startHour - 60 * 24) * 3600

/** An m5.xlarge in Frankfurt, $0.23 per hour. */
const node: WorldNode = { uid: 'old-node', bornAt: longAgo, endedAt: Infinity }

const pod: WorldPod = {
  uid: 'old-pod',
  node: 0,
  boundAt: longAgo,
  endedAt: Infinity,
  containers: [{ name: 'c0', millicores: 1000, kib: 4 * 1024 * 1024 }],
  resize: undefined,
  useSeed: 1,
  namespace: 'past',
  workload: 'web',
}

export type HistoryToSend = {
  hours: readonly number[]
  /** Tenths of a millicore. */
  cpu?: number
  parts?: 'all' | 'usage' | 'nodes'
}

/** One node with one pod, in these hours. */
export function sentHistory({ hours, cpu = 5000, parts = 'all' }: HistoryToSend): Batch {
  const writer = new BatchWriter()
  if (parts !== 'usage') {
    writer.addNode(nodeVersion(node, 1))
    writer.addPod(podVersion(pod, 2, 1, pod.boundAt))
    const sample = { podRef: 2, container: 0, cpuMeanTenths: cpu, memoryMeanKib: 1024 * 1024 }
    for (const hour of hours) writer.addHour(1, hour, [sample])
  }
  if (parts !== 'nodes') for (const hour of hours) writer.addUsage(usageHour(hour, cpu))
  return writer.finish(agent, (Math.max(...hours) + 1) * 3600)
}

function usageHour(hour: number, cpu: number): UsageHour {
  const figures = (value: number): UsageFigures => ({
    mean: value,
    hottest: value,
    max: 2 * value,
    buckets: [usageBucketOf(value), usageBucketOf(2 * value)],
    podMinutes: [59, 1],
  })
  return {
    namespace: 'past',
    workloadKind: 'Deployment',
    workloadName: 'web',
    container: 'c0',
    hour,
    podSeconds: 3600,
    oomKills: 0,
    restarts: 0,
    throttling: { periods: 36_000, throttledPeriods: 9000 },
    cpu: figures(cpu),
    memory: figures(1024 * 1024),
  }
}
