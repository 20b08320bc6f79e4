import {
  bothOf,
  parseAggregates,
  parseFilter,
  parseOpencostStep,
  parseOpencostWindow,
  type Aggregate,
  type Filter,
} from '@plimsoll/engine/opencost'
import { accumulations, parseHourWindow, planSets, type SetPlan } from '../costs/index.ts'
import { Problem } from '../platform/http/problem.ts'
import { oldFilters, type OldFilterQuery } from './old-filters.ts'

export type SelectionQuery = { window?: string; filter?: string } & OldFilterQuery

export const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'opencost', detail }] })

export function readWindow(text: string | undefined, now: Date) {
  const parsed = parseOpencostWindow(text === undefined || text === '' ? '7d' : text, now)
  if (parsed.kind === 'invalid') throw refuse('window', parsed.reason)
  return parseHourWindow('window', parsed.value)
}

export function readFilter(query: SelectionQuery): Filter {
  const parsed = parseFilter(query.filter ?? '')
  if (parsed.kind === 'invalid') throw refuse('filter', parsed.reason)
  return bothOf([parsed.value, ...oldFilters(query)])
}

export function readAggregates(parameter: string, text: string): readonly Aggregate[] {
  const parsed = parseAggregates(text)
  if (parsed.kind === 'invalid') throw refuse(parameter, parsed.reason)
  return parsed.value
}

type StepQuery = { step?: string; accumulate?: string; accumulateBy?: string }

const hourlyHoursMax = 7 * 24

export function readPlan(window: { from: Date; to: Date }, query: StepQuery): SetPlan {
  const plan = planSets(window, setLength(query))
  const hours = (window.to.getTime() - window.from.getTime()) / 3_600_000
  if (plan.step === 'hour' && hours > hourlyHoursMax)
    throw refuse('step', `sets that are not whole UTC days need a window of at most ${hourlyHoursMax} hours`)
  return plan
}

function setLength({ step, accumulate, accumulateBy }: StepQuery) {
  const [name, value] = isGiven(accumulateBy)
    ? (['accumulateBy', accumulateBy] as const)
    : (['accumulate', accumulate] as const)
  if (isGiven(value) && (value === 'all' || isTrue(value))) return 'all'
  const by = accumulations.find((each) => each === value)
  if (by !== undefined) return by
  if (isGiven(value) && value !== 'none' && !isFalse(value))
    throw refuse(name, `must be true, false, all or one of ${accumulations.join(', ')}`)
  if (!isGiven(step)) return 'all'
  const length = parseOpencostStep(step)
  if (length === undefined || length === 0 || length % 3_600_000 !== 0)
    throw refuse('step', 'must be whole hours, such as 1h, 1d or 1w')
  return length
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''

/** As Go reads booleans. */
export const isTrue = (text: string | undefined) => /^(true|True|TRUE|t|T|1)$/.test(text ?? '')
export const isFalse = (text: string | undefined) => /^(false|False|FALSE|f|F|0)$/.test(text ?? '')

export function readIdle({
  includeIdle,
  idle,
  shareIdle,
}: {
  includeIdle?: string
  idle?: string
  shareIdle?: string
}) {
  if (shareIdle === 'weighted' || isTrue(shareIdle)) return 'shared'
  if (isGiven(shareIdle) && shareIdle !== 'none' && !isFalse(shareIdle))
    throw refuse('shareIdle', 'must be true, false or weighted')
  return isTrue(includeIdle) || isTrue(idle) ? 'separate' : 'none'
}
