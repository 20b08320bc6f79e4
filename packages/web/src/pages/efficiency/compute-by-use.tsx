import type { IdleCosts } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { Explained } from '../../parts/explained.tsx'
import { Note, Tag } from '../../parts/state-tags.tsx'
import { ClassFigures, MoneyBar } from '../../parts/money-bar.tsx'
import { amountOf, noteOf, wordOf, type ClassKey } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'
import { classAmounts } from './class-amounts.ts'

export function ComputeByUse({ costs }: { costs: IdleCosts }) {
  const { shown, total } = classAmounts(costs.breakdown)
  const unpriced = costs.unpriced.cpu.fraction
  return (
    <Section
      title="Compute cost by usage"
      meta={`${total} in this window`}
      end={`usage coverage ${percent(costs.usage_coverage.cpu)}${costs.by_resource.gpu.unmeasured > 0 ? ', no GPU usage' : ''}`}
    >
      <MoneyBar classes={costs.breakdown} shownOf={(key) => shown[key]} loadLine={null} />
      <ClassFigures classes={costs.breakdown}>
        {(key) => (
          <ClassFigure costs={costs} of={key}>
            {shown[key]}
          </ClassFigure>
        )}
      </ClassFigures>
      {unpriced > 0 && (
        <div className="mt-3">
          <Note tone="warn" icon="warn">
            <Tag tone="warn">not priced</Tag> {percent(unpriced)} of the capacity is not priced. The totals do not
            include it.
          </Note>
        </div>
      )}
    </Section>
  )
}

function ClassFigure({ costs, of: key, children }: { costs: IdleCosts; of: ClassKey; children: string }) {
  const { word, how } = wordOf(key)
  const resources = (['cpu', 'memory', 'gpu'] as const).map((name) => ({
    name: { cpu: 'CPU', memory: 'Memory', gpu: 'GPU' }[name],
    usd: amountOf(costs.by_resource[name], key),
  }))
  return (
    <Explained
      title={`${word}, ${children}`}
      how={how}
      parts={resources.filter(({ usd }) => usd > 0)}
      sum="Total"
      {...noteFor(key, costs)}
    >
      {children}
    </Explained>
  )
}

function noteFor(key: ClassKey, { system_reserved: reserved }: IdleCosts): { note?: string } {
  if (key === 'cluster_idle') return { note: `Includes ${dollars(reserved)} of system-reserved capacity.` }
  return noteOf(key)
}
