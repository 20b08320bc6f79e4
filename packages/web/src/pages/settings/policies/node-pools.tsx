import type { NodePoolScaling, PoolAnswer } from '@plimsoll/contract'
import { count } from '../../../format/quantity.ts'
import { Segmented } from '../../../parts/controls.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'
import type { Layers } from './policy-draft.ts'
import { needsAnswer, scalingWords, withAnswer } from './pool-answers.ts'
import type { PolicyEdit } from './use-policy-edit.ts'

type Props = { pools: readonly NodePoolScaling[]; layers: Layers; edit: PolicyEdit; mayWrite: boolean }

/** Asks about pools whose autoscaling the agent cannot detect. */
export function NodePools({ pools, layers, edit, mayWrite }: Props) {
  if (pools.length === 0) return null
  const open = pools.filter((pool) => needsAnswer(pool) && layers.own.node_pool_scaling?.[pool.name] === undefined)
  return (
    <Section
      title="Node pools"
      meta={
        open.length === 0
          ? 'autoscaling of all pools is known'
          : count(open.length, 'pool needs an answer', 'pools need an answer')
      }
    >
      <ul>
        {pools.map((pool) => (
          <PoolRow
            key={pool.name}
            pool={pool}
            answer={layers.own.node_pool_scaling?.[pool.name]}
            edit={edit}
            mayWrite={mayWrite}
          />
        ))}
      </ul>
      <p className="mt-2 max-w-[90ch] text-sm text-ink-3">
        Bankable savings count the nodes that an autoscaler removes. In pools without an autoscaler, you remove the
        nodes.
      </p>
    </Section>
  )
}

type RowProps = { pool: NodePoolScaling; answer: PoolAnswer | undefined; edit: PolicyEdit; mayWrite: boolean }

const answers: { value: PoolAnswer | 'open'; word: string }[] = [
  { value: 'automatic', word: 'Yes' },
  { value: 'manual', word: 'No' },
  { value: 'open', word: 'Not answered' },
]

function PoolRow({ pool, answer, edit, mayWrite }: RowProps) {
  const [failure, run] = useFailure()
  const name = pool.name === '' ? 'nodes without a pool label' : pool.name
  const isAsked = mayWrite && (needsAnswer(pool) || answer !== undefined)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-rule py-2">
      <span className="font-medium">{name}</span>
      <span className="text-sm text-ink-3">
        {count(pool.nodes, 'node')}, {scalingWords(pool.scaling)}
      </span>
      {isAsked && (
        <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 max-phone:ml-0">
          <span>Does an autoscaler resize this pool?</span>
          <Segmented
            label={`Does an autoscaler resize pool ${name}?`}
            value={answer ?? 'open'}
            options={answers}
            onChange={(wanted) => void edit(run, (own) => withAnswer(own, pool.name, wanted))}
          />
        </div>
      )}
      {failure}
    </li>
  )
}
