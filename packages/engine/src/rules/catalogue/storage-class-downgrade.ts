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
  title: 'Volumes of a class that a cheaper one replaces',
  shortName: 'Cheaper volume',
  description:
    'A later class does the same for less: gp3 instead of gp2. The volume can be changed while it is in use.',
  trigger: 'A bound volume is of a class for which the price book knows a cheaper one of the same kind.',
  saving: 'Size × difference of the prices.',
  guards: [
    'Above 1,000 GiB the older class may do more operations a second than the newer one has by itself: withheld.',
    'Volumes that nobody uses are left to the rule about them.',
    'Without prices it is left out.',
  ],
  needs: ['volumes', 'storage_prices'],
  isAboutMoney: true,
  countsAfter: { scope: 'target', rules: [pvOverprovisioned], keeps: 'share' },
  judge: (facts) => facts.volumes.flatMap(judge),
}

function judge(volume: VolumeFacts): Verdict[] {
  const { name, cheaper, usdPerMonth, unmountedSince, storageClass } = volume
  if (cheaper === null || usdPerMonth === null || unmountedSince !== null) return []
  const target = volumeTarget(name)
  const gib = Number((volume.sizeKib / KIB_PER_GIB).toFixed(1))
  if (gib > GIB_MAX) {
    const detail = `At ${gib} GiB it may do more operations a second than ${cheaper.storageClass} does by itself.`
    const unlock = 'Look at the operations it really does; they are not reported.'
    return [{ kind: 'withheld', target, reason: 'no_source', detail, unlock }]
  }
  const smaller = smallerGib(volume)
  const sizes = smaller === null ? `${gib} GiB` : `${gib} GiB, or ${smaller} GiB once it is made smaller`
  return [
    aboutObject({
      target,
      policyNamespace: volume.namespace,
      title: `Volume ${volume.namespace}/${volume.claim} would cost less as ${cheaper.storageClass}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Change volume ${name} (${sizes}) from ${storageClass} to ${cheaper.storageClass}.`,
        fields: [{ path: 'storage class', from: storageClass, to: cheaper.storageClass }],
      },
      estimatedUsdPerMonth: usdPerMonth - cheaper.usdPerMonth,
      bankableUsdPerMonth: usdPerMonth - cheaper.usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'low',
      confidence: 'high',
      basis: `${storageClass} ${volume.sizeKib}`,
      checks: [
        passed(`At most ${GIB_MAX} GiB, so that the newer class is as fast`, `${gib} GiB`),
        passed('A pod uses it', 'it is mounted'),
        passed('Both classes have a price', `${showUsd(usdPerMonth)} and ${showUsd(cheaper.usdPerMonth)} a month`),
      ],
      savingLines: [
        volumeLine(`${gib} GiB of ${storageClass}`, volume, priceOfVolume(volume)),
        volumeLine(`${gib} GiB of ${cheaper.storageClass} instead`, volume, priceOfVolume(cheaper), -1),
      ],
      because: 'Both prices are in the price book, and both classes do the same at this size.',
      caveats: ['While it is changed the volume may be slower.'],
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
