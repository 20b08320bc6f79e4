import { explains, type Incident } from '@plimsoll/engine/incidents'
import { placeOf } from './part-key.ts'

/** The price incidents whose message the alert about new prices of these clusters has. */
export function announcedPrices(open: readonly Incident[], repriced: ReadonlySet<string>): Set<string> {
  const prices = open.filter(({ kind }) => kind === 'price')
  const announced = prices.filter((incident) => isRepriced(incident, repriced))
  const classes = new Set(announced.map(({ detail }) => detail))
  // A team has no clusters of its own: it follows the clusters with the same price.
  const followers = prices.filter(({ part, shares, detail }) => {
    return placeOf(part).clusterId === null && shares.size === 0 && classes.has(detail)
  })
  return new Set([...announced, ...followers].map(({ id }) => id))
}

/** An incident of all clusters: the repriced clusters have most of it. */
function isRepriced({ part, shares }: Incident, repriced: ReadonlySet<string>): boolean {
  const { clusterId } = placeOf(part)
  if (clusterId !== null) return repriced.has(clusterId)
  const own = [...shares].filter(([key]) => repriced.has(key)).reduce((sum, [, usd]) => sum + usd, 0n)
  return own > 0n && explains(own, shares.get(part) ?? 0n)
}
