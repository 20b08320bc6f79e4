import type { PriceOverrideKind } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { clustersQuery } from '../../../api/queries.ts'
import { providers } from '../../../format/labels.ts'
import { Field, Options, TextField } from '../../../parts/controls.tsx'
import type { DraftField, OverrideDraft } from './override-draft.ts'

type Bound = {
  draft: OverrideDraft
  wrong: (field: DraftField) => string | undefined
  set: (field: DraftField, text: string) => void
}

type TextProps = Bound & {
  field: DraftField
  label: string
  className: string
  isNeeded?: boolean
  placeholder?: string
  inputMode?: 'decimal'
}

function Text({ draft, wrong, set, field, isNeeded = false, ...input }: TextProps) {
  return (
    <TextField
      required={isNeeded}
      wrong={wrong(field)}
      value={draft[field] ?? ''}
      onChange={(text) => set(field, text)}
      {...input}
    />
  )
}

/** Opens the number keyboard on a phone. */
const Amount = (props: Omit<TextProps, 'className'>) => <Text className="w-40" inputMode="decimal" {...props} />

type ChoiceProps = Bound & {
  field: DraftField
  label: string
  className: string
  isNeeded?: boolean
  options: readonly (readonly [value: string, word: string])[]
}

function Choice({ draft, wrong, set, field, label, className, isNeeded = false, options }: ChoiceProps) {
  return (
    <Field label={label} wrong={wrong(field)}>
      <select
        className={`input ${className}`}
        required={isNeeded}
        value={draft[field] ?? ''}
        onChange={(event) => set(field, event.target.value)}
      >
        <Options of={options} />
      </select>
    </Field>
  )
}

/** A discount applies to all list prices of a provider, in every region. */
const Discount = (bound: Bound) => (
  <>
    <Choice {...bound} field="provider" label="Provider" className="w-32" isNeeded options={providers} />
    <Amount {...bound} field="percent" label="Discount on list prices, %" isNeeded />
  </>
)

const NodePrice = (bound: Bound) => (
  <>
    <Text {...bound} field="instance_type" label="Instance type" className="w-44" isNeeded placeholder="m5.xlarge" />
    <Amount {...bound} field="usd_per_hour" label="$ per hour" isNeeded />
    <Choice {...bound} field="provider" label="Provider" className="w-32" options={[['', 'any'], ...providers]} />
    <Text {...bound} field="region" label="Region" className="w-40" placeholder="any" />
    <Choice {...bound} field="capacity_type" label="Capacity type" className="w-36" options={soldAs} />
    <Choice {...bound} field="os" label="Operating system" className="w-32" options={systems} />
  </>
)

const soldAs = [
  ['', 'any'],
  ['on-demand', 'on-demand'],
  ['spot', 'spot'],
] as const

const systems = [
  ['', 'Linux'],
  ['windows', 'Windows'],
] as const

const Rates = (bound: Bound) => (
  <>
    <Amount {...bound} field="usd_per_vcpu_month" label="$ per vCPU-month" />
    <Amount {...bound} field="usd_per_gib_month" label="$ per GiB-month of memory" />
    <Amount {...bound} field="usd_per_gpu_month" label="$ per GPU-month" />
    <Amount {...bound} field="usd_per_storage_gib_month" label="$ per GiB-month of storage" />
  </>
)

export const fieldsOf: Record<PriceOverrideKind, (bound: Bound) => ReactNode> = {
  discount: Discount,
  node_price: NodePrice,
  custom_rates: Rates,
}

export function ClusterChoice({ isNeeded, ...bound }: Bound & { isNeeded: boolean }) {
  const { data } = useQuery(clustersQuery)
  const all = (data?.clusters ?? []).map(({ id, name }) => [id, name] as const)
  const none = ['', isNeeded ? 'select a cluster' : 'all clusters'] as const
  return (
    <Choice
      {...bound}
      field="cluster_id"
      label="Cluster"
      className="w-44"
      isNeeded={isNeeded}
      options={[none, ...all]}
    />
  )
}

const hourSeconds = 3600

export function WhenAndWhy({ draft, wrong, set }: Bound) {
  return (
    <>
      <TextField
        label="Start (UTC)"
        hint="A full hour. Default: the current hour"
        className="w-52"
        type="datetime-local"
        step={hourSeconds}
        wrong={wrong('effective_from')}
        value={draft.effective_from ?? ''}
        onChange={(text) => set('effective_from', text)}
      />
      <TextField
        label="Note"
        className="w-56"
        maxLength={100}
        placeholder="Contract 2026"
        wrong={wrong('note')}
        value={draft.note ?? ''}
        onChange={(text) => set('note', text)}
      />
    </>
  )
}
