import type { Estimate, EstimatedState, EstimatedWorkload } from '@plimsoll/contract'
import { count, gib, text, usd, type Cell } from '../output/cells.ts'
import { tableOf, type Presentation } from '../output/presentation.ts'

/** The JSON output: the response of the server, and what only the command line knows. */
export type DiffReport = Estimate & { readonly unchanged_workloads: number; readonly violations: readonly string[] }

/** A comment with this line is replaced by the next run. */
export const commentMarker = '<!-- plimsoll: cost of the change -->'

export function presentDiff(report: DiffReport): Presentation {
  const { requests, bill, workloads, unchanged_workloads: unchanged } = report
  return {
    facts: [
      ['Bill', text(bill.summary)],
      ['Requests per month', changed(usd(requests.monthly_cost_before), usd(requests.monthly_cost_after))],
      ['Change of the requests', signed(requests.monthly_change)],
      ['Workloads', text(`${workloads.length} compared, ${unchanged} unchanged`)],
      ...(requests.unknown_workloads > 0 ? [['Without a known cost', count(requests.unknown_workloads)] as const] : []),
    ],
    table: tableOf(workloads, [
      ['workload', ({ kind, namespace, name }) => text(`${namespace}/${kind}/${name}`)],
      ['change', ({ change }) => text(change)],
      ['replicas', both(({ replicas }) => count(replicas))],
      ['CPU', both(({ cpu_cores: cores }) => count(cores))],
      ['memory', both(({ memory_bytes: bytes }) => gib(bytes))],
      ['CPU used', ({ usage }) => count(usage?.cpu_cores)],
      ['before', ({ before }) => usd(before ? before.monthly_cost : 0)],
      ['after', ({ after }) => usd(after ? after.monthly_cost : 0)],
      ['change per month', ({ monthly_change: change }) => signed(change)],
    ]),
  }
}

/** Before and after of a pod; one value if both are equal. */
const both =
  (of: (state: EstimatedState) => Cell) =>
  ({ before, after }: EstimatedWorkload): Cell => {
    const [was, is] = [before && of(before), after && of(after)]
    if (was && is) return was.text === is.text ? text(is.text) : changed(was, is)
    return text((is ?? was)?.text)
  }

const changed = (was: Cell, is: Cell): Cell => text(`${was.text} → ${is.text}`)

function signed(amount: number | null): Cell {
  const cell = usd(amount)
  return amount !== null && amount > 0 ? { ...cell, text: `+${cell.text}` } : cell
}

/** Every note once, with the workload that it concerns. */
export function listNotes({ workloads, bill }: DiffReport): string[] {
  const own = workloads.flatMap(({ namespace, kind, name, notes }) =>
    notes.map(({ detail }) => `${namespace}/${kind}/${name}: ${detail}`),
  )
  return [...new Set([...bill.notes.map(({ detail }) => `Bill: ${detail}`), ...own])]
}
