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
  title: 'Volumes that nobody uses',
  shortName: 'Unattached volume',
  description:
    'A volume that was released, or is claimed and mounted by no pod, is still paid for. Take a snapshot and delete it, or delete its claim; where its reclaim policy is Retain, the disk at the provider as well.',
  trigger: 'A volume is released, or no pod has mounted it for 7 days.',
  saving: 'Size × price of its class, or the price of the disk where disks are sold whole.',
  guards: [
    'Take a snapshot first: what is deleted is gone. What it costs at most is said, and is not taken off the saving.',
    'That a volume is claimed and may be wanted again, by what is scaled to zero or runs as a job, is said as a risk.',
    'Unless its reclaim policy is Delete, its disk outlives the volume and is not seen in the cluster: then nothing is credited when the volume is gone.',
    'Without a price it is withheld.',
  ],
  needs: ['volumes', 'storage_prices'],
  isAboutMoney: true,
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
      unlock: 'Set a price of storage for the cluster.',
    }
  }
  const isReleased = volume.phase === 'released'
  // People know the claim; names of volumes are made up by whoever makes them.
  const shownName = volume.claim === '' ? volume.name : `${volume.namespace}/${volume.claim}`
  const gib = Number((volume.sizeKib / KIB_PER_GIB).toFixed(1))
  const days = daysUnmounted(facts, volume)
  return {
    kind: 'finding',
    target,
    policyNamespace: volume.namespace,
    title: isReleased ? `Volume ${shownName} is released and still kept` : `Volume ${shownName} is mounted by nobody`,
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
    estimatedUsdPerMonth: volume.usdPerMonth,
    bankableUsdPerMonth: volume.usdPerMonth,
    costUsdPerMonth: volume.usdPerMonth,
    risk: isReleased ? 'medium' : 'high',
    confidence: isReleased ? 'high' : 'medium',
    isUrgent: false,
    ...(volume.reclaimPolicy === 'Delete' ? {} : { outlivesObject: true as const }),
    basis: `${volume.phase} ${volume.sizeKib} ${volume.claim}`,
    checks: [
      isReleased
        ? passed('Its claim is gone', `phase ${volume.phase}`)
        : passed(`No pod has mounted it for ${DAYS_UNMOUNTED_MIN} days`, `${days} days`),
      unchecked('Nobody needs what is on it', 'take a snapshot first'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      savingLines: [volumeLine(`${gib} GiB of ${volume.storageClass}`, volume, priceOfVolume(volume))],
      confidenceReasons: [isReleased ? 'Its claim is gone.' : `No pod has mounted it for ${days} days.`],
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

/** A volume that is released still names the claim that it had. */
const isClaimed = ({ phase, claim }: VolumeFacts) => phase === 'bound' && claim !== ''

/** Deleting an object of the cluster saves nothing where the disk stays at the provider. */
function howToDelete(volume: VolumeFacts, gib: number): string {
  const { name, namespace, claim, reclaimPolicy } = volume
  const snapshot = `Take a snapshot of volume ${name} (${gib} GiB)`
  const what = isClaimed(volume) ? `its claim ${namespace}/${claim}` : 'the volume'
  if (reclaimPolicy === 'Delete')
    return isClaimed(volume)
      ? `${snapshot} and delete ${what}: the volume and its disk go with it.`
      : `${snapshot}, delete ${what}, and look at the provider whether its disk went with it.`
  const all = isClaimed(volume) ? `${what}, the volume` : what
  const stays =
    reclaimPolicy === '' ? 'unless its reclaim policy is Delete,' : `its reclaim policy is ${reclaimPolicy}:`
  return `${snapshot}, then delete ${all} and its disk at the provider; ${stays} the disk stays and is paid for until it is deleted there.`
}

function caveatsOf(volume: VolumeFacts, usdPerMonth: number): string[] {
  const rare = 'A workload that is scaled to zero, or a job that runs rarely, may want it again.'
  return [
    ...(isClaimed(volume) ? [rare] : []),
    'What is on it may have to be kept for other reasons.',
    snapshotCaveat(volume.snapshotUsdPerMonth ?? null, usdPerMonth),
  ]
}

/** Snapshots are paid by the blocks that are in use, which nobody tells of a volume that is not mounted. */
function snapshotCaveat(snapshotUsd: number | null, volumeUsd: number): string {
  if (snapshotUsd === null) return 'A snapshot is paid for as long as it is kept, which is not taken off here.'
  const most = `A snapshot costs up to ${showUsd(snapshotUsd)} a month for as long as it is kept, if the volume is full, which is not taken off here`
  return snapshotUsd < volumeUsd ? `${most}.` : `${most}: that may be more than the volume costs.`
}
