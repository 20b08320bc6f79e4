import {
  describeBlocker,
  type JointOutcome,
  type KeptNode,
  type PackingPod,
  type Proposal,
} from '@plimsoll/engine/packing'

export const blockersShown = 20

/** The nodes that run a pod which one of the proposals would change. */
export function nodesOf(proposals: readonly Proposal[], pods: readonly PackingPod[]): Set<string> {
  const changes = proposals.flatMap((proposal) => proposal.changes)
  const workloads = new Set(changes.flatMap((change) => (change.kind === 'resize' ? [change.workload] : [])))
  const removed = new Set(changes.flatMap((change) => (change.kind === 'remove' ? change.pods : [])))
  const concerned = pods.filter(({ uid, workload }) => workloads.has(workload) || removed.has(uid))
  return new Set(concerned.flatMap(({ node }) => node ?? []))
}

export type AskedNodes = {
  /** Nodes that run a changed pod, or that a proposal names. */
  concerned: ReadonlySet<string>
  /** Nodes whose blocker a proposal lifts. */
  lifted: ReadonlySet<string>
}

/**
 * Blockers of the concerned nodes, each reason once. First come nodes that stay although a proposal lifts a blocker,
 * then nodes whose pods fit elsewhere, then the rest.
 */
export function blockersOf(
  { kept, byHand }: Pick<JointOutcome, 'kept' | 'byHand'>,
  { concerned, lifted }: AskedNodes,
): string[] {
  const isConcerned = ({ node }: { node: string }) => concerned.has(node) || lifted.has(node)
  const rankOf = ({ node, podsFitElsewhere }: KeptNode) => (lifted.has(node) ? 0 : podsFitElsewhere ? 1 : 2)
  const stuck = kept.filter(isConcerned).sort((a, b) => rankOf(a) - rankOf(b))
  const texts = [
    ...byHand
      .filter(isConcerned)
      .map(({ node, pool }) => `${node} would be empty, but pool ${pool} has no autoscaler: remove the node manually.`),
    ...stuck.map(({ node, blocker }) => `${node}: ${describeBlocker(blocker)}`),
  ]
  return [...new Set(texts)].slice(0, blockersShown)
}
