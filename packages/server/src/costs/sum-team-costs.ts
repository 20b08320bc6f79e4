import type { Decimal } from '@plimsoll/engine'
import { TEAM_LABEL } from './parse-grouping.ts'
import { usdOf, type PricedRow } from './priced-rows.ts'

export type NamespaceCost = { cluster: string; namespace: string; usd: Decimal }

/** Every row counts once: for a team, as unowned, or as other cost without a workload. */
export type TeamCosts = {
  teams: ReadonlyMap<string, { usd: Decimal; namespaces: number }>
  unowned: readonly NamespaceCost[]
  otherUsd: Decimal
}

export function sumTeamCosts(rows: readonly PricedRow[]): TeamCosts {
  const teams = new Map<string, Map<string, NamespaceCost>>()
  const unowned = new Map<string, NamespaceCost>()
  let otherUsd = 0n
  for (const row of rows) {
    const { owner, cluster = '' } = row
    if (owner.kind !== 'workload') otherUsd += usdOf(row)
    else {
      const places = placesOf(teams, unowned, owner.labels[TEAM_LABEL])
      const key = `${cluster}/${owner.namespace}`
      const place = places.get(key) ?? { cluster, namespace: owner.namespace, usd: 0n }
      places.set(key, { ...place, usd: place.usd + usdOf(row) })
    }
  }
  return {
    teams: new Map([...teams].map(([team, places]) => [team, { usd: sumOf(places), namespaces: places.size }])),
    unowned: [...unowned.values()],
    otherUsd,
  }
}

type Places = Map<string, NamespaceCost>

function placesOf(teams: Map<string, Places>, unowned: Places, team: string | undefined): Places {
  if (team === undefined) return unowned
  const known = teams.get(team)
  if (known) return known
  const places: Places = new Map()
  teams.set(team, places)
  return places
}

const sumOf = (places: Places) => [...places.values()].reduce((sum, { usd }) => sum + usd, 0n)
