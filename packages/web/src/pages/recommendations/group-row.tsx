import type { RecommendationGroup } from '@plimsoll/contract'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { number } from '../../format/quantity.ts'
import { ruleName } from '../../format/labels.ts'
import { Icon } from '../../parts/icon.tsx'
import { filtersOf } from '../../url-parameters.ts'
import type { Item } from './group-items.ts'
import { SavingCells } from './recommendation-row.tsx'

type Props = { item: Extract<Item, { kind: 'group' }>; nameOf: (clusterId: string) => string; onToggle: () => void }

/** A group with its savings, including rows that are not loaded; a click opens it. */
export function GroupRow({ item: { group, isOpen, amounts }, nameOf, onToggle }: Props) {
  return (
    <div role="row" className="rec-row rec-group">
      <OpenCells name={groupName(group, nameOf)} isOpen={isOpen} onToggle={onToggle}>
        <Size of={group.count} />
      </OpenCells>
      <SavingCells of={group} amounts={amounts} />
    </div>
  )
}

type QuietProps = { item: Extract<Item, { kind: 'quiet' }>; onToggle: () => void }

/** Recommendations of a rule that save and cost nothing, in one line. */
export function QuietRow({ item: { rule, count: size, isOpen }, onToggle }: QuietProps) {
  return (
    <div role="row" className="rec-row rec-group">
      <OpenCells name={ruleName(rule)} isOpen={isOpen} onToggle={onToggle}>
        <Size of={size} /> <span className="text-ink-3">without savings</span>
      </OpenCells>
    </div>
  )
}

type OpenProps = { name: string; isOpen: boolean; onToggle: () => void; children: ReactNode }

/** The arrow and the name that open or close the rows below. */
function OpenCells({ name, isOpen, onToggle, children }: OpenProps) {
  return (
    <>
      <span role="cell" className="rec-box text-ink-3">
        <span className={`inline-block ${isOpen ? 'rotate-90' : ''}`}>
          <Icon name="next" />
        </span>
      </span>
      <span role="cell" className="rec-group-name truncate">
        <button type="button" className="row-link group-button" aria-expanded={isOpen} onClick={onToggle}>
          {name}
        </button>{' '}
        {children}
      </span>
    </>
  )
}

/** A phone shows only the number. */
function Size({ of: size }: { of: number }) {
  return (
    <span className="text-ink-3">
      {number(size)} <span className="max-phone:sr-only">{size === 1 ? 'recommendation' : 'recommendations'}</span>
    </span>
  )
}

const none = '__none__'

function groupName(group: RecommendationGroup, nameOf: (clusterId: string) => string): string {
  const { cluster_id: cluster, namespace, workload, rule_id, rule_name } = group
  if (cluster !== null) return nameOf(cluster)
  if (rule_id !== null) return ruleName({ rule_id, rule_name })
  if (namespace === none) return 'No namespace'
  if (workload === none) return `${namespace}, no workload`
  return workload === null ? (namespace ?? '') : `${namespace}/${workload}`
}

/** Links to a list of the whole group. */
export function MoreRow({ item: { group, shown } }: { item: Extract<Item, { kind: 'more' }> }) {
  const navigate = useNavigate({ from: '/recommendations' })
  const show = () => void navigate({ search: ({ group: _by, ...old }) => ({ ...old, ...filtersOf(group) }) })
  return (
    <div role="row" className="rec-row">
      <span role="cell" />
      <span role="cell" className="rec-group-name text-ink-2">
        the first {shown} of {number(group.count)} ·{' '}
        <button type="button" className="link" onClick={show}>
          Show all
        </button>
      </span>
    </div>
  )
}

/** The groups beyond the limit, so that the list adds up. */
export function RestRow({ item: { rest, amounts } }: { item: Extract<Item, { kind: 'rest' }> }) {
  return (
    <div role="row" className="rec-row rec-group">
      <span role="cell" className="rec-box" />
      <span role="cell" className="rec-group-name truncate">
        Other groups <Size of={rest.count} />
      </span>
      <SavingCells of={rest} amounts={amounts} />
    </div>
  )
}
