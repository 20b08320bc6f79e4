import type { Allocation } from '@plimsoll/contract'
import { bytes, cores, tenths } from '../../format/quantity.ts'

/** The costs of all rows of the owner, also of those that the answer sums up. */
export const ownerCosts = ({ steps }: Pick<Allocation, 'steps'>) =>
  steps.flatMap(({ rows, rest }) => [...rows.map(({ cost }) => cost), ...(rest.rows > 0 ? [rest.cost] : [])])

/**
 * Without a row in the period, and without cost in the period before: the owner was not there, or its name is wrong. A
 * row without cost can have no price.
 */
export const isWithoutCost = ({ steps, partial }: Pick<Allocation, 'steps' | 'partial'>): boolean =>
  !partial && ownerCosts({ steps }).length === 0 && steps.every(({ compare }) => (compare?.total.total ?? 0) === 0)

/** Null if the rows have different teams. */
export function ownerTeam({ steps }: Pick<Allocation, 'steps'>): string | null {
  const teams = steps.flatMap(({ rows }) =>
    rows.flatMap(({ rows: inner = [] }) => inner.flatMap(({ names }) => names.team ?? [])),
  )
  const [team, ...others] = new Set(teams)
  return team !== undefined && others.length === 0 ? team : null
}

/** Replicas and requests of one workload, before and now. */
export function ownerFacts({ changes }: Pick<Allocation, 'changes'>): [name: string, value: string][] {
  const rows = (changes?.rows ?? []).flatMap(({ workload }) => workload ?? [])
  const [workload, another] = rows
  if (!workload || another) return []
  const { pods, cpu_request_millicores: cpu, memory_request_bytes: memory } = workload
  return [
    ['Replicas, mean', between(pods, tenths)],
    ['CPU request per pod', between(cpu, cores)],
    ['Memory request per pod', between(memory, bytes)],
  ]
}

type Two = { before: number | null; now: number | null }

function between({ before, now }: Two, format: (value: number) => string): string {
  const [earlier, later] = [before, now].map((value) => (value === null ? '–' : format(value)))
  return earlier === later ? String(later) : `${earlier} → ${later}`
}
