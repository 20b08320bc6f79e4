import type { DataQuality } from '@plimsoll/contract'
import { percent } from '../../format/quantity.ts'

/** The parts of a cluster without a price, which totals do not include. Null: everything is priced. */
export function unpricedText({ assets, unpriced }: Pick<DataQuality, 'assets' | 'unpriced'>): string | null {
  const parts = [
    ['CPU', unpriced.cpu],
    ['memory', unpriced.memory],
    ['GPUs', unpriced.gpu],
    ['volumes', assets.volumes.unpriced],
    ['load balancers', assets.balancers.unpriced],
    ['the control plane', assets.control_plane.unpriced],
  ] as const
  const missing = parts.filter(([, { unit_seconds: amount }]) => Number(amount) > 0)
  if (missing.length === 0) return null
  const shares = missing.map(([what, { fraction }]) =>
    fraction === null || fraction > 0.9995 ? what : `${percent(fraction)} of ${what}`,
  )
  return `Not priced: ${shares.join(' and ')}. The totals do not include this cost`
}
