import type { PlanStepMember } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import type { ShownStep } from '../../api/shown-plan.ts'
import { dollars } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { stateName } from '../../format/labels.ts'
import { ChangeText, shortName } from '../../parts/change-text.tsx'
import { Risk } from '../../parts/state-tags.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { keepCluster } from '../../shell/menu-pages.ts'

const nameOf = ({ namespace, workload, change: { object } }: PlanStepMember) =>
  workload && namespace !== '' ? `${namespace}/${workload.name}` : shortName(object.name, object.kind)

const columns: Column<PlanStepMember>[] = [
  {
    header: 'Workload',
    cell: (member) => (
      <>
        <Link to="/recommendations/$id" params={{ id: member.id }} search={keepCluster} className="link">
          {nameOf(member)}
        </Link>{' '}
        <span className="text-ink-3">{member.container}</span>
      </>
    ),
    className: 'main',
  },
  { header: 'Change', cell: (member) => <ChangeText of={member} />, className: 'wrap' },
  { header: 'Status', cell: ({ status }) => stateName(status) },
  { header: 'Risk', cell: ({ risk }) => <Risk level={risk} /> },
  { header: 'Estimated savings $/month', cell: ({ estimated_savings: usd }) => dollars(usd), align: 'end' },
]

/** The recommendations of a step, and why all of them are needed. */
export function StepChanges({ step }: { step: ShownStep }) {
  const {
    recommendations,
    changes,
    changes_applied: applied = 0,
    kind,
    nodes,
    capacity_value: capacity,
    savings,
  } = step
  return (
    <div className="step-changes">
      <Table
        label={`Changes of step ${step.place}`}
        columns={columns}
        rows={recommendations}
        rowKey={({ id }) => id}
        isStacked
      />
      {changes + applied > recommendations.length && (
        <p className="mt-2 text-sm text-ink-3">
          The first {recommendations.length} of {count(changes + applied, 'change')}.
        </p>
      )}
      {kind === 'free' && (
        <p className="mt-2 text-sm text-ink-2">
          The freed requests are worth {dollars(capacity)}/month. The step saves {dollars(savings)}/month, because
          removing the {nodes.length === 1 ? 'node' : 'nodes'} also removes unallocated capacity.
          {changes > 1 && ' Apply all changes: if one is missing, the pods do not fit on other nodes.'}
        </p>
      )}
    </div>
  )
}
