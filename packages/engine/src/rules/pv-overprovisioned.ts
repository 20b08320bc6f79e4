import { KIB_PER_GIB } from '../units.ts'
import type { VolumeFacts } from './cluster-facts.ts'
import { passed, percent } from './checks.ts'
import type { Verdict } from './finding.ts'
import { aboutObject, dollars, noPrice, volumeTarget } from './object-rule.ts'
import type { Rule } from './rule.ts'
import { priceOfVolume, volumeLine } from './saving-lines.ts'

const SHARE_MAX = 0.5
/** Half as much again as is used. */
const ROOM = 1.5
const GIB_MIN = 10

export const pvOverprovisioned: Rule = {
  id: 'pv_overprovisioned',
  category: 'storage',
  title: 'Volumes that are more than half empty',
  description:
    'One pays for the size of a volume, not for what is on it. A smaller one holds the same, but a volume cannot shrink: its content has to be moved.',
  trigger: 'Less than half of a mounted volume of 10 GiB or more is used.',
  saving: 'Size − 1.5 × what is used, at the price of its class.',
  guards: [
    'How full it is has to be reported by the kubelet; otherwise it is left out.',
    'The new size is never below 10 GiB.',
    'Disks that are sold in sizes are priced by the GiB here: the next size may be dearer, which is said.',
    'Without a price it is withheld.',
  ],
  needs: ['volumes', 'volume_use', 'storage_prices'],
  isAboutMoney: true,
  judge: (facts) => facts.volumes.flatMap(judge),
}

/** The size that would do; null: it is as it should be, or that is not known. */
export function smallerGib({ usedKib, sizeKib, unmountedSince }: VolumeFacts): number | null {
  if (usedKib === null || unmountedSince !== null || usedKib >= SHARE_MAX * sizeKib) return null
  const wanted = Math.max(GIB_MIN, Math.ceil((ROOM * usedKib) / KIB_PER_GIB))
  return wanted < sizeKib / KIB_PER_GIB ? wanted : null
}

function judge(volume: VolumeFacts): Verdict[] {
  const { name, usedKib, sizeKib, usdPerMonth } = volume
  const wanted = smallerGib(volume)
  if (wanted === null || usedKib === null) return []
  const gib = sizeKib / KIB_PER_GIB
  const target = volumeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `the storage class '${volume.storageClass}'`)]
  const saving = (usdPerMonth * (gib - wanted)) / gib
  const used = Number((usedKib / KIB_PER_GIB).toFixed(1))
  return [
    aboutObject({
      target,
      policyNamespace: volume.namespace,
      title: `Volume ${volume.namespace}/${volume.claim} is mostly empty`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Move what is on volume ${name} (${used} of ${Number(gib.toFixed(1))} GiB are used) to a new one of ${wanted} GiB.`,
        fields: [{ path: 'spec.resources.requests.storage', from: `${gib}Gi`, to: `${wanted}Gi` }],
      },
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: saving,
      costUsdPerMonth: usdPerMonth,
      risk: 'high',
      confidence: 'medium',
      basis: `${sizeKib} ${wanted}`,
      checks: [
        passed(`Less than ${percent(SHARE_MAX)} of it are used`, percent(usedKib / sizeKib)),
        passed(`The new size is at least ${GIB_MIN} GiB`, `${wanted} GiB`),
        passed('It is mounted', 'by a pod'),
      ],
      savingLines: [
        volumeLine(
          `${Number((gib - wanted).toFixed(1))} of ${Number(gib.toFixed(1))} GiB of ${volume.storageClass}`,
          volume,
          priceOfVolume(volume),
          (gib - wanted) / gib,
        ),
      ],
      because: `${percent(usedKib / sizeKib)} of it is used.`,
      caveats: [
        'A volume cannot shrink in place: its content has to be moved while nothing writes to it.',
        'Its size may have been chosen for speed, or for what is to come.',
        'Where disks are sold in sizes, the next smaller one decides what is saved.',
      ],
      facts: { size_gib: Number(gib.toFixed(1)), used_gib: used, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}
