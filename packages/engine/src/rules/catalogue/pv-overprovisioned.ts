import { KIB_PER_GIB } from '../../units.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import { aboutObject, dollars, noPrice, volumeTarget } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { priceOfVolume, volumeLine } from '../savings/saving-lines.ts'

const SHARE_MAX = 0.5
/** Half as much again as is used. */
const ROOM = 1.5
const GIB_MIN = 10

export const pvOverprovisioned: Rule = {
  id: 'pv_overprovisioned',
  category: 'storage',
  title: 'Volumes that are more than half empty',
  shortName: 'Oversized volume',
  description:
    'One pays for the size of a volume, not for what is on it. A smaller one holds the same, but neither a volume nor its claim can shrink: its content has to be copied to a new claim.',
  trigger: 'Less than half of a mounted volume of 10 GiB or more is used.',
  saving: 'Size − 1.5 × what is used, at the price of its class.',
  guards: [
    'How full it is has to be reported by the kubelet; otherwise it is left out.',
    'The new size is never below 10 GiB.',
    'How full it is is that of one moment, and that a smaller gp2 volume does fewer operations a second is said.',
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
        summary: howToShrink(volume, { used, gib: Number(gib.toFixed(1)), wanted }),
        // Of a claim that is yet to be made: that of the present one cannot be lowered.
        fields: [{ path: 'size', from: `${gib}Gi`, to: `${wanted}Gi` }],
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
      because: `${percent(usedKib / sizeKib)} of it is used now.`,
      caveats: [
        'Neither a volume nor its claim can shrink: its content has to be copied while nothing writes to it.',
        'How full it is is that of the last report: what was on it before, or grows towards the end of a month, is not looked at.',
        ...fewerOperations(volume, wanted),
        'Its size may have been chosen for what is to come.',
        'Where disks are sold in sizes, the next smaller one decides what is saved.',
      ],
      facts: { size_gib: Number(gib.toFixed(1)), used_gib: used, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}

type Sizes = { readonly used: number; readonly gib: number; readonly wanted: number }

/** A new claim may be of the cheaper class at once: then one copy does both. */
function howToShrink(volume: VolumeFacts, { used, gib, wanted }: Sizes): string {
  const { name, namespace, claim, cheaper } = volume
  const old = claim === '' ? `volume ${name}` : `${namespace}/${claim}`
  const asClass = cheaper === null ? '' : ` of ${cheaper.storageClass}, which is cheaper too`
  return `Make a new claim of ${wanted} GiB${asClass}; copy what is on ${old} (${used} of ${gib} GiB are used) to it while nothing writes; let its pods use the new claim; then delete the old one.`
}

const GP2_OPERATIONS_PER_GIB = 3
const GP2_OPERATIONS_MIN = 100
const GP2_OPERATIONS_MAX = 16_000
const GP2_BURST = 3000

/** What AWS promises of gp2 grows with the size; of other disks nothing is said that is not known. */
function fewerOperations({ storageClass, sizeKib, cheaper }: VolumeFacts, wantedGib: number): string[] {
  if (!/(^|-)gp2$/.test(storageClass))
    return ['Its size may have been chosen for speed: many disks are slower when they are smaller.']
  const of = (gib: number) =>
    Math.min(GP2_OPERATIONS_MAX, Math.max(GP2_OPERATIONS_MIN, Math.round(GP2_OPERATIONS_PER_GIB * gib)))
  const [now, then] = [of(sizeKib / KIB_PER_GIB), of(wantedGib)]
  const burst = then < GP2_BURST ? `, with bursts to ${GP2_BURST} that use up a credit` : ''
  const asGp3 = cheaper?.storageClass === 'gp3' ? ' A gp3 volume does 3000 at any size.' : ''
  return [`A gp2 volume does 3 operations a second for each GiB: ${now} now, ${then} then${burst}.${asGp3}`]
}
