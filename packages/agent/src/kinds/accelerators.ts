import { parseQuantity, wholes } from '@plimsoll/engine'
import type { Quantities } from './kube-types.ts'

/** Resource names of accelerators: whole, shared or sliced. */
const accelerator =
  /^(nvidia\.com\/(gpu|mig-.+)|amd\.com\/gpu|gpu\.intel\.com\/(i915|xe)|habana\.ai\/gaudi|aws\.amazon\.com\/neuron)(\.shared)?$/

export type Accelerators = { resource: string; count: number }

/** The accelerator with the highest quantity; undefined: none. A pod or node almost always has only one type. */
export function acceleratorsOf(quantities: Quantities | undefined): Accelerators | undefined {
  let most: Accelerators | undefined
  for (const resource in quantities) {
    if (!accelerator.test(resource)) continue
    const count = parseQuantity(quantities[resource], wholes) ?? 0
    if (count > (most?.count ?? 0)) most = { resource, count }
  }
  return most
}
