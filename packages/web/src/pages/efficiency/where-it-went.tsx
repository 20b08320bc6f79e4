import type { IdleCosts } from '@plimsoll/contract'
import { dollars, roundTogether } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { Explained } from '../../parts/explained.tsx'
import { Note, Tag } from '../../parts/marks.tsx'
import { ClassFigures, MoneyBar } from '../../parts/money-bar.tsx'
import { amountOf, unseenNote, wordOf, wordsFor, type ClassKey } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'

export function WhereItWent({ costs }: { costs: IdleCosts }) {
  const rounded = roundTogether(wordsFor(costs.breakdown).map(({ key }) => amountOf(costs.breakdown, key)))
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
  const { word, how } = wordOf(key)
  const amount = dollars(amountOf(costs.breakdown, key))
  const resources = (['cpu', 'memory', 'gpu'] as const).map((name) => ({
    name: { cpu: 'CPU', memory: 'Memory', gpu: 'GPU' }[name],
    value: dollars(amountOf(costs.by_resource[name], key)),
  }))
  return (
    <Explained
      title={`${word}, ${amount}`}
      how={how}
      parts={resources.filter(({ value }) => value !== '$0')}
      sum={{ name: 'Together', value: amount }}
      {...noteOf(key, costs)}
    >
      {children}
    </Explained>
  )
}

function noteOf(key: ClassKey, { system_reserved: reserved }: IdleCosts): { note?: string } {
  if (key === 'cluster_idle') return { note: `Of it ${dollars(reserved)} is kept for the system by the nodes.` }
  return key === 'used' ? { note: unseenNote } : {}
}
