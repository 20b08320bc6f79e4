import type { AlertRule } from '@plimsoll/contract'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { minutesText, ruleLabels, thresholdName, unitOf } from '../../../format/alert-labels.ts'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { Table, type Column } from '../../../parts/table.tsx'

type Edit = { enabled?: boolean; thresholds?: Record<string, number> }

type Props = { rules: readonly AlertRule[]; mayWrite: boolean; onChange: () => Promise<void> }

export function AlertRules({ rules, mayWrite, onChange }: Props) {
  const [failure, run] = useFailure()
  const edit = ({ rule, etag }: AlertRule, body: Edit) =>
    void run(() => api.updateAlertRule({ params: { rule }, body, ifMatch: etag }).then(onChange))
  const columns: Column<AlertRule>[] = [
    {
      header: 'Rule',
      className: 'may-wrap',
      cell: (rule) => (
        <label className="inline-flex items-center gap-2">
          <input
            type="checkbox"
            className="choice"
            checked={rule.enabled}
            disabled={!mayWrite}
            onChange={(event) => edit(rule, { enabled: event.target.checked })}
          />
          <span className="main">{ruleLabels[rule.rule].word}</span>
        </label>
      ),
    },
    { header: 'Fires when', cell: ({ rule }) => ruleLabels[rule].firesWhen, className: 'wrap' },
    {
      header: 'Threshold',
      className: 'may-wrap',
      cell: (rule) => (
        <span className="inline-flex flex-wrap gap-x-3 gap-y-1">
          {rule.thresholds.length === 0 && '–'}
          {rule.thresholds.map((threshold) => (
            <ThresholdInput
              key={`${threshold.name} ${threshold.value}`}
              rule={rule}
              threshold={threshold}
              mayWrite={mayWrite}
              onSet={(value) => edit(rule, { thresholds: { [threshold.name]: value } })}
            />
          ))}
          {rule.note !== null && <span className="text-sm text-ink-3">{rule.note}</span>}
        </span>
      ),
    },
    {
      header: 'Delay / hold',
      className: 'may-wrap',
      cell: ({ for_minutes: wait, hold_minutes: hold }) => `${minutesText(wait)} / ${minutesText(hold)}`,
    },
    { header: 'Fired, 30 days', align: 'end', cell: ({ fired_30_days: fired }) => fired },
  ]
  const on = rules.filter(({ enabled }) => enabled).length
  return (
    <Section
      title="Rules"
      meta="Each alert is sent once, when it fires. Missing data never resolves an alert."
      end={`${on} of ${rules.length} on`}
    >
      {failure}
      <Table label="Rules" columns={columns} rows={rules} rowKey={({ rule }) => rule} isStacked />
    </Section>
  )
}

type ThresholdProps = {
  rule: AlertRule
  threshold: AlertRule['thresholds'][number]
  mayWrite: boolean
  onSet: (value: number) => void
}

/** Saved when the field loses the focus. Enter leaves the field, so that a value is saved once. */
function ThresholdInput({ rule, threshold, mayWrite, onSet }: ThresholdProps) {
  const [text, setText] = useState(String(threshold.value))
  const value = Number(text)
  const save = () => {
    if (text.trim() !== '' && Number.isFinite(value) && value !== threshold.value) onSet(value)
  }
  return (
    <span className="inline-flex items-center gap-1">
      <input
        className="input h-7 w-20 text-right"
        inputMode="decimal"
        aria-label={`${ruleLabels[rule.rule].word}: ${thresholdName(threshold)} in ${unitOf(threshold)}`}
        title={thresholdName(threshold)}
        disabled={!mayWrite}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={save}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
      <span className="text-sm text-ink-3">{unitOf(threshold)}</span>
    </span>
  )
}
