import { isNothing } from '../allocation/pod-request.ts'
import type { PodSpan } from '../allocation/pod-span.ts'

const POD_ROW = '(pod)'

/** The names of the rows that `writePod` adds, in order. */
export function rowNames({ request: { containers, pod } }: PodSpan): string[] {
  const names = containers.map(({ name }) => name)
  return isNothing(pod) ? names : [...names, POD_ROW]
}
