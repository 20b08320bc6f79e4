import type { Capacity, NodeClass } from './node-query.ts'
import { type NodeOffer, unpricedOffer } from './node-offer.ts'
import { findRow, type PriceBook } from '../price-book.ts'
import type { EstimateReason, HourlyPrice } from '../price.ts'
import { providerOf } from '../providers/index.ts'
import { spotFromRatio } from './spot-ratio.ts'
import type { Row } from '../parse/table-columns.ts'

/**
 * Custom machine types, priced by the parts of predefined types of the family plus the custom surcharge. Extended
 * memory costs more per GiB, but the tables do not have its price.
 */
export function customOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const machine = providerOf(node.provider).machines?.custom?.(node.instanceType)
  if (!machine) return undefined
  const { family, hasExtendedMemory, ...nominal } = machine
  const parts = findRow(book.components, node.provider, node.region, family)
  if (parts?.customFactor === undefined || nominal.vcpu === 0 || nominal.memoryGib === 0) return undefined
  const why = hasExtendedMemory ? 'extended-memory-at-standard-rate' : 'custom-machine-type'
  return partsOffer(book, node, { parts, capacity: nominal, why })
}

/** Flexible shapes: the capacity of the node at the list rates of the shape. */
export function flexibleOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const isFlexible = providerOf(node.provider).machines?.hasFlexibleShapes === true
  const parts = isFlexible ? findRow(book.components, node.provider, '*', node.instanceType) : undefined
  if (!parts) return undefined
  if (!node.capacity) return unpricedOffer('capacity-not-known', `${node.instanceType} is priced by its vCPU and GiB.`)
  return partsOffer(book, node, { parts, capacity: node.capacity, why: 'custom-machine-type' })
}

function partsOffer(
  book: PriceBook,
  node: NodeClass,
  { parts, capacity, why }: { parts: Row<'components'>; capacity: Capacity; why: EstimateReason },
): NodeOffer {
  const { vcpu, memoryGib } = capacity
  const price = (nanoUsdPerVcpuHour: number, nanoUsdPerGibHour: number): HourlyPrice => ({
    kind: 'estimated',
    why,
    note: `${vcpu} vCPU and ${memoryGib} GiB at the rates of ${parts.family}, × ${parts.customFactor ?? 1}.`,
    nanoUsdPerHour: Math.round((vcpu * nanoUsdPerVcpuHour + memoryGib * nanoUsdPerGibHour) * (parts.customFactor ?? 1)),
    source: parts.source,
    asOf: parts.asOf,
  })
  const onDemand = price(parts.nanoUsdPerVcpuHour, parts.nanoUsdPerGibHour)
  const { spotNanoUsdPerVcpuHour: spotVcpu, spotNanoUsdPerGibHour: spotGib } = parts
  const hasSpot = spotVcpu !== undefined && spotGib !== undefined
  const spot = hasSpot ? price(spotVcpu, spotGib) : spotFromRatio(book, node, onDemand)
  return { onDemand, spot, nominal: { vcpu, memoryGib } }
}
