import type { Resource } from '../units.ts'
import type { NodeQuantities } from './idle-quantities.ts'

/** Capacity without a price. No sum of money contains it, so it is reported beside each sum. */
export type UnpricedShare = { readonly unitSeconds: bigint; readonly fraction: number }

export function unpricedShare(nodes: readonly NodeQuantities[]): Readonly<Record<Resource, UnpricedShare>> {
  const shareOf = (resource: Resource): UnpricedShare => {
    const capacityOf = (some: readonly NodeQuantities[]) =>
      some.reduce((sum, { use }) => sum + use[resource].capacity, 0n)
    const all = capacityOf(nodes)
    const unitSeconds = capacityOf(nodes.filter(({ rates }) => rates[resource].kind === 'unpriced'))
    return { unitSeconds, fraction: all === 0n ? 0 : Number(unitSeconds) / Number(all) }
  }
  return { cpu: shareOf('cpu'), memory: shareOf('memory'), gpu: shareOf('gpu') }
}
