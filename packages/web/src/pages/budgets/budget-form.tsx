import type { BudgetPeriod, BudgetPreview, CostScope } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { budgetPreviewQuery } from '../../api/queries.ts'
import { dollars } from '../../format/money.ts'
import { number } from '../../format/quantity.ts'
import { Field, Options, TextField } from '../../parts/controls.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

type RecurringPeriod = Exclude<BudgetPeriod, 'once'>

type Props = { onClose: () => void; onMade: () => void }

const periods = [
  ['month', 'Month'],
  ['quarter', 'Quarter'],
  ['year', 'Year'],
] as const

const listOf = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

export function BudgetForm({ onClose, onMade }: Props) {
  const [name, setName] = useState('')
  const [period, setPeriod] = useState<RecurringPeriod>('month')
  const [amount, setAmount] = useState('')
  const [teams, setTeams] = useState('')
  const [namespaces, setNamespaces] = useState('')
  const [failure, run, wrong] = useFailure(['/name', '/amount', '/scope'])
  const scope: CostScope = {
    ...(listOf(teams).length > 0 ? { teams: listOf(teams) } : {}),
    ...(listOf(namespaces).length > 0 ? { namespaces: listOf(namespaces) } : {}),
  }
  const dollarsOf = amount === '' ? undefined : Number(amount)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const body = { name, period, amount: dollarsOf ?? 0, scope }
    if (await run(() => api.createBudget({ body }))) onMade()
  }
  return (
    <Dialog title="Create budget" onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Name" value={name} onChange={setName} wrong={wrong('/name')} required />
        <TextField label="Teams" hint="Comma-separated. Empty: all teams" value={teams} onChange={setTeams} />
        <TextField
          label="Namespaces"
          hint="Comma-separated. Empty: all namespaces"
          value={namespaces}
          onChange={setNamespaces}
          wrong={wrong('/scope')}
        />
        <Field label="Period">
          <select className="input" value={period} onChange={(event) => setPeriod(event.target.value as typeof period)}>
            <Options of={periods} />
          </select>
        </Field>
        <TextField
          label="Amount in $ per period"
          type="number"
          min={0}
          max={1e12}
          step="0.01"
          value={amount}
          onChange={setAmount}
          wrong={wrong('/amount')}
          required
        />
        <Preview scope={scope} period={period} amount={dollarsOf} onUse={setAmount} />
        {failure}
        <div className="flex gap-2">
          <button type="submit" className="button button-primary">
            Create budget
          </button>
          <button type="button" className="button button-quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type PreviewProps = {
  scope: CostScope
  period: RecurringPeriod
  amount: number | undefined
  onUse: (amount: string) => void
}

/** What the scope matches, the suggested amount, and how the past periods would have ended. */
function Preview({ scope, period, amount, onUse }: PreviewProps) {
  const preview = useQuery(budgetPreviewQuery(scope, period))
  return (
    <QueryState query={preview} what="The preview">
      {({ matches, suggested_amount: suggested, periods }) => (
        <div className="grid gap-2 text-ink-2">
          <p>
            {matches.workloads === 0
              ? 'No workload matches these filters today.'
              : `${number(matches.workloads)} workloads match, ${dollars(matches.usd_per_day)} in the last 24 hours.`}
          </p>
          {suggested !== null && (
            <p>
              Suggested per {period}: {dollars(suggested)}, from the mean of the last three months + 10 %.{' '}
              <button type="button" className="link" onClick={() => onUse(String(suggested))}>
                Use
              </button>
            </p>
          )}
          <PastPeriods periods={periods} period={period} amount={amount} />
        </div>
      )}
    </QueryState>
  )
}

type PastProps = { periods: BudgetPreview['periods']; period: RecurringPeriod; amount: number | undefined }

function PastPeriods({ periods, period, amount }: PastProps) {
  if (periods.length === 0) return <p>No complete {period} yet.</p>
  const over = periods.filter(({ usd }) => amount !== undefined && usd > amount).length
  return (
    <p>
      {amount !== undefined && `${over} of the last ${periods.length} ${period}s would have been over. `}
      {periods.map(({ key, usd }) => `${key}: ${dollars(usd)}`).join(' · ')}
    </p>
  )
}
