import type { Budget } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { clustersQuery } from '../../api/queries.ts'
import { bodyOf, editOf, fieldsOf, scopeOfFields, type BudgetFields } from '../../format/budget-form.ts'
import { Field, Options, TextField, Wrong } from '../../parts/controls.tsx'
import { Dialog, FormActions } from '../../parts/dialog.tsx'
import { useFailure } from '../../parts/states.tsx'
import { useMayOpen } from '../../shell/page-access.ts'
import { BudgetPreview } from './budget-preview.tsx'

type Props = {
  /** Undefined: a new budget. */
  budget?: Budget | undefined
  budgets: readonly Budget[]
  onClose: () => void
  onSaved: () => void
}

const periods = [
  ['month', 'Month'],
  ['quarter', 'Quarter'],
  ['year', 'Year'],
  ['once', 'Once, from and to a day'],
] as const

const pointers = [
  '/name',
  '/amount',
  '/amounts',
  '/from',
  '/to',
  '/growth_percent',
  '/parent_id',
  '/thresholds',
  '/reason',
  '/scope',
  '/share',
]

export function BudgetForm({ budget, budgets, onClose, onSaved }: Props) {
  const [before] = useState(() => fieldsOf(budget))
  const [fields, setFields] = useState(before)
  const [failure, run, wrong] = useFailure(pointers)
  const set = (change: Partial<BudgetFields>) => setFields((known) => ({ ...known, ...change }))
  const text = (name: TextName) => ({ value: fields[name], onChange: (value: string) => set({ [name]: value }) })
  const { period } = fields
  const save = () =>
    budget
      ? api.updateBudget({ params: { budget_id: budget.id }, body: editOf(before, fields), ifMatch: budget.etag })
      : api.createBudget({ body: { ...bodyOf(fields), period } })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isUnchanged = budget !== undefined && Object.keys(editOf(before, fields)).length === 0
    if (isUnchanged || (await run(save))) onSaved()
  }
  return (
    <Dialog title={budget ? `Edit ${budget.name}` : 'Create budget'} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" {...text('name')} wrong={wrong('/name')} required />
        <ScopeFields fields={fields} set={set} wrong={wrong('/scope')} />
        <div>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={fields.share} onChange={(event) => set({ share: event.target.checked })} />
            Include shared cost, as statements do
          </label>
          {wrong('/share') !== undefined && <Wrong>{wrong('/share')}</Wrong>}
        </div>
        {!budget && (
          <Field label="Period">
            <select
              className="input"
              value={period}
              onChange={(event) => set({ period: event.target.value as BudgetFields['period'] })}
            >
              <Options of={periods} />
            </select>
          </Field>
        )}
        {period === 'once' && (
          <div className="flex flex-wrap gap-4">
            <TextField label="First day (UTC)" type="date" required {...text('from')} wrong={wrong('/from')} />
            <TextField label="Last day (UTC)" type="date" required {...text('lastDay')} wrong={wrong('/to')} />
          </div>
        )}
        <TextField
          label={period === 'once' ? 'Amount in $' : 'Amount in $ per period'}
          {...money}
          {...text('amount')}
          wrong={wrong('/amount')}
          required
        />
        {period !== 'once' && (
          <BudgetPreview
            scope={scopeOfFields(fields)}
            share={fields.share}
            period={period}
            amount={fields.amount === '' ? undefined : Number(fields.amount)}
            onUse={(amount) => set({ amount })}
          />
        )}
        <details>
          <summary className="cursor-pointer">Growth, single periods, alerts and parent</summary>
          <div className="mt-3 grid gap-4">
            {period !== 'once' && (
              <TextField
                label="Amounts of single periods in $"
                hint={`Comma-separated, such as ${amountExamples[period]}. They replace the amount of their period`}
                {...text('amounts')}
                wrong={wrong('/amounts')}
              />
            )}
            <TextField
              label="Growth in % per period"
              type="number"
              min={-100}
              max={1000}
              step="any"
              {...text('growth')}
              wrong={wrong('/growth_percent')}
              required
            />
            <TextField
              label="Alert thresholds, % of the amount"
              hint="Comma-separated, at most 5. Empty: no alert"
              {...text('thresholds')}
              wrong={wrong('/thresholds')}
            />
            <label className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={fields.warnsByForecast}
                onChange={(event) => set({ warnsByForecast: event.target.checked })}
              />
              Alert when the cost is very likely to exceed the amount
            </label>
            <Field
              label="Parent budget"
              hint="The scope of the parent must contain this scope"
              wrong={wrong('/parent_id')}
            >
              <select
                className="input"
                value={fields.parentId}
                onChange={(event) => set({ parentId: event.target.value })}
              >
                <Options of={[['', 'None'], ...parentsOf(budgets, period, budget)]} />
              </select>
            </Field>
          </div>
        </details>
        {budget && (
          <TextField
            label="Reason"
            hint="Appears in the history"
            maxLength={500}
            {...text('reason')}
            wrong={wrong('/reason')}
          />
        )}
        {failure}
        <FormActions word={budget ? 'Save' : 'Create budget'} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

type TextName = Exclude<keyof BudgetFields, 'period' | 'clusters' | 'share' | 'warnsByForecast' | 'parentId'>

const amountExamples = { month: '2026-01=2000', quarter: '2026-Q1=6000', year: '2026=24000' }

const money = { type: 'number', min: 0, max: 1e12, step: '0.01' } as const

const parentsOf = (budgets: readonly Budget[], period: BudgetFields['period'], own: Budget | undefined) =>
  budgets
    .filter((each) => each.period === period && each.id !== own?.id)
    .map(({ id, name }): [string, string] => [id, name])

type ScopeProps = {
  fields: BudgetFields
  set: (change: Partial<BudgetFields>) => void
  wrong: string | undefined
}

/** All given fields must match; the values of a field are alternatives. */
function ScopeFields({ fields, set, wrong }: ScopeProps) {
  const mayOpen = useMayOpen()
  const clusters = useQuery({ ...clustersQuery, enabled: mayOpen('/clusters') })
  const toggle = (id: string, isOn: boolean) =>
    set({ clusters: isOn ? [...fields.clusters, id] : fields.clusters.filter((each) => each !== id) })
  return (
    <>
      {clusters.data && clusters.data.clusters.length > 0 && (
        <fieldset className="field">
          <legend>Clusters</legend>
          <div className="flex max-h-32 flex-wrap gap-x-4 gap-y-1 overflow-y-auto">
            {clusters.data.clusters.map(({ id, name }) => (
              <label key={id} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  checked={fields.clusters.includes(id)}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                {name}
              </label>
            ))}
          </div>
          <span>None selected: all clusters</span>
        </fieldset>
      )}
      <TextField
        label="Namespaces"
        hint="Comma-separated. Empty: all namespaces"
        value={fields.namespaces}
        onChange={(namespaces) => set({ namespaces })}
        wrong={wrong}
      />
      <TextField
        label="Teams"
        hint="Comma-separated. Empty: all teams"
        value={fields.teams}
        onChange={(teams) => set({ teams })}
      />
      <TextField
        label="Labels"
        hint="Comma-separated, as key=value. Empty: all labels"
        value={fields.labels}
        onChange={(labels) => set({ labels })}
      />
      <TextField
        label="Workloads"
        hint="Comma-separated, as namespace/kind/name. Empty: all workloads"
        value={fields.workloads}
        onChange={(workloads) => set({ workloads })}
      />
    </>
  )
}
