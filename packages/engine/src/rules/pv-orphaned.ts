import { KIB_PER_GIB } from '../units.ts'
import type { ClusterFacts, VolumeFacts } from './cluster-facts.ts'
import { passed, unchecked } from './checks.ts'
import { NO_EVIDENCE, type Verdict } from './finding.ts'
import type { Rule } from './rule.ts'
import { priceOfVolume, volumeLine } from './saving-lines.ts'

const DAYS_UNMOUNTED_MIN = 7
const SECONDS_PER_DAY = 86_400

export const pvOrphaned: Rule = {
  id: 'pv_orphaned',
  category: 'storage',
  title: 'Volumes that nobody uses',
  description:
    'A volume that was released, or is claimed and mounted by no pod, is still paid for. Take a snapshot and delete it, or delete its claim.',
  trigger: 'A volume is released, or no pod has mounted it for 7 days.',
  saving: 'Size × price.',
  guards: [
    'Take a snapshot first: what is deleted is gone.',
    'A volume of a workload that is scaled to zero or runs as a job is shown as such a risk.',
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
      unlock: 'Set usd_per_storage_gib_month for the cluster.',
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
      summary: isReleased
        ? `Take a snapshot of volume ${volume.name} (${gib} GiB) and delete it.`
        : `Take a snapshot of volume ${volume.name} (${gib} GiB) and delete its claim ${volume.namespace}/${volume.claim}.`,
      fields: [],
    },
    estimatedUsdPerMonth: volume.usdPerMonth,
    bankableUsdPerMonth: volume.usdPerMonth,
    costUsdPerMonth: volume.usdPerMonth,
    risk: isReleased ? 'medium' : 'high',
    confidence: isReleased ? 'high' : 'medium',
    isUrgent: false,
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
      caveats: [
        'A workload that is scaled to zero, or a job that runs rarely, may want it again.',
        'What is on it may have to be kept for other reasons.',
      ],
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
