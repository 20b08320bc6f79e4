import type { OperationInput, PriceOverrideKind } from '@plimsoll/contract'

export const draftFields = [
  'cluster_id',
  'provider',
  'region',
  'instance_type',
  'capacity_type',
  'os',
  'usd_per_hour',
  'percent',
  'usd_per_vcpu_month',
  'usd_per_gib_month',
  'usd_per_gpu_month',
  'usd_per_storage_gib_month',
  'effective_from',
  'note',
] as const

export type DraftField = (typeof draftFields)[number]

/** The input of the form; empty fields are not sent. */
export type OverrideDraft = Readonly<Partial<Record<DraftField, string>>>

/** A discount needs a provider, so one is preselected; a node price can apply to any provider. */
export const draftFor = (kind: PriceOverrideKind, typed: OverrideDraft): OverrideDraft =>
  kind === 'discount' && (typed.provider ?? '') === '' ? { ...typed, provider: 'aws' } : typed

const always: readonly DraftField[] = ['cluster_id', 'effective_from', 'note']

const ofKind: Record<PriceOverrideKind, readonly DraftField[]> = {
  discount: ['provider', 'percent'],
  node_price: ['instance_type', 'usd_per_hour', 'provider', 'region', 'capacity_type', 'os'],
  custom_rates: ['usd_per_vcpu_month', 'usd_per_gib_month', 'usd_per_gpu_month', 'usd_per_storage_gib_month'],
}

type NewOverride = OperationInput<'createPriceOverride'>['body']

/** Input of another kind stays in the form but is not sent. Amounts are sent as text to keep all digits. */
export function overrideBody(kind: PriceOverrideKind, draft: OverrideDraft): NewOverride {
  const typed = [...always, ...ofKind[kind]].map((field) => [field, draft[field]?.trim() ?? ''] as const)
  const sent = typed.filter(([, text]) => text !== '')
  return { kind, ...Object.fromEntries(sent.map(([field, text]) => [field, sentAs(field, text)])) }
}

const sentAs = (field: DraftField, text: string) => (field === 'effective_from' ? inUtc(text) : text)

/** The browser field has no time zone; its value is UTC. */
const inUtc = (text: string) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text)
