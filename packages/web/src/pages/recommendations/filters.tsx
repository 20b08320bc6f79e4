import type { LevelName, RecommendationGroup, RecommendationList, RecommendationStatus } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { groupsQuery } from '../../api/queries.ts'
import type { RecommendationFilters } from '../../url-parameters.ts'
import { capital, levelRanks, ruleName, stateName, statusLabels } from '../../format/labels.ts'
import { Options } from '../../parts/controls.tsx'
import { groupings } from './use-list.ts'

const statuses = Object.keys(statusLabels) as RecommendationStatus[]
const levels = Object.keys(levelRanks) as LevelName[]

type Props = { totals: RecommendationList['totals'] | undefined }

/** The URL holds all filters, so a view can be shared. */
export function Filters({ totals }: Props) {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const set = (changed: RecommendationFilters) =>
    void navigate({ search: (old) => ({ ...strip({ ...old, ...changed }), view: 'all' }), replace: true })
  const [isReached, setReached] = useState(false)
  const known = useKnown(search, isReached)
  const isFiltered = Object.entries(search).some(
    ([name, value]) => value !== undefined && !['cluster', 'sort', 'status', 'group', 'view'].includes(name),
  )
  return (
    <div
      className="mb-3 grid grid-cols-2 items-end gap-2 phone:flex phone:flex-wrap"
      onPointerEnter={() => setReached(true)}
      onFocus={() => setReached(true)}
    >
      {choicesOf(search, known, totals).map(({ label, value, options, changed }) => (
        <Choice key={label} label={label} value={value} options={options} onChange={(next) => set(changed(next))} />
      ))}
      <TextFilter value={search.text ?? ''} onChange={(text) => set({ text })} />
      <Choice
        label="Group by"
        value={groupings.find((each) => each === search.group) ?? ''}
        options={[['', 'Not grouped'], ...groupings.map((by): [string, string] => [by, `By ${by}`])]}
        onChange={(group) => set({ group })}
      />
      {isFiltered && (
        <button
          type="button"
          className="link h-8 px-1"
          onClick={() =>
            void navigate({
              search: ({ cluster, sort, group }) => ({ ...strip({ cluster, sort, group }), view: 'all' }),
            })
          }
        >
          Clear all
        </button>
      )}
    </div>
  )
}

type Options = readonly (readonly [value: string, word: string])[]
type Filter = { label: string; value: string; options: Options; changed: (value: string) => RecommendationFilters }

const savings: Options = [
  ['', 'Any savings'],
  ['10', '≥ $10/month'],
  ['40', '≥ $40/month'],
  ['100', '≥ $100/month'],
]

/** The rules and namespaces to choose from. */
type Known = { rules: readonly RecommendationGroup[]; namespaces: readonly RecommendationGroup[] }

/** Of all recommendations with the status, whether their rows are loaded or not. Loaded when the reader reaches the filters. */
function useKnown({ cluster, status }: RecommendationFilters & { cluster?: string }, enabled: boolean): Known {
  const rules = useQuery({ ...groupsQuery({ cluster, status }, 'rule'), enabled })
  const namespaces = useQuery({ ...groupsQuery({ cluster, status }, 'namespace'), enabled })
  return { rules: rules.data?.groups ?? [], namespaces: namespaces.data?.groups ?? [] }
}

export function choicesOf(search: RecommendationFilters, known: Known, totals: Props['totals']): Filter[] {
  const ruleNames = new Map(
    known.rules.flatMap(({ rule_id: id, rule_name: name }) =>
      id === null ? [] : [[id, ruleName({ rule_id: id, rule_name: name ?? undefined })] as const],
    ),
  )
  const rules = choices([...ruleNames.keys()], search.rule, (id) => ruleNames.get(id) ?? ruleName({ rule_id: id }))
  const namespaces = choices(
    known.namespaces.flatMap(({ namespace }) => namespace ?? []),
    search.namespace,
    (name) => (name === '__none__' ? 'No namespace' : name),
  )
  const named = (status: (typeof statuses)[number]) =>
    totals ? `${stateName(status)} (${totals[status].count})` : stateName(status)
  return [
    {
      label: 'Status',
      value: search.status ?? 'pending',
      options: statuses.map((status) => [status, named(status)]),
      changed: (status) => ({ status: status === 'pending' ? undefined : status }),
    },
    {
      label: 'Risk',
      value: search.risk ?? '',
      options: [['', 'Any risk'], ...levels.map((level) => [level, `${capital(level)} risk`] as const)],
      changed: (risk) => ({ risk }),
    },
    {
      label: 'Rule',
      value: search.rule ?? '',
      options: [['', 'Any rule'], ...rules],
      changed: (rule) => ({ rule }),
    },
    {
      label: 'Namespace',
      value: search.namespace ?? '',
      options: [['', 'Any namespace'], ...namespaces],
      changed: (namespace) => ({ namespace }),
    },
    ...(search.workload === undefined ? [] : [workloadChoice(search.workload)]),
    {
      label: 'Minimum savings',
      value: String(search.min ?? ''),
      options: savings,
      changed: (min) => ({ min: min === '' ? undefined : Number(min) }),
    },
  ]
}

/** Set by opening a group; shown here only to remove it. */
const workloadChoice = (value: string): Filter => ({
  label: 'Workload',
  value,
  options: [
    ['', 'Any workload'],
    [value, value === '__none__' ? 'No workload' : value],
  ],
  changed: (workload) => ({ workload }),
})

type Stripped = RecommendationFilters & { cluster?: string }

/** Unset filters are not in the URL. */
const strip = (filters: RecommendationFilters) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== '')) as Stripped

function choices(values: readonly string[], picked: string | undefined, word = (value: string) => value) {
  const all = new Set([...values, ...(picked === undefined ? [] : [picked])])
  return [...all]
    .filter((value) => value !== '')
    .sort()
    .map((value): [string, string] => [value, word(value)])
}

type ChoiceProps = {
  label: string
  value: string
  options: Options
  onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      className="input phone:max-w-[24ch]"
      aria-label={label}
      value={value}
      data-set={value !== ''}
      onChange={(event) => onChange(event.target.value)}
    >
      <Options of={options} />
    </select>
  )
}

const pauseMs = 300

/** Searches after a pause in typing. Other changes of the URL are shown too. */
function TextFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const pause = useRef<ReturnType<typeof setTimeout> | null>(null)
  const stop = () => {
    if (pause.current !== null) clearTimeout(pause.current)
    pause.current = null
  }
  const type = (text: string) => {
    stop()
    setTyped(text)
    pause.current = setTimeout(() => {
      pause.current = null
      onChange(text)
    }, pauseMs)
  }
  useEffect(() => stop, [])
  // The URL has the typed text, unless more was typed since.
  useEffect(() => {
    if (pause.current === null) setTyped(null)
  }, [value])
  return (
    <input
      className="input phone:w-48"
      type="search"
      placeholder="Name contains …"
      aria-label="Name contains"
      value={typed ?? value}
      onChange={(event) => type(event.target.value)}
    />
  )
}
