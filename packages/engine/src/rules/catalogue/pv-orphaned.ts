import { isClaimed, volumeOf } from '../facts/volume-of.ts'
import { count } from '../../count.ts'
import { KIB_PER_GIB } from '../../units.ts'
import { SECONDS_PER_DAY } from '../../time.ts'
import type { ClusterFacts, VolumeFacts } from '../facts/cluster-facts.ts'
import { passed, unchecked } from '../checks.ts'
import { NO_EVIDENCE, type Verdict } from '../finding.ts'
import { showUsd } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { priceOfVolume, volumeLine } from '../savings/saving-lines.ts'

const DAYS_UNMOUNTED_MIN = 7

export const pvOrphaned: Rule = {
  id: 'pv_orphaned',
  category: 'storage',
  title: 'Delete unattached volumes',
  shortName: 'Unattached volume',
  description:
    'A released volume, or one that no pod mounts, is still billed. Take a snapshot, then delete the volume. With reclaim policy Retain, also delete the disk at the provider.',
  trigger: `A volume is released, or no pod mounted it for ${DAYS_UNMOUNTED_MIN} days.`,
  saving: 'Size × price of the storage class, or the price of the disk.',
  guards: [
    'The maximum cost of the snapshot is shown and not subtracted.',
    'The risk of a bound claim is high: a workload scaled to 0 or a rare job may need it.',
    'Unless the reclaim policy is Delete, the disk stays at the provider. Deleting the volume alone then counts as no savings.',
    'Withheld without a price.',
  ],
  needs: ['volumes', 'storage_prices'],
  isAboutMoney: true,
  inPlan: { role: 'remove', verb: 'Remove', noun: ['unattached volume', 'unattached volumes'] },
  judge: (facts) => facts.volumes.filter((volume) => isOrphaned(facts, volume)).map((volume) => judge(facts, volume)),
}

const daysUnmounted = ({ observedAt }: ClusterFacts, { unmountedSince }: VolumeFacts) =>
  unmountedSince === null ? 0 : Math.floor((observedAt - unmountedSince) / SECONDS_PER_DAY)

function isOrphaned(facts: ClusterFacts, volume: VolumeFacts): boolean {
  if (volume.unmountedSince === null) return false
  return volume.phase === 'released' || daysUnmounted(facts, volume) >= DAYS_UNMOUNTED_MIN
}

function judge(facts: ClusterFacts, volume: VolumeFacts): Verdict {
  const target = { kind: 'PersistentVolume', namespace: '', name: volume.name, container: '' }
  if (volume.usdPerMonth === null) {
    return {
      kind: 'withheld',
      target,
      reason: 'no_price',
      detail: `No price is known for the storage class '${volume.storageClass}'.`,
      unlock: 'Set a price override for this storage class.',
    }
  }
  const isReleased = volume.phase === 'released'
  // Users know the claim; provisioners generate volume names.
  const shownName = volume.claim === '' ? volume.name : `${volume.namespace}/${volume.claim}`
  const gib = Number((volume.sizeKib / KIB_PER_GIB).toFixed(1))
  const days = daysUnmounted(facts, volume)
  return {
    kind: 'finding',
    target,
    policyNamespace: volume.namespace,
    title: isReleased
      ? `Delete released volume ${shownName}`
      : `Delete volume ${shownName}: not mounted for ${count(days, 'day')}`,
    podName: '',
    workload: null,
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'delete',
      object: target,
      summary: howToDelete(volume, gib),
      fields: [],
    },
    action: { kind: 'delete_volume', volume: volumeOf(volume) },
    estimatedUsdPerMonth: volume.usdPerMonth,
    bankableUsdPerMonth: volume.usdPerMonth,
    costUsdPerMonth: volume.usdPerMonth,
    risk: isReleased ? 'medium' : 'high',
    riskReasons: ['Deleting a volume is final: take the snapshot first'],
    confidence: isReleased ? 'high' : 'medium',
    isUrgent: false,
    ...(volume.reclaimPolicy === 'Delete' ? {} : { outlivesObject: true as const }),
    basis: `${volume.phase} ${volume.sizeKib} ${volume.claim}`,
    checks: [
      isReleased
        ? passed('The claim is deleted', `phase ${volume.phase}`)
        : passed(`Not mounted for ${DAYS_UNMOUNTED_MIN} days`, `${days} days`),
      unchecked('Need for the data', 'unknown; take a snapshot first'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      savingLines: [volumeLine(`${gib} GiB of ${volume.storageClass}`, volume, priceOfVolume(volume))],
      confidenceReasons: [isReleased ? 'The claim is deleted.' : `No pod mounted the volume for ${days} days.`],
      caveats: caveatsOf(volume, volume.usdPerMonth),
      facts: {
        size_gib: gib,
        storage_class: volume.storageClass,
        phase: volume.phase,
        days_unmounted: days,
        claim: volume.claim === '' ? '' : `${volume.namespace}/${volume.claim}`,
        reclaim_policy: volume.reclaimPolicy,
      },
    },
  }
}

/** Deleting the Kubernetes object saves nothing if the disk stays at the provider. */
function howToDelete(volume: VolumeFacts, gib: number): string {
  const { name, namespace, claim, reclaimPolicy } = volume
  const snapshot = `Take a snapshot of volume ${name} (${gib} GiB)`
  const what = isClaimed(volume) ? `its claim ${namespace}/${claim}` : 'the volume'
  if (reclaimPolicy === 'Delete')
    return isClaimed(volume)
      ? `${snapshot} and delete ${what}: this deletes the volume and its disk.`
      : `${snapshot}, delete ${what}, and check at the provider that the disk is deleted.`
  const all = isClaimed(volume) ? `${what}, the volume` : what
  const policy = reclaimPolicy === '' ? 'Unless the reclaim policy is Delete' : `With reclaim policy ${reclaimPolicy}`
  return `${snapshot}. Then delete ${all} and its disk at the provider. ${policy}, the disk is billed until you delete it.`
}

function caveatsOf(volume: VolumeFacts, usdPerMonth: number): string[] {
  const rare = 'A workload scaled to 0, or a rare job, may need the volume again.'
  return [
    ...(isClaimed(volume) ? [rare] : []),
    'Retention rules may require the data.',
    snapshotCaveat(volume.snapshotUsdPerMonth ?? null, usdPerMonth),
  ]
}

/** Snapshots are billed by used blocks, which are unknown for an unmounted volume. */
function snapshotCaveat(snapshotUsd: number | null, volumeUsd: number): string {
  if (snapshotUsd === null) return 'A snapshot is billed as long as it is kept; its cost is not subtracted.'
  const most = `A snapshot of a full volume costs up to ${showUsd(snapshotUsd)}/month, which is not subtracted`
  return snapshotUsd < volumeUsd ? `${most}.` : `${most}: that may be more than the volume costs.`
}
