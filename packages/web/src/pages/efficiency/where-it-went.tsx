import type { IdleCosts } from '@plimsoll/contract'
import { dollars, roundTogether } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { Explained } from '../../parts/explained.tsx'
import { Note, Tag } from '../../parts/marks.tsx'
import { ClassFigures, classWords, MoneyBar, unmeasuredNote, type ClassKey } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'

export function WhereItWent({ costs }: { costs: IdleCosts }) {
  const rounded = roundTogether(classWords.map(({ key }) => costs.breakdown[key]))
  const unpriced = costs.unpriced.cpu.fraction
  return (
    <Section
      title="Where the compute money went"
      meta={`${dollars(costs.total)} in this window`}
      end={`use seen ${percent(costs.usage_coverage.cpu)}${costs.breakdown.unmeasured > 0 ? ', of GPUs none' : ''}`}
    >
      <MoneyBar classes={costs.breakdown} loadLine={null} />
      <ClassFigures classes={costs.breakdown}>
        {(key, index) => (
          <ClassFigure costs={costs} of={key}>
            {dollars(rounded[index] ?? 0)}
          </ClassFigure>
        )}
      </ClassFigures>
      {unpriced > 0 && (
        <div className="mt-3">
          <Note tone="warn" icon="warn">
            <Tag tone="warn">unpriced</Tag> {percent(unpriced)} of the capacity has no price. It is in no sum, and not
            free.
          </Note>
        </div>
      )}
    </Section>
  )
}

function ClassFigure({ costs, of: key, children }: { costs: IdleCosts; of: ClassKey; children: string }) {
  const { word, how } = classWords.find((each) => each.key === key) ?? classWords[0]
  const resources = (['cpu', 'memory', 'gpu'] as const).map((name) => ({
    name: { cpu: 'CPU', memory: 'Memory', gpu: 'GPU' }[name],
    value: dollars(costs.by_resource[name][key]),
  }))
  return (
    <Explained
      title={`${word}, ${dollars(costs.breakdown[key])}`}
      how={how}
      parts={resources.filter(({ value }) => value !== '$0')}
      sum={{ name: 'Together', value: dollars(costs.breakdown[key]) }}
      note={
        key === 'cluster_idle'
          ? `Of it ${dollars(costs.system_reserved)} is kept for the system by the nodes.`
          : unmeasuredNote(key === 'workload' ? costs.breakdown.unmeasured : 0)
      }
    >
      {children}
    </Explained>
  )
}
