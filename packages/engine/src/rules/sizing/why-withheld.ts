import { count } from '../../count.ts'
import type { Unknown, Withheld as NotSized } from '../../rightsizing/guards.ts'
import type { Target, Withheld } from '../finding.ts'

/** The reason why right-sizing has no result, and what would change that. */
export function whyWithheld(target: Target, because: Unknown | NotSized): Withheld {
  return { kind: 'withheld', target, ...(because.kind === 'unknown' ? ofUnknown(because) : ofWithheld(because)) }
}

type Words = Pick<Withheld, 'reason' | 'detail' | 'unlock'>

function ofUnknown(because: Unknown): Words {
  switch (because.reason) {
    case 'no_samples':
      return {
        reason: 'too_little_history',
        detail: 'No usage data.',
        unlock: 'Configure a metrics source. See GET /api/v1/clusters/{id}/data-quality.',
      }
    case 'short_history':
      return {
        reason: 'too_little_history',
        detail: `Usage data covers only ${known(because.days)}; ${because.daysMin} days are required.`,
        unlock: 'Wait, or require fewer days in the policy.',
      }
    case 'sparse_samples':
      return {
        reason: 'low_coverage',
        detail: `Usage coverage is ${percent(because.coverage)}; ${percent(because.coverageMin)} is required.`,
        unlock: 'Wait until the last days are complete, or require less coverage in the policy.',
      }
    case 'image_changed':
      return {
        reason: 'too_fresh',
        detail: `The image is ${(because.days * 24).toFixed(0)} hours old. Usage of the previous image is not representative.`,
        unlock: 'Wait until the new image has run for a day.',
      }
  }
}

const known = (days: number) => (days >= 1 ? `${days.toFixed(1)} days` : count(Math.floor(24 * days), 'hour'))

function ofWithheld(because: NotSized): Words {
  switch (because.reason) {
    case 'managed_by':
      return {
        reason: 'managed_by',
        detail: `${because.manager} sets the requests of this container.`,
        unlock: `Change the requests there, or stop ${because.manager} from setting them (VPA: updateMode Off).`,
      }
    case 'autoscaled_on_cpu':
      return {
        reason: 'autoscaled',
        detail:
          'The HPA scales on CPU utilization. A different CPU request would change the scaling threshold of the HPA.',
        unlock: 'Change request and HPA target together, so that their product stays the same.',
      }
    case 'replicas_differ':
      return {
        reason: 'unequal_replicas',
        detail: `The busiest pod uses ${because.unevenness.toFixed(1)} times the mean CPU. Above ${because.max} times, one request does not fit all pods.`,
        unlock: 'Balance the load, or split the workload.',
      }
    case 'ordinal_outlier':
      return {
        reason: 'unequal_replicas',
        detail: `Replica ${because.ordinal} uses clearly more than the others.`,
        unlock: 'Move this replica to its own workload.',
      }
    case 'too_spiky':
      return {
        reason: 'too_spiky',
        detail: `${percent(because.share)} of the CPU usage is in short peaks above the 95th percentile, so no fixed request fits.`,
        unlock: 'Wait until usage is steadier.',
      }
    case 'jvm_heap_unknown':
      return {
        reason: 'heap_unknown',
        detail: 'A JVM keeps its allocated heap, so memory usage does not show how much it needs.',
        unlock: 'Set the maximum heap with the annotation plimsoll.dev/jvm-heap.',
      }
  }
}

const percent = (share: number) => `${(Number.isFinite(share) ? share * 100 : 0).toFixed(0)} %`
