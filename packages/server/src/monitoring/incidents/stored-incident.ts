import type { Decimal } from '@plimsoll/engine'
import type { Incident } from '@plimsoll/engine/incidents'

/** JSON has no big integers and no maps: amounts are stored as text. */
export const storeIncident = (incident: Incident): unknown =>
  JSON.parse(
    JSON.stringify({ ...incident, shares: Object.fromEntries(incident.shares) }, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  )

type Stored = Omit<Incident, 'announcedUsd' | 'peakUsd' | 'joined' | 'shares'> & {
  /** Missing in older rows. */
  shares?: Record<string, string>
  announcedUsd: string
  peakUsd: string
  joined: { part: string; announced: { announcedUsd: string; announcedAt: number } | null }[]
}

export function readIncident(data: unknown): Incident {
  const stored = data as Stored
  return {
    ...stored,
    announcedUsd: BigInt(stored.announcedUsd),
    peakUsd: BigInt(stored.peakUsd),
    shares: new Map(Object.entries(stored.shares ?? {}).map(([part, usd]) => [part, readAmount(usd)])),
    joined: stored.joined.map(({ part, announced }) => ({
      part,
      announced: announced && { ...announced, announcedUsd: readAmount(announced.announcedUsd) },
    })),
  }
}

const readAmount = (text: string): Decimal => BigInt(text)
