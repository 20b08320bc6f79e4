import { groupBy } from '@plimsoll/engine'
import { podRequest } from '@plimsoll/engine/allocation'
import { findStaticObstacle, type PackingCluster, type PackingPod } from '@plimsoll/engine/packing'
import { engineShape } from '../fold/request-of.ts'
import type { WorkloadEstimate } from './estimate-workload.ts'

/** More pods would take too long to place. */
const PODS_MAX = 20_000

export type ChangedCluster = { kind: 'changed'; cluster: PackingCluster } | { kind: 'too_many_pods'; pods: number }

/** The cluster with the pods that the changed workloads will have. Kept pods keep their node, added pods have none. */
export function changedCluster(cluster: PackingCluster, estimates: readonly WorkloadEstimate[]): ChangedCluster {
  const byWorkload = groupBy(cluster.pods, ({ workload }) => workload)
  const pods = estimates.reduce((sum, { target }) => sum + (target?.replicas ?? 0), 0)
  if (pods > PODS_MAX) return { kind: 'too_many_pods', pods }
  const changed = new Set(estimates.map(({ path }) => path))
  const added = estimates.flatMap((estimate) => podsAfter(estimate, byWorkload.get(estimate.path) ?? [], cluster))
  return {
    kind: 'changed',
    cluster: { ...cluster, pods: [...cluster.pods.filter(({ workload }) => !changed.has(workload)), ...added] },
  }
}

function podsAfter(estimate: WorkloadEstimate, pods: readonly PackingPod[], cluster: PackingCluster): PackingPod[] {
  const { target } = estimate
  if (!target) return []
  const like = pods[0] ?? podLike(estimate)
  const resized = resizer(estimate, like)
  const running = pods.filter(({ isAbsent }) => isAbsent !== true)
  if (target.source === 'nodes') {
    return (running.length > 0 ? running : onEachNode(like, cluster)).map(resized)
  }
  // Pods of busier times, which an autoscaler will add again.
  if (target.source === 'autoscaler') return pods.map(resized)
  const count = target.replicas ?? running.length
  const { node: _node, isAbsent: _absent, ...loose } = like
  const missing = Math.max(0, count - running.length)
  const more = Array.from({ length: missing }, (_, index) => ({
    ...loose,
    uid: `${loose.workload} added ${index + 1}`,
    volumes: [],
  }))
  return [...kept(running, count), ...more].map(resized)
}

/** A controller removes pods from nodes with several of its pods first. */
function kept(pods: readonly PackingPod[], count: number): PackingPod[] {
  const ranked = [...groupBy(pods, ({ node }) => node).values()].flatMap((own) =>
    own.map((pod, rank) => ({ pod, rank })),
  )
  const rankOf = ({ pod, rank }: (typeof ranked)[number]) => (pod.node === undefined ? Infinity : rank)
  return ranked
    .sort((a, b) => rankOf(a) - rankOf(b))
    .slice(0, count)
    .map(({ pod }) => pod)
}

/** Of a new workload: its constraints are not part of the request. */
function podLike({ path, shown, target }: WorkloadEstimate): PackingPod {
  const { namespace, name, kind } = shown
  return {
    uid: `${path} added`,
    ...{ namespace, name, workload: path },
    owner: kind === 'DaemonSet' ? 'daemonset' : kind === 'Pod' ? 'none' : 'controller',
    shape: target ? engineShape(target.shape, undefined) : { containers: [] },
    labels: {},
  }
}

const onEachNode = (like: PackingPod, { nodes }: PackingCluster): PackingPod[] =>
  nodes
    .filter((node) => findStaticObstacle(like.constraints ?? {}, node) === undefined)
    .map(({ name }) => ({ ...like, uid: `${like.uid} on ${name}`, node: name }))

/** Pods of equal size keep their shape, so that the simulation sees that they do not change. */
function resizer({ target }: WorkloadEstimate, like: PackingPod): (pod: PackingPod) => PackingPod {
  if (!target) return (pod) => pod
  const shape = engineShape(target.shape, undefined)
  const { extended_requests: extended, ephemeral_request: ephemeral } = target.shape.scheduling ?? {}
  const size = JSON.stringify([podRequest(shape), extended, ephemeral])
  if (size === JSON.stringify([podRequest(like.shape), like.extended, like.ephemeral])) return (pod) => pod
  return ({ extended: _extended, ephemeral: _ephemeral, ...pod }) => ({
    ...pod,
    shape,
    ...(extended ? { extended } : {}),
    ...(ephemeral === undefined ? {} : { ephemeral }),
  })
}
