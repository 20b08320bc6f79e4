import type { Decimal } from '@plimsoll/engine'
import type { Part } from '@plimsoll/engine/incidents'

/** Costs by part and step; the parts above get the sums of the parts below. */
export class Sums {
  readonly #sums = new Map<string, Map<number, Decimal>>()

  add(keys: readonly string[], at: number, usd: Decimal): void {
    for (const key of keys) {
      const ofPart = this.#sums.get(key) ?? new Map<number, Decimal>()
      this.#sums.set(key, ofPart)
      ofPart.set(at, (ofPart.get(at) ?? 0n) + usd)
    }
  }

  of = (key: string): ReadonlyMap<number, Decimal> => this.#sums.get(key) ?? new Map()
}

export type Loaded = {
  daily: Sums
  trailing: Sums
  hourly: Sums
  parts: Map<string, Part>
  /** The known hours of each day, by cluster. */
  hours: Map<string, Map<number, number>>
  /** The clusters that count in the installation and in teams. */
  counted: Set<string>
  /** The clusters with cost of each team. */
  teamClusters: Map<string, Set<string>>
  /** Clusters with more rows than memory allows: without any cost, and without the cost of teams. */
  unread: Set<string>
  unreadTeams: Set<string>
}

export const newSums = (): Loaded => ({
  ...{ daily: new Sums(), trailing: new Sums(), hourly: new Sums() },
  ...{ parts: new Map(), hours: new Map(), counted: new Set(), teamClusters: new Map() },
  ...{ unread: new Set(), unreadTeams: new Set() },
})

export type NamedCluster = { readonly clusterId: string; readonly name: string }
