import { SECONDS_STUCK_MIN } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import { podsByWorkload } from './living-pods.ts'

/** By workload: names of pods that hold requests on a node and do not start. The names change with every restart. */
export function stuckPods(state: FoldState): Map<string, string[]> {
  const isStuck = ({ boundAt, versions, node }: Pods[number]) =>
    node !== undefined && versions.at(-1)?.facts.phase === 'pending' && state.watermark - boundAt >= SECONDS_STUCK_MIN
  const stuck = [...podsByWorkload(state)].map(
    ([path, pods]) => [path, pods.filter(isStuck).map(({ name }) => name)] as const,
  )
  return new Map(stuck.filter(([, names]) => names.length > 0))
}

type Pods = NonNullable<ReturnType<ReturnType<typeof podsByWorkload>['get']>>
