import { describeBytes, describeMillicores } from '@plimsoll/engine'

export type PodRequests = { cpuMillicores: number; memoryMib: number }

/** A workload in one of two spans: the mean of its pods and of their requests, and both in its last hour. */
export type WorkloadThen = PodRequests & { pods: number; inTheEnd: PodRequests | null }

/** Below it a difference is noise: a rollout runs two pods for a minute. */
const noise = 0.02

/** The cause of a cost change: the first of these that changed. */
export function moverCause(before: WorkloadThen, now: WorkloadThen): string {
  if (before.pods === 0) return 'New since last week'
  if (now.pods === 0) return 'Removed since last week'
  if (differs(before.pods, now.pods)) {
    const [from, to] = [short(before.pods), short(now.pods)]
    if (from !== to) return `Mean replicas ${from} → ${to}`
    return now.pods > before.pods ? 'Pods ran for more hours' : 'Pods ran for fewer hours'
  }
  if (differs(before.cpuMillicores, now.cpuMillicores)) {
    return `CPU request per pod ${changed(before, now, ({ cpuMillicores }) => describeMillicores(cpuMillicores))}`
  }
  if (differs(before.memoryMib, now.memoryMib)) {
    return `Memory request per pod ${changed(before, now, ({ memoryMib }) => describeBytes(memoryMib * 1024 ** 2))}`
  }
  return 'Usage above requests or node prices changed'
}

/** The requests of the last hour, as in manifests; the means only if those alone differ. */
function changed(before: WorkloadThen, now: WorkloadThen, words: (requests: PodRequests) => string): string {
  const [from, to] = [words(before.inTheEnd ?? before), words(now.inTheEnd ?? now)]
  return from === to ? `${words(before)} → ${words(now)}` : `${from} → ${to}`
}

/** The same for unallocated capacity. */
export function idleCause(nodesBefore: number, nodesNow: number): string {
  return differs(nodesBefore, nodesNow)
    ? `Nodes ${short(nodesBefore)} → ${short(nodesNow)}`
    : 'Requests changed; same number of nodes'
}

function differs(before: number, now: number): boolean {
  return Math.abs(now - before) > noise * Math.max(before, now)
}

const short = (value: number) => String(Number(value.toFixed(value < 10 ? 1 : 0)))
