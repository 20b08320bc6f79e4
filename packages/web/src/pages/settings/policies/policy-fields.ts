import type { PolicyList, PolicySettings } from '@plimsoll/contract'
import { exactDollars } from '../../../format/money.ts'
import { bytes, cores, count, percentNumber } from '../../../format/quantity.ts'

export type Settings = PolicyList['defaults']

/** Sizing policy and node pools have their own sections. */
export type SettingName = Exclude<keyof PolicySettings, 'dial' | 'node_pool_scaling'>

type Named<Name extends SettingName> = { name: Name; label: string; words: (value: Settings[Name]) => string }

type NumberField = Named<'min_history_days' | 'min_savings' | 'min_cpu_millicores' | 'min_memory_mib'> & {
  kind: 'number'
  unit: string
}
type ShareField = Named<'min_coverage'> & { kind: 'share'; unit: string }
type ChoiceField = Named<'include_system_namespaces' | 'excluded'> & {
  kind: 'choice'
  /** The first option: recommendations are on. */
  given: boolean
}
type LabelsField = Named<'owner_labels'> & { kind: 'labels' }

export type PolicyField = NumberField | ShareField | ChoiceField | LabelsField

export const policyFields: readonly PolicyField[] = [
  {
    kind: 'number',
    name: 'min_history_days',
    label: 'Minimum usage history',
    unit: 'days',
    words: (days) => count(days, 'day'),
  },
  {
    kind: 'share',
    name: 'min_coverage',
    label: 'Minimum usage coverage',
    unit: '%',
    words: (share) => `${percentNumber(share)} %`,
  },
  {
    kind: 'number',
    name: 'min_savings',
    label: 'Minimum savings per recommendation',
    unit: '$/month',
    words: (usd) => `${exactDollars(usd)}/month`,
  },
  {
    kind: 'number',
    name: 'min_cpu_millicores',
    label: 'Minimum CPU request',
    unit: 'm',
    words: cores,
  },
  {
    kind: 'number',
    name: 'min_memory_mib',
    label: 'Minimum memory request',
    unit: 'MiB',
    words: (mib) => bytes(mib * 1024 ** 2),
  },
  {
    kind: 'choice',
    name: 'include_system_namespaces',
    label: 'Recommendations for system namespaces such as kube-system',
    given: true,
    words: (isGiven) => (isGiven ? 'on' : 'off'),
  },
  {
    kind: 'choice',
    name: 'excluded',
    label: 'Recommendations for this scope',
    given: false,
    words: (isExcluded) => (isExcluded ? 'off' : 'on'),
  },
  {
    kind: 'labels',
    name: 'owner_labels',
    label: 'Owner labels',
    words: (labels) => (labels.length === 0 ? 'none' : labels.join(', ')),
  },
]

export function wordsFor(field: PolicyField, settings: Settings): string {
  // Each field formats its own kind of value, which the type of the table cannot express.
  const words = field.words as (value: unknown) => string
  return words(settings[field.name])
}

/** The text of the input. */
export function textFor(field: PolicyField, settings: Settings): string {
  if (field.kind === 'labels') return settings.owner_labels.join(', ')
  return String(field.kind === 'share' ? percentNumber(settings.min_coverage) : settings[field.name])
}

/** Text that is not a number is sent unchanged, so that the service reports the error. */
export function valueFor(field: PolicyField, text: string): unknown {
  if (field.kind === 'choice') return text === 'true'
  if (field.kind === 'labels') return text.split(/[\s,]+/).filter((label) => label !== '')
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value)) return text
  return field.kind === 'share' ? value / 100 : value
}
