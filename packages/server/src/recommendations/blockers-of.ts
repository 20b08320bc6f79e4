import { describeBlocker, type JointOutcome, type PackingPod, type Proposal } from '@plimsoll/engine'

const blockersShown = 20

/** The nodes that run a pod which one of the proposals would change. */
export function nodesOf(proposals: readonly Proposal[], pods: readonly PackingPod[]): Set<string> {
  const changes = proposals.flatMap((proposal) => proposal.changes)
  const workloads = new Set(changes.flatMap((change) => (change.kind === 'resize' ? [change.workload] : [])))
  const removed = new Set(changes.flatMap((change) => (change.kind === 'remove' ? change.pods : [])))
  const concerned = pods.filter(({ uid, workload }) => workloads.has(workload) || removed.has(uid))
  return new Set(concerned.flatMap(({ node }) => node ?? []))
}

/**
 * Where the rest is stuck: of the nodes that are concerned, and of no others, those first whose pods would fit elsewhere;
 * each reason once.
 */
export function blockersOf(
  { kept, byHand }: Pick<JointOutcome, 'kept' | 'byHand'>,
  concerned: ReadonlySet<string>,
): string[] {
  const isConcerned = ({ node }: { node: string }) => concerned.has(node)
  const stuck = kept.filter(isConcerned).sort((a, b) => Number(b.podsFitElsewhere) - Number(a.podsFitElsewhere))
  const texts = [
    ...byHand
      .filter(isConcerned)
      .map(({ node, pool }) => `${node} would be empty, but nobody scales the pool ${pool}.`),
    ...stuck.map(({ node, blocker }) => `${node}: ${describeBlocker(blocker)}`),
  ]
  return [...new Set(texts)].slice(0, blockersShown)
}
