import { decimal } from '@plimsoll/engine'
import { scaledDifference, type Comparison, type Pair, type StepCredit } from '@plimsoll/engine/changes'
import type { CloudResourceCostRow } from '../../ingest/index.ts'
import type { CreditedParts } from '../../recommendations/index.ts'
import type { HourWindow } from '../parse-window.ts'

const parts = { volume: 'storage', balancer: 'load_balancers', control_plane: 'fees' } as const

type Compared = { comparison: Comparison; windows: Pair<Pick<HourWindow, 'from' | 'to'>> }

/**
 * The scaled effects of each cloud resource, without the effect `hours`. A step gets a credit only if it was applied
 * between the start of the earlier window and the end of the later one.
 */
export function creditResources(
  costs: readonly CloudResourceCostRow[],
  resources: CreditedParts['resources'],
  { comparison, windows }: Compared,
): StepCredit[] {
  return costs.flatMap(({ uid, kind, before, now }) => {
    const step = resources.get(uid)
    if (!step || step.appliedAt <= windows.before.from || step.appliedAt >= windows.now.to) return []
    const usd = scaledDifference({ before: decimal(before), now: decimal(now) }, comparison)
    return usd === 0n ? [] : [{ stepId: step.id, part: parts[kind], usd }]
  })
}
