import type { NominalCapacity, PriceBook } from '../price-book.ts'
import { canonicalProvider } from '../names/provider-names.ts'
import { canonicalRegion } from '../names/region-names.ts'

/** An instance type of a region. `spotNanoUsdPerHour` is absent without a listed spot price. */
export type NodeType = {
  instanceType: string
  nominal: NominalCapacity
  os: 'linux' | 'windows'
  nanoUsdPerHour: number
  spotNanoUsdPerHour?: number
}

/** All instance types with a list price in the region, cheapest first. `findNodePrice` has their sources and dates. */
export function listNodeTypes(book: PriceBook, query: { provider: string; region: string }): NodeType[] {
  const provider = canonicalProvider(query.provider)
  const region = canonicalRegion(provider, query.region)
  return (book.nodes.get(provider) ?? [])
    .flatMap((block) => {
      const row = block.regions.get(region) ?? block.regions.get('*')
      if (row === undefined) return []
      return block.typeNames.map((instanceType, type): NodeType => {
        const at = row * block.types.size + type
        const spotNanoUsdPerHour = block.spotNanoUsd[at] ?? 0
        return {
          instanceType,
          nominal: block.nominalOf(type),
          os: block.isWindows[type] === 1 ? 'windows' : 'linux',
          nanoUsdPerHour: block.onDemandNanoUsd[at] ?? 0,
          ...(spotNanoUsdPerHour > 0 && { spotNanoUsdPerHour }),
        }
      })
    })
    .filter(({ nanoUsdPerHour }) => nanoUsdPerHour > 0)
    .sort((a, b) => a.nanoUsdPerHour - b.nanoUsdPerHour)
}
