import type { Changes } from '@plimsoll/contract'
import { addedUp, addedUpChanges } from '../../format/money.ts'
import { capital } from '../../format/labels.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { OwnerName } from '../allocation/owner-name.tsx'
import { shortOwner } from '../allocation/owner.ts'
import { percentText } from '../allocation/explorer-lines.ts'
import { groupingName } from '../allocation/question.ts'
import { sumByCause } from './causes.ts'
import { DiffBar } from './diff-bar.tsx'

type Row = { name: string; before: number; now: number; difference: number; text: string }

type Props = {
  changes: Changes
  by: string
  /** Null: the periods cannot be compared. */
  percentOf: (of: Pick<Row, 'before' | 'difference'>) => number | null
}

/** A phone has no room for more than the name, the cost now and the change. */
const onWide = '@max-[560px]:hidden'

/** The difference of each team, namespace, workload or label. */
export function GroupChanges({ changes, by, percentOf }: Props) {
  const rows: Row[] = [
    ...changes.rows.map(({ names, ...line }) => ({ name: names[by] ?? '', ...line, text: causeText(line.effects) })),
    ...(changes.rest.rows > 0 ? [{ name: '__other__', ...changes.rest, text: causeText(changes.rest.effects) }] : []),
  ]
  const sizes = rows.flatMap(({ before, now }) => [before, now])
  const befores = addedUp(
    rows.map(({ before }) => before),
    sizes,
  )
  const nows = addedUp(
    rows.map(({ now }) => now),
    sizes,
  )
  const differences = addedUpChanges(
    rows.map(({ difference }) => difference),
    sizes,
  )
  const max = Math.max(0, ...rows.map(({ difference }) => Math.abs(difference)))
  const columns: Column<Row>[] = [
    {
      header: capital(groupingName(by)),
      cell: ({ name }) => (
        <OwnerName line={{ name, by, word: shortOwner(name, by), isOwned: !name.startsWith('__') }} />
      ),
    },
    { header: 'Largest causes', className: `whitespace-normal ${onWide}`, cell: ({ text }) => text },
    {
      header: <span className="sr-only">Change, as a bar</span>,
      isUnsortable: true,
      className: onWide,
      cell: ({ difference }) => <DiffBar usd={difference} max={max} />,
    },
    {
      header: 'Before $',
      align: 'end',
      className: onWide,
      sortBy: ({ before }) => before,
      cell: (_row, index) => befores.parts[index],
    },
    { header: 'Now $', align: 'end', sortBy: ({ now }) => now, cell: (_row, index) => nows.parts[index] },
    {
      header: 'Change $',
      align: 'end',
      sortBy: ({ difference }) => difference,
      cell: (_row, index) => differences.parts[index],
    },
    {
      header: 'Change %',
      align: 'end',
      sortBy: percentOf,
      cell: (row) => percentText(percentOf(row)),
    },
  ]
  return (
    <Table
      label="Changes by group"
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      footer={
        <tr>
          <td>Total</td>
          <td className={onWide} />
          <td className={onWide} />
          <td className={`num ${onWide}`}>{befores.total}</td>
          <td className="num">{nows.total}</td>
          <td className="num">{differences.total}</td>
          <td className="num">{percentText(percentOf(changes.total))}</td>
        </tr>
      }
    />
  )
}

const shownMax = 2

const causeText = (effects: Changes['total']['effects']) =>
  sumByCause(effects)
    .sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
    .slice(0, shownMax)
    .map(({ word }) => word.toLowerCase())
    .join(', ')
