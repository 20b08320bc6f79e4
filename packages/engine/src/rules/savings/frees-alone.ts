import type { Packing, Share } from '../../packing/bankable-savings.ts'
import type { Proposal } from '../../packing/proposals.ts'

/** Each proposal is a run of the scheduler over all pods. So many pods are looked at in all; beyond, nobody waits for it. */
const PODS_LOOKED_AT_MAX = 200_000

/**
 * Whether each of the proposals frees anything without the others, those with the largest shares first. Those of which it is not
 * said were not asked, because the cluster is too large for that.
 */
export function askAlone(
  { savedBy }: Pick<Packing, 'savedBy'>,
  proposals: readonly Proposal[],
  shares: readonly Share[],
  pods: number,
): Map<string, boolean> {
  const byId = new Map(proposals.map((proposal) => [proposal.id, proposal]))
  const sharing = shares
    .filter(({ usdPerMonth }) => usdPerMonth > 0n)
    .toSorted((a, b) =>
      a.usdPerMonth === b.usdPerMonth ? (a.id < b.id ? -1 : 1) : a.usdPerMonth > b.usdPerMonth ? -1 : 1,
    )
    .slice(0, Math.floor(PODS_LOOKED_AT_MAX / Math.max(1, pods)))
  return new Map(
    sharing.flatMap(({ id }) => {
      const proposal = byId.get(id)
      return proposal ? [[id, savedBy([proposal]) > 0n] as const] : []
    }),
  )
}
