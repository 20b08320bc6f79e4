import type { NodeClass } from './node-query.ts'
import { type Interruption, type NodeOffer, unpricedOffer } from './node-offer.ts'
import type { NodeBlock, PriceBook } from '../price-book.ts'
import type { Evidence, HourlyPrice } from '../price.ts'
import { spotFromRatio } from './spot-ratio.ts'

type Cell = { block: NodeBlock; type: number; at: number }

/** The listed price for the location of the node. A local zone without the type gets the price of its region. */
export function listedOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const here = findCell(book, node, node.place) ?? findCell(book, node, '*')
  const cell = here ?? findCell(book, node, node.region)
  if (!cell) return undefined
  const { block, type } = cell
  const nominal = block.nominalOf(type)
  if (node.isWindows !== (block.isWindows[type] === 1)) return wrongSystem(node, nominal)

  const listed = listedPrice(book, cell)
  const note = `${node.place} does not list ${block.typeNames[type]}; the price is from ${node.region}.`
  const onDemand: HourlyPrice = here ? listed : { ...listed, kind: 'estimated', why: 'local-zone-not-listed', note }
  const spot = (here && listedSpot(book, cell)) ?? spotFromRatio(book, node, onDemand)
  const interruption = interruptionOf(book, cell)
  return { onDemand, spot, nominal, ...(interruption && { interruption }) }
}

/** A known type in a region that does not list it: the median of the regions that do. */
export function otherRegionsOffer(book: PriceBook, node: NodeClass): NodeOffer | undefined {
  const block = findBlock(book, node)
  const type = block?.types.get(node.instanceType.toLowerCase())
  if (!block || type === undefined) return undefined
  const nominal = block.nominalOf(type)
  if (block.isWindows[type] === 1) return wrongSystem(node, nominal)

  const listed = [...block.regions.values()]
    .map((region) => listedPrice(book, { block, type, at: region * block.types.size + type }))
    .filter(({ nanoUsdPerHour }) => nanoUsdPerHour > 0)
    .sort((a, b) => a.nanoUsdPerHour - b.nanoUsdPerHour)
  const middle = listed[Math.floor((listed.length - 1) / 2)]
  if (!middle) return undefined
  const note = `The price list does not have ${block.typeNames[type]} in '${node.place}'; the price is the median of ${listed.length} regions.`
  const onDemand: HourlyPrice = { ...middle, kind: 'estimated', why: 'type-not-listed-in-region', note }
  return { onDemand, spot: spotFromRatio(book, node, onDemand), nominal }
}

function wrongSystem(node: NodeClass, nominal: NodeOffer['nominal']): NodeOffer {
  if (!node.isWindows)
    return unpricedOffer('no-linux-price', `${node.instanceType} is available with Windows only.`, nominal)
  return unpricedOffer('no-windows-price', `${node.instanceType} has no Windows price in the price list.`, nominal)
}

function findBlock(book: PriceBook, node: NodeClass): NodeBlock | undefined {
  return book.nodes.get(node.provider)?.find((block) => block.types.has(node.instanceType.toLowerCase()))
}

function findCell(book: PriceBook, node: NodeClass, region: string): Cell | undefined {
  const name = node.instanceType.toLowerCase()
  for (const block of book.nodes.get(node.provider) ?? []) {
    const row = block.regions.get(region)
    const type = block.types.get(name)
    if (row === undefined || type === undefined) continue
    const at = row * block.types.size + type
    if ((block.onDemandNanoUsd[at] ?? 0) > 0) return { block, type, at }
  }
  return undefined
}

function listedPrice(book: PriceBook, { block, at }: Cell) {
  return {
    kind: 'listed' as const,
    nanoUsdPerHour: block.onDemandNanoUsd[at] ?? 0,
    ...evidenceAt(book, block.evidence[at]),
  }
}

function listedSpot(book: PriceBook, { block, at }: Cell): HourlyPrice | undefined {
  const nanoUsdPerHour = block.spotNanoUsd[at] ?? 0
  return nanoUsdPerHour > 0
    ? { kind: 'listed', nanoUsdPerHour, ...evidenceAt(book, block.spotEvidence[at]) }
    : undefined
}

function interruptionOf(book: PriceBook, { block, at }: Cell): Interruption | undefined {
  const band = block.interruption[at] ?? 0
  const source = 'spot-advisor'
  return band > 0 ? { band: band - 1, source, asOf: book.sources[source]?.asOf ?? '' } : undefined
}

function evidenceAt(book: PriceBook, at: number | undefined): Evidence {
  return book.evidence[at ?? 0] ?? { source: '', asOf: '' }
}
