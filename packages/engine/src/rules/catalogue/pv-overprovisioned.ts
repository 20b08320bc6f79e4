import { volumeOf } from '../facts/volume-of.ts'
import { KIB_PER_GIB } from '../../units.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import { aboutObject, dollars, noPrice, volumeTarget } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { priceOfVolume, volumeLine } from '../savings/saving-lines.ts'

const SHARE_MAX = 0.5
/** One and a half times the usage. */
const ROOM = 1.5
const GIB_MIN = 10

export const pvOverprovisioned: Rule = {
  id: 'pv_overprovisioned',
  category: 'storage',
  title: 'Replace oversized volumes',
  shortName: 'Oversized volume',
  description:
    'Volumes are billed by size, not by content. Neither a volume nor its claim can shrink: copy the content to a new claim.',
  trigger: `Less than ${percent(SHARE_MAX)} of a mounted volume of ${GIB_MIN} GiB or more is used.`,
  saving: `(Size − ${ROOM} × used) × price of the storage class.`,
  guards: [
    'Skipped unless the kubelet reports the used size.',
    `The new size is at least ${GIB_MIN} GiB.`,
    'The used size comes from the last report. A smaller gp2 volume has fewer IOPS.',
    'For disks sold in fixed sizes, the savings are an estimate per GiB. The next fixed size may cost more.',
    'Withheld without a price.',
  ],
  needs: ['volumes', 'volume_use', 'storage_prices'],
  isAboutMoney: true,
  inPlan: { role: 'remove', verb: 'Replace', noun: ['oversized volume', 'oversized volumes'] },
  judge: (facts) => facts.volumes.flatMap(judge),
}

/** The sufficient size; null: the size is right, or unknown. */
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
      title: `Replace volume ${volume.namespace}/${volume.claim} (${Number(gib.toFixed(1))} GiB) with a volume of ${wanted} GiB`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: howToShrink(volume, { used, gib: Number(gib.toFixed(1)), wanted }),
        // The size of a new claim, because a claim cannot shrink.
        fields: [{ path: 'size', from: `${gib}Gi`, to: `${wanted}Gi` }],
      },
      action: { kind: 'shrink_volume', volume: volumeOf(volume), gib: wanted },
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: saving,
      costUsdPerMonth: usdPerMonth,
      risk: 'high',
      riskReasons: ['The data is copied to a new volume'],
      confidence: 'medium',
      basis: `${sizeKib} ${wanted}`,
      checks: [
        passed(`Less than ${percent(SHARE_MAX)} is used`, percent(usedKib / sizeKib)),
        passed(`The new size is at least ${GIB_MIN} GiB`, `${wanted} GiB`),
        passed('Mounted', 'by a pod'),
      ],
      savingLines: [
        volumeLine(
          `${Number((gib - wanted).toFixed(1))} of ${Number(gib.toFixed(1))} GiB of ${volume.storageClass}`,
          volume,
          priceOfVolume(volume),
          (gib - wanted) / gib,
        ),
      ],
      because: `${percent(usedKib / sizeKib)} of the volume is used.`,
      caveats: [
        'Stop the workload while you copy the data.',
        'The used size comes from the last report. Earlier or monthly peaks are not considered.',
        ...fewerOperations(volume, wanted),
        'The unused space may be reserved for growth.',
        'Some disks are sold in fixed sizes only. The savings then depend on the next larger size.',
      ],
      facts: { size_gib: Number(gib.toFixed(1)), used_gib: used, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}

type Sizes = { readonly used: number; readonly gib: number; readonly wanted: number }

/** The commands use the current class: only this class is known to exist. One copy is enough with the cheaper class. */
function howToShrink(volume: VolumeFacts, { used, gib, wanted }: Sizes): string {
  const { name, namespace, claim, cheaper, storageClass } = volume
  const old = claim === '' ? `volume ${name}` : `${namespace}/${claim}`
  const inClass = storageClass === '' ? '' : ` in class ${storageClass}`
  const orElse =
    cheaper === null ? '' : ` If the cluster has the cheaper class ${cheaper.storageClass}, use this class instead.`
  return `Create a claim of ${wanted} GiB${inClass}.${orElse} Stop the workload and copy ${old} (${used} of ${gib} GiB used) to the new claim. Switch the pods to the new claim, then delete the old claim.`
}

const GP2_OPERATIONS_PER_GIB = 3
const GP2_OPERATIONS_MIN = 100
const GP2_OPERATIONS_MAX = 16_000
const GP2_BURST = 3000

/** The IOPS of gp2 grow with the size; for other disks the relation is not known. */
function fewerOperations({ storageClass, sizeKib, cheaper }: VolumeFacts, wantedGib: number): string[] {
  if (!/(^|-)gp2$/.test(storageClass))
    return ['The size may have been chosen for performance: at many providers, smaller disks are slower.']
  const of = (gib: number) =>
    Math.min(GP2_OPERATIONS_MAX, Math.max(GP2_OPERATIONS_MIN, Math.round(GP2_OPERATIONS_PER_GIB * gib)))
  const [now, then] = [of(sizeKib / KIB_PER_GIB), of(wantedGib)]
  const burst = then < GP2_BURST ? `, with burst credits up to ${GP2_BURST}` : ''
  const asGp3 = cheaper?.storageClass === 'gp3' ? ' A gp3 volume has 3000 IOPS at any size.' : ''
  return [`A gp2 volume has 3 IOPS per GiB: ${now} now, ${then} after the change${burst}.${asGp3}`]
}
