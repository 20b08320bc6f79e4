import type { PolicyList, PolicySettings } from '@plimsoll/contract'
import { exactDollars } from '../../../format/money.ts'
import { bytes, cores, count, percentNumber } from '../../../format/quantity.ts'

export type Settings = PolicyList['defaults']

/** The dial and the node pools have sections of their own. */
export type SettingName = Exclude<keyof PolicySettings, 'dial' | 'node_pool_scaling'>

type Named<Name extends SettingName> = { name: Name; label: string; words: (value: Settings[Name]) => string }

type NumberField = Named<'min_history_days' | 'min_savings' | 'min_cpu_millicores' | 'min_memory_mib'> & {
  kind: 'number'
  unit: string
}
type ShareField = Named<'min_coverage'> & { kind: 'share'; unit: string }
type ChoiceField = Named<'include_system_namespaces' | 'excluded'> & {
  kind: 'choice'
  /** What stands first: that advice is given. */
  given: boolean
}
type LabelsField = Named<'owner_labels'> & { kind: 'labels' }

export type PolicyField = NumberField | ShareField | ChoiceField | LabelsField

export const policyFields: readonly PolicyField[] = [
  {
    kind: 'number',
    name: 'min_history_days',
    label: 'History that is needed before advice is given',
    unit: 'days',
    words: (days) => count(days, 'day'),
  },
  {
    kind: 'share',
    name: 'min_coverage',
    label: 'Share of the expected samples that must have arrived',
    unit: '%',
    words: (share) => `${percentNumber(share)} %`,
  },
  {
    kind: 'number',
    name: 'min_savings',
    label: 'Savings below this are withheld',
    unit: '$/mo',
    words: (usd) => `${exactDollars(usd)}/mo`,
  },
  {
    kind: 'number',
    name: 'min_cpu_millicores',
    label: 'No CPU request is advised below',
    unit: 'm',
    words: cores,
  },
  {
    kind: 'number',
    name: 'min_memory_mib',
    label: 'No memory request is advised below',
    unit: 'MiB',
    words: (mib) => bytes(mib * 1024 ** 2),
  },
  {
    kind: 'choice',
    name: 'include_system_namespaces',
    label: 'Advice for system namespaces such as kube-system',
    given: true,
    words: (isGiven) => (isGiven ? 'given' : 'not given'),
  },
  {
    kind: 'choice',
    name: 'excluded',
    label: 'Advice of any kind',
    given: false,
    words: (isExcluded) => (isExcluded ? 'none' : 'given'),
  },
  {
    kind: 'labels',
    name: 'owner_labels',
    label: 'Labels that name an owner',
    words: (labels) => (labels.length === 0 ? 'none' : labels.join(', ')),
  },
]

export function wordsFor(field: PolicyField, settings: Settings): string {
  // Each field knows the words for its own kind of value, which the type of a table cannot say.
  const words = field.words as (value: unknown) => string
  return words(settings[field.name])
}

/** As it stands in its input. */
export function textFor(field: PolicyField, settings: Settings): string {
  if (field.kind === 'labels') return settings.owner_labels.join(', ')
  return String(field.kind === 'share' ? percentNumber(settings.min_coverage) : settings[field.name])
}

/** What is no number is sent as it was typed: the service says what is wrong with it. */
export function valueFor(field: PolicyField, text: string): unknown {
  if (field.kind === 'choice') return text === 'true'
  if (field.kind === 'labels') return text.split(/[\s,]+/).filter((label) => label !== '')
  const value = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(value)) return text
  return field.kind === 'share' ? value / 100 : value
}
