import { volumeOf } from '../facts/volume-of.ts'
import { KIB_PER_GIB } from '../../units.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { passed } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import { aboutObject, dollars, volumeTarget, showUsd } from '../object-finding.ts'
import { smallerGib } from './pv-overprovisioned.ts'
import { pvOverprovisioned } from './pv-overprovisioned.ts'
import type { Rule } from '../rule.ts'
import { priceOfVolume, volumeLine } from '../savings/saving-lines.ts'

/** A gp2 volume of this size has the 3,000 IOPS that every gp3 volume has. */
const GIB_MAX = 1000

export const storageClassDowngrade: Rule = {
  id: 'storage_class_downgrade',
  category: 'storage',
  title: 'Move volumes to a cheaper storage class',
  shortName: 'Storage class',
  description:
    'A newer class costs less at the same performance: gp3 instead of gp2. The volume can be changed while in use.',
  trigger: 'The price list has a cheaper class of the same kind for a bound volume.',
  saving: 'Size × price difference.',
  guards: [
    `Withheld above ${GIB_MAX} GiB: the old class may have more IOPS than the baseline of the new class.`,
    'Unattached volumes are skipped.',
    'Skipped without prices.',
  ],
  needs: ['volumes', 'storage_prices'],
  isAboutMoney: true,
  inPlan: { role: 'remove', verb: 'Move', noun: ['volume to a cheaper class', 'volumes to a cheaper class'] },
  countsAfter: { scope: 'target', rules: [pvOverprovisioned], keeps: 'share' },
  judge: (facts) => facts.volumes.flatMap(judge),
}

function judge(volume: VolumeFacts): Verdict[] {
  const { name, cheaper, usdPerMonth, unmountedSince, storageClass } = volume
  if (cheaper === null || usdPerMonth === null || unmountedSince !== null) return []
  const target = volumeTarget(name)
  const gib = Number((volume.sizeKib / KIB_PER_GIB).toFixed(1))
  if (gib > GIB_MAX) {
    const detail = `At ${gib} GiB the volume may have more IOPS than the baseline of ${cheaper.storageClass}.`
    const unlock = 'Check its IOPS at the provider; they are not reported.'
    return [{ kind: 'withheld', target, reason: 'no_source', detail, unlock }]
  }
  const smaller = smallerGib(volume)
  const sizes = smaller === null ? `${gib} GiB` : `${gib} GiB, or ${smaller} GiB after its replacement`
  return [
    aboutObject({
      target,
      policyNamespace: volume.namespace,
      title: `Change volume ${volume.namespace}/${volume.claim} from ${storageClass} to ${cheaper.storageClass}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Change volume ${name} (${sizes}) from ${storageClass} to ${cheaper.storageClass}.`,
        fields: [{ path: 'storage class', from: storageClass, to: cheaper.storageClass }],
      },
      action: { kind: 'change_storage_class', volume: volumeOf(volume), to: cheaper.storageClass, gib },
      estimatedUsdPerMonth: usdPerMonth - cheaper.usdPerMonth,
      bankableUsdPerMonth: usdPerMonth - cheaper.usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'low',
      confidence: 'high',
      basis: `${storageClass} ${volume.sizeKib}`,
      checks: [
        passed(`Size at most ${GIB_MAX} GiB, so that the newer class is as fast`, `${gib} GiB`),
        passed('Mounted by a pod', 'yes'),
        passed('Both classes have a price', `${showUsd(usdPerMonth)} and ${showUsd(cheaper.usdPerMonth)}/month`),
      ],
      savingLines: [
        volumeLine(`${gib} GiB of ${storageClass}`, volume, priceOfVolume(volume)),
        volumeLine(`${gib} GiB of ${cheaper.storageClass} instead`, volume, priceOfVolume(cheaper), -1),
      ],
      because: 'Both classes have a list price and the same performance at this size.',
      caveats: ['The volume may be slower during the change.'],
      facts: {
        size_gib: gib,
        storage_class: storageClass,
        cheaper_class: cheaper.storageClass,
        usd_per_month: dollars(usdPerMonth),
        cheaper_usd_per_month: dollars(cheaper.usdPerMonth),
      },
    }),
  ]
}
