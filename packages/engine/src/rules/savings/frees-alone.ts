import type { Packing, Share } from '../../packing/bankable-savings.ts'
import type { Proposal } from '../../packing/proposals.ts'

/** Each proposal is a scheduler run over all pods. This limits the total number of pods. */
const PODS_LOOKED_AT_MAX = 200_000

/**
 * Whether each proposal frees a node alone, largest shares first. Proposals without a result were not simulated,
 * because the cluster is too large.
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
