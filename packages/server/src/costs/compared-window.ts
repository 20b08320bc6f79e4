import type { AllocationComparison } from '@plimsoll/contract'
import { Problem } from '../platform/http/problem.ts'
import { parseCompareWindow, previousWindow, windowOneYearBefore, type HourWindow } from './parse-window.ts'

type ComparisonQuery = { compare?: AllocationComparison; compare_from?: string; compare_to?: string }

/** The window that a request compares with; undefined without a comparison. */
export function comparedWindow(query: ComparisonQuery, window: HourWindow): HourWindow | undefined {
  const { compare, compare_from: from, compare_to: to } = query
  if (from !== undefined || to !== undefined) {
    if (compare !== undefined) throw bothGiven()
    return parseCompareWindow(query, window)
  }
  if (compare === 'previous') return previousWindow(window)
  return compare === 'year' ? windowOneYearBefore(window) : undefined
}

function bothGiven() {
  const detail = 'send either `compare`, or `compare_from` and `compare_to`'
  return new Problem('invalid_parameter', `compare: ${detail}.`, {
    errors: [{ parameter: 'compare', code: 'combination', detail }],
  })
}
