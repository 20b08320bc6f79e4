import type { ClusterNode } from '@plimsoll/contract'
import { useNavigate } from '@tanstack/react-router'
import { dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { Icon } from '../../parts/icon.tsx'
import { Logo } from '../../parts/logo.tsx'
import { BarParts, lowerFirst, MiniBar } from '../../parts/money-bar.tsx'
import { amountOf, wordsFor } from '../../parts/money-classes.ts'
import { isBlockedNode, isRemovable } from './verdicts.ts'

type Props = {
  pool: string
  nodes: readonly ClusterNode[]
  /** As shown: the costs of the pools add up to the total of all nodes. */
  cost: string
  picked: string | undefined
}

const shownMax = 80

export function PoolRow({ pool, nodes, cost, picked }: Props) {
  const sum = (key: keyof ClusterNode['cost']) => nodes.reduce((total, { cost }) => total + cost[key], 0)
  const classes = {
    workload: sum('workload'),
    workload_idle: sum('workload_idle'),
    cluster_idle: sum('cluster_idle'),
    unmeasured: sum('unmeasured'),
  }
  const types = [...new Set(nodes.map(({ instance_type: type }) => type))]
  const total = sum('total')
  return (
    <div className="grid gap-x-4 gap-y-2 border-b border-rule py-3 phone:grid-cols-[170px_minmax(0,1fr)_84px]">
      <div className="min-w-0">
        <p className="truncate font-medium">{pool === '' ? 'no pool' : pool}</p>
        <p className="text-sm text-ink-2">
          {nodes.length} × {types.length === 1 ? types[0] : `${types.length} types`}
        </p>
        <p className="text-sm text-ink-2">{[...new Set(nodes.map(({ capacity_type: sold }) => sold))].join(', ')}</p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {nodes.slice(0, shownMax).map((node) => (
          <NodeBar key={node.uid} node={node} isPicked={node.uid === picked} />
        ))}
        {nodes.length > shownMax && <span className="text-sm text-ink-3">and {nodes.length - shownMax} more</span>}
      </div>
      <div className="grid content-start gap-0.5 text-right">
        <p className="font-medium">{cost}</p>
        <MiniBar classes={classes} max={total} />
        <p className="text-sm text-ink-2">
          {total > 0 ? `${percent(amountOf(classes, 'used') / total)} used` : 'no cost data'}
        </p>
      </div>
    </div>
  )
}

function NodeBar({ node, isPicked }: { node: ClusterNode; isPicked: boolean }) {
  const navigate = useNavigate({ from: '/nodes' })
  const { cost, name } = node
  const amounts = wordsFor(cost).map(({ key, word }) => `${lowerFirst(word)} ${dollars(amountOf(cost, key))}`)
  return (
    <span className="grid justify-items-center gap-1">
      <button
        type="button"
        className={`flex h-16 w-6 flex-col-reverse ${isPicked ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
        aria-label={`${name}: ${amounts.join(', ')}`}
        aria-pressed={isPicked}
        title={name}
        onClick={() => void navigate({ search: (old) => ({ ...old, node: node.uid }) })}
      >
        {cost.total > 0 ? (
          <BarParts classes={cost} className="block w-full" />
        ) : (
          <span className="block h-full w-full border border-dashed border-rule-strong" />
        )}
      </button>
      <span className="h-3.5 text-accent">
        {isRemovable(node) && <Logo label="removable" />}
        {isBlockedNode(node) && (
          <span className="text-ink-2" title="removable if its blocker is removed">
            <Icon name="lock" />
            <span className="sr-only">blocked</span>
          </span>
        )}
      </span>
    </span>
  )
}
