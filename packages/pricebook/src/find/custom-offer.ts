import type { Capacity, NodeClass } from './node-query.ts'
import { type NodeOffer, unpricedOffer } from './node-offer.ts'
import { findRow, type PriceBook } from '../price-book.ts'
import type { EstimateReason, HourlyPrice } from '../price.ts'
import { spotFromRatio } from './spot-ratio.ts'
import type { Row } from '../parse/table-columns.ts'

/**
 * GCP machines of any size: custom-4-16384 (an n1), n2-custom-8-32768, n2-custom-8-131072-ext; the last number is MiB.
 * Priced by the parts of predefined types of the family and the surcharge of custom ones. Extended memory costs more than
 * that per GiB, but the tables do not say how much.
 */
export function customOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const match = /^(?:([a-z]\d+[a-z]?)-)?custom-(\d{1,4})-(\d{1,8})(-ext)?$/i.exec(node.instanceType)
  if (node.provider !== 'gcp' || !match) return undefined
  const [, family = 'n1', vcpu = '', mib = '', extended] = match
  const nominal = { vcpu: Number(vcpu), memoryGib: Number(mib) / 1024 }
  const parts = findRow(book.components, 'gcp', node.region, family)
  if (parts?.customFactor === undefined || nominal.vcpu === 0 || nominal.memoryGib === 0) return undefined
  return partsOffer(book, node, parts, nominal, extended ? 'extended-memory-at-standard-rate' : 'custom-machine-type')
}

/** OCI shapes without a size of their own: the node's capacity at the list rates of the shape. */
export function flexibleOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const parts = node.provider === 'oci' ? findRow(book.components, 'oci', '*', node.instanceType) : undefined
  if (!parts) return undefined
  if (!node.capacity) return unpricedOffer('capacity-not-known', `${node.instanceType} is priced by its vCPU and GiB.`)
  return partsOffer(book, node, parts, node.capacity, 'custom-machine-type')
}

function partsOffer(
  book: PriceBook,
  node: NodeClass,
  parts: Row<'components'>,
  capacity: Capacity,
  why: EstimateReason,
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
