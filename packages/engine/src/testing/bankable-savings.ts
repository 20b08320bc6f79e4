import { packCluster, type BankableSavings } from '../packing/bankable-savings.ts'
import type { PackingCluster } from '../packing/cluster.ts'
import type { Proposal } from '../packing/proposals.ts'

/**
 * The bankable savings. Runs the scheduler with the current requests, then with each set of proposals. Each set starts
 * from the result of the first run, so it is not credited with nodes that could go anyway. Sets do not affect each
 * other.
 */
export function bankableSavings(cluster: PackingCluster, sets: readonly (readonly Proposal[])[]): BankableSavings {
  const { present, waiting, joint } = packCluster(cluster)
  return { present, waiting, joint: sets.map((proposals) => joint(proposals)) }
}
