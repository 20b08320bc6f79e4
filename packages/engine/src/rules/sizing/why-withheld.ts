import type { Unknown, Withheld as NotSized } from '../../rightsizing/guards.ts'
import type { Target, Withheld } from '../finding.ts'

/** What right-sizing says when it says nothing, in words that tell what would change that. */
export function whyWithheld(target: Target, because: Unknown | NotSized): Withheld {
  return { kind: 'withheld', target, ...(because.kind === 'unknown' ? ofUnknown(because) : ofWithheld(because)) }
}

type Words = Pick<Withheld, 'reason' | 'detail' | 'unlock'>

function ofUnknown(because: Unknown): Words {
  switch (because.reason) {
    case 'no_samples':
      return {
        reason: 'too_little_history',
        detail: 'Nothing is known about what it uses.',
        unlock: 'Give the agent a source of metrics; data quality shows what arrives.',
      }
    case 'short_history':
      return {
        reason: 'too_little_history',
        detail: `${known(because.days)} of its use are known, ${because.daysMin} days are needed.`,
        unlock: 'Wait, or let the policy ask for fewer days.',
      }
    case 'sparse_samples':
      return {
        reason: 'low_coverage',
        detail: `${percent(because.coverage)} of the expected samples are there, ${percent(because.coverageMin)} are needed.`,
        unlock: 'It is decided when the last days are complete; the policy says how complete.',
      }
    case 'image_changed':
      return {
        reason: 'too_fresh',
        detail: `Its image is ${(because.days * 24).toFixed(0)} hours old: what the one before used proves nothing.`,
        unlock: 'It is decided when the new image has run for a day.',
      }
  }
}

const known = (days: number) => (days >= 1 ? `${days.toFixed(1)} days` : `${Math.floor(24 * days)} hours`)

function ofWithheld(because: NotSized): Words {
  switch (because.reason) {
    case 'managed_by':
      return {
        reason: 'managed_by',
        detail: `${because.manager} sets the requests of this container.`,
        unlock:
          'Follow what it says, or let it write requests no longer: of a VerticalPodAutoscaler, set updateMode to Off.',
      }
    case 'autoscaled_on_cpu':
      return {
        reason: 'autoscaled',
        detail: 'Replicas are scaled by CPU utilisation: another CPU request would move the point at which they are.',
        unlock: 'Change request and target together, so that their product stays.',
      }
    case 'replicas_differ':
      return {
        reason: 'unequal_replicas',
        detail: `Its busiest pod uses ${because.unevenness.toFixed(1)} times the mean; beyond ${because.max} one request is wrong for most.`,
        unlock: 'Spread the load more evenly, or split the workload by what its pods do.',
      }
    case 'ordinal_outlier':
      return {
        reason: 'unequal_replicas',
        detail: `Replica ${because.ordinal} does other work than its siblings.`,
        unlock: 'Give it a workload of its own, then both can be sized.',
      }
    case 'too_spiky':
      return {
        reason: 'too_spiky',
        detail: `${percent(because.share)} of its use is above the 95th percentile: no constant request is right.`,
        unlock: 'It is decided when its use is steadier.',
      }
    case 'jvm_heap_unknown':
      return {
        reason: 'heap_unknown',
        detail: 'A Java machine keeps the heap it has taken, so its use says nothing about its need.',
        unlock: 'Tell the largest heap with plimsoll.dev/jvm-heap.',
      }
  }
}

const percent = (share: number) => `${(Number.isFinite(share) ? share * 100 : 0).toFixed(0)} %`
