import type { Allocation } from '@plimsoll/contract'
import { addedUpTable } from '../../format/money.ts'
import { costColumns, type Cost } from './cost-columns.ts'

export type CostRow = { name: string; cost: Cost; isOwned: boolean }

const unowned = ['idle', 'unmounted', 'unattached', 'overhead'] as const

/** The rows of the table with their amounts as shown. Other parts of the page show the same amounts. */
export function costTable(step: Allocation['steps'][number], by: string) {
  const rows: CostRow[] = [
    ...step.rows.map(({ names, cost }) => ({ name: names[by] ?? '', cost, isOwned: true })),
    ...(step.rest.rows > 0 ? [{ name: '__other__', cost: step.rest.cost, isOwned: true }] : []),
    ...unowned.flatMap((kind) => (step[kind] ? [{ name: `__${kind}__`, cost: step[kind], isOwned: false }] : [])),
  ]
  const columns = costColumns(rows.map(({ cost }) => cost))
  return { rows, columns, shown: addedUpTable(rows.map(({ cost }) => columns.map(({ of }) => of(cost)))) }
}
