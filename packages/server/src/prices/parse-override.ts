import type { CreatePriceOverrideBody, PriceOverrideKind } from '@plimsoll/contract'
import { formatDecimal } from '@plimsoll/engine'
import { parsePercent, parsePrice, type PriceReason, type PriceUnit } from '@plimsoll/engine/pricing'
import type { PriceOverrideRow } from './queries/price-overrides.ts'
import { Problem, type FieldError } from '../platform/http/problem.ts'
import { isFullHour, startOfHour } from '@plimsoll/pipeline/prices'

type Field = keyof CreatePriceOverrideBody
type AmountField = keyof typeof amountUnits

const amountUnits = {
  usd_per_hour: 'nodeHour',
  percent: 'percent',
  usd_per_vcpu_month: 'vcpuMonth',
  usd_per_gib_month: 'gibMonth',
  usd_per_gpu_month: 'gpuMonth',
  usd_per_storage_gib_month: 'storageGibMonth',
} as const satisfies Partial<Record<Field, PriceUnit | 'percent'>>

const amountFields = Object.keys(amountUnits) as AmountField[]
const monthlyFields = amountFields.filter((field) => field.endsWith('_month'))

const always: Field[] = ['kind', 'cluster_id', 'effective_from', 'effective_until', 'note']

const fieldsOf: Record<PriceOverrideKind, { required: Field[]; optional: Field[] }> = {
  node_price: {
    required: ['instance_type', 'usd_per_hour'],
    optional: ['provider', 'region', 'capacity_type', 'os'],
  },
  discount: { required: ['provider', 'percent'], optional: [] },
  custom_rates: { required: ['cluster_id'], optional: monthlyFields },
}

/** `refused` are invalid fields that were removed from the body: their meaning is unknown. */
export const overrideErrors = (
  body: CreatePriceOverrideBody,
  now: Date,
  refused: ReadonlySet<string> = new Set(),
): FieldError[] => [
  ...wrongFields(body),
  ...(monthlyFields.some((field) => refused.has(field)) ? [] : missingRates(body)),
  ...wrongAmounts(body),
  ...partialHours(body),
  ...(refused.has('effective_from') ? [] : wrongOrder(body, now)),
]

/** Reports all errors at once, each with a pointer; `others` are errors found elsewhere. */
export function parseOverride(
  body: CreatePriceOverrideBody,
  now: Date,
  others: readonly FieldError[] = [],
): Omit<PriceOverrideRow, 'override_id' | 'created_at'> {
  const errors: FieldError[] = [...overrideErrors(body, now), ...others]
  const [first] = errors
  if (first) throw new Problem('invalid_body', `${first.pointer ?? ''}: ${first.detail}.`, { errors })
  return {
    kind: body.kind,
    cluster_id: body.cluster_id ?? null,
    provider: body.provider?.trim() ?? null,
    region: body.region?.trim() ?? null,
    instance_type: body.instance_type?.trim() ?? null,
    capacity_type: body.capacity_type ?? null,
    os: body.kind === 'node_price' ? (body.os ?? 'linux') : null,
    usd_per_hour: amountOf(body, 'usd_per_hour'),
    percent: amountOf(body, 'percent'),
    usd_per_vcpu_month: amountOf(body, 'usd_per_vcpu_month'),
    usd_per_gib_month: amountOf(body, 'usd_per_gib_month'),
    usd_per_gpu_month: amountOf(body, 'usd_per_gpu_month'),
    usd_per_storage_gib_month: amountOf(body, 'usd_per_storage_gib_month'),
    ...hoursOf(body, now),
    note: body.note ?? null,
  }
}

function wrongFields(body: CreatePriceOverrideBody): FieldError[] {
  const { required, optional } = fieldsOf[body.kind]
  const known: Field[] = [...always, ...required, ...optional]
  const missing = required.filter((field) => body[field] === undefined)
  const stray = (Object.keys(body) as Field[]).filter((field) => !known.includes(field))
  return [
    ...missing.map((field) => wrong(field, 'required', `is required for a ${body.kind}`)),
    ...stray.map((field) => wrong(field, 'not_for_kind', `is not allowed for a ${body.kind}`)),
  ]
}

function missingRates(body: CreatePriceOverrideBody): FieldError[] {
  const isEmpty = body.kind === 'custom_rates' && monthlyFields.every((field) => body[field] === undefined)
  return isEmpty ? [wrong('kind', 'required', `needs one of ${monthlyFields.join(', ')}`)] : []
}

const reasons: Record<PriceReason, string> = {
  'not-a-number': 'is not a number such as 12.5',
  'too-precise': 'has too many decimals',
  'too-large': 'is too large',
  negative: 'is negative',
  absurd: 'is implausibly large; check the unit',
}

function wrongAmounts(body: CreatePriceOverrideBody): FieldError[] {
  return amountFields.flatMap((field) => {
    const parsed = parseAmount(body, field)
    if (parsed?.kind !== 'invalid') return []
    const isShare = field === 'percent' && parsed.reason === 'absurd'
    const why = isShare ? 'must be from 0 to 100' : reasons[parsed.reason]
    return [wrong(field, parsed.reason.replaceAll('-', '_'), `${why}, got ${parsed.text}`)]
  })
}

function parseAmount(body: CreatePriceOverrideBody, field: AmountField) {
  const [sent, unit] = [body[field], amountUnits[field]]
  if (sent === undefined) return undefined
  return unit === 'percent' ? parsePercent(sent) : parsePrice(sent, unit)
}

function amountOf(body: CreatePriceOverrideBody, field: AmountField): string | null {
  const parsed = parseAmount(body, field)
  return parsed?.kind === 'ok' ? formatDecimal(parsed.value) : null
}

function hoursOf({ effective_from: from, effective_until: until }: CreatePriceOverrideBody, now: Date) {
  return {
    effective_from: from === undefined ? startOfHour(now) : new Date(from),
    effective_until: until === undefined ? null : new Date(until),
  }
}

function partialHours(body: CreatePriceOverrideBody): FieldError[] {
  const partial = (['effective_from', 'effective_until'] as const).filter((field) => {
    const sent = body[field]
    return sent !== undefined && !isFullHour(new Date(sent))
  })
  return partial.map((field) => wrong(field, 'full_hour', `must be a full hour, got ${body[field] ?? ''}`))
}

function wrongOrder(body: CreatePriceOverrideBody, now: Date): FieldError[] {
  const { effective_from: from, effective_until: until } = hoursOf(body, now)
  return until !== null && until <= from ? [wrong('effective_until', 'order', 'must be after effective_from')] : []
}

const wrong = (field: Field, code: string, detail: string): FieldError => ({ pointer: `/${field}`, code, detail })
