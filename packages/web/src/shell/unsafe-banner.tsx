import type { UnsafeKind, UnsafeNow } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { change } from '../format/money.ts'
import { fixesWords, goToWords, type PlacedSteps } from '../format/plan-words.ts'
import { count } from '../format/quantity.ts'
import { keepCluster } from './menu-pages.ts'
import { Icon } from '../parts/icon.tsx'

const kindWords: Record<UnsafeKind, string> = {
  oom_killed: 'OOM-killed',
  throttled: 'throttled',
  crash_looping: 'in CrashLoopBackOff',
  regressed: 'regressed after a change',
}

const kinds = ['oom_killed', 'crash_looping', 'regressed', 'throttled'] as const

/** "2 workloads are failing: 1 OOM-killed, 1 throttled". */
export function unsafeWords(unsafe: UnsafeNow): string {
  const parts = kinds.filter((kind) => unsafe[kind] > 0).map((kind) => `${unsafe[kind]} ${kindWords[kind]}`)
  return `${count(unsafe.workloads, 'workload is', 'workloads are')} failing: ${parts.join(', ')}`
}

type Props = {
  unsafe: UnsafeNow
  /** The steps with the place that the list shows. With several clusters it differs from the number in the cluster. */
  steps?: PlacedSteps
}

/** Workloads that fail with their current requests and limits, and the step that protects them. */
export function UnsafeBanner({ unsafe, steps = [] }: Props) {
  const { examples, step } = unsafe
  if (unsafe.workloads === 0) return null
  const [first] = examples
  const others = unsafe.workloads - examples.length
  return (
    <div className="unsafe" role="alert">
      <Icon name="alert" />
      <div className="min-w-0 grow">
        <p className="unsafe-title">{unsafeWords(unsafe)}</p>
        <p className="text-sm text-ink-2">
          {examples.map(({ recommendation_id: id, namespace, name, kind }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to="/recommendations/$id" params={{ id }} search={keepCluster} className="link">
                {namespace}/{name}
              </Link>{' '}
              {kindWords[kind]}
            </span>
          ))}
          {others > 0 && ` and ${others} more`}
        </p>
      </div>
      {step ? (
        <>
          <span className="text-right text-sm text-ink-2 max-phone:hidden">
            {fixesWords(unsafe, steps)}
            {step.savings !== 0 && <b className="block text-md text-ink">{change(-step.savings)}/month</b>}
          </span>
          <Link to="/recommendations" search={keepCluster} hash={step.id} className="button">
            {goToWords(step.id, steps)}
          </Link>
        </>
      ) : (
        first && (
          <Link
            to="/recommendations/$id"
            params={{ id: first.recommendation_id }}
            search={keepCluster}
            className="button"
          >
            Open recommendation
          </Link>
        )
      )}
    </div>
  )
}
