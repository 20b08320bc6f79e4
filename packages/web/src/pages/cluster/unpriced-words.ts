import type { DataQuality } from '@plimsoll/contract'
import { percent } from '../../format/quantity.ts'

/** What of a cluster is in no sum, because nothing says what it costs. Null: all of it has a price. */
export function unpricedWords({ assets, unpriced }: Pick<DataQuality, 'assets' | 'unpriced'>): string | null {
  const parts = [
    ['CPU', unpriced.cpu],
    ['memory', unpriced.memory],
    ['GPUs', unpriced.gpu],
    ['volumes', assets.volumes.unpriced],
    ['balancers', assets.balancers.unpriced],
    ['the control plane', assets.control_plane.unpriced],
  ] as const
  const missing = parts.filter(([, { unit_seconds: amount }]) => Number(amount) > 0)
  if (missing.length === 0) return null
  const told = missing.map(([what, { fraction }]) => (fraction === null ? what : `${percent(fraction)} of ${what}`))
  return `no price for ${told.join(' and ')}: in no sum, and not free`
}
