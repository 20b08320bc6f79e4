import type { Changes } from '@plimsoll/contract'
import { useState } from 'react'
import { Icon } from '../../parts/icon.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import type { TableSort } from '../../parts/use-table-sort.ts'
import { OwnerName } from '../allocation/owner-name.tsx'
import { causeBridge, contributorsByCause, sortCauses, type CauseLine, type Contributor } from './causes.ts'
import { DiffBar } from './diff-bar.tsx'

type Line = { key: string; level: 0 | 1; cause: CauseLine; contributor?: Contributor; usd: number; shown: string }

/** Which value each column sorts by. */
const sortedBy: Record<number, 'word' | 'usd'> = { 0: 'word', 3: 'usd' }

/** The causes, largest first unless sorted; each opens to the workloads that it changed. */
export function Contributors({ changes }: { changes: Changes }) {
  const [sort, setSort] = useState<TableSort | null>(null)
  const by = sort && sortedBy[sort.column]
  const known = contributorsByCause(changes)
  const causes = sort && by ? sortCauses(known, { by, isDescending: sort.isDescending }) : known
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) =>
    setOpen((old) => (old.has(id) ? new Set([...old].filter((each) => each !== id)) : new Set([...old, id])))
  const { causes: inBridge, shown } = causeBridge(changes)
  const placeOf = ({ id }: CauseLine) => inBridge.findIndex((each) => each.id === id)
  const lines = causes.flatMap((cause): Line[] => [
    { key: cause.id, level: 0, cause, usd: cause.usd, shown: shown.changes[placeOf(cause)] ?? '' },
    ...(open.has(cause.id) ? innerLines(cause, (parts) => shown.within(placeOf(cause), parts)) : []),
  ])
  const max = Math.max(
    ...causes.flatMap(({ usd, contributors }) => [usd, ...contributors.map((each) => each.usd)]).map(Math.abs),
  )
  return (
    <Table
      label="Changes by cause"
      columns={columnsOf(max, open, toggle)}
      rows={lines}
      rowKey={({ key }) => key}
      order={{ sort, onSort: setSort }}
      footer={
        <tr>
          <td>Total</td>
          <td className={roomFor} />
          <td className={roomFor} />
          <td className="num">{shown.total}</td>
        </tr>
      }
    />
  )
}

const roomFor = '@max-[560px]:hidden'

function innerLines(cause: CauseLine, amountsOf: (parts: readonly number[]) => string[]): Line[] {
  const parts = amountsOf(cause.contributors.map(({ usd }) => usd))
  return cause.contributors.map((contributor, index) => ({
    key: `${cause.id}/${contributor.key}`,
    level: 1,
    cause,
    contributor,
    usd: contributor.usd,
    shown: parts[index] ?? '',
  }))
}

const columnsOf = (max: number, open: ReadonlySet<string>, onToggle: (id: string) => void): Column<Line>[] => [
  {
    header: 'Cause',
    cell: ({ cause, contributor }) =>
      contributor ? (
        <span className="block pl-7">
          <OwnerName
            line={{ ...contributor, isOwned: contributor.name !== '' && !contributor.name.startsWith('__') }}
          />
        </span>
      ) : (
        <button
          type="button"
          className="inline-flex items-center gap-2 font-medium"
          aria-expanded={open.has(cause.id)}
          onClick={() => onToggle(cause.id)}
        >
          <Icon name={open.has(cause.id) ? 'chevron' : 'next'} />
          {cause.word}
        </button>
      ),
  },
  {
    header: 'Affected',
    isUnsortable: true,
    className: `whitespace-normal ${roomFor}`,
    cell: ({ cause, contributor }) => <span className="text-ink-2">{contributor ? contributor.text : cause.text}</span>,
  },
  {
    header: <span className="sr-only">Change, as a bar</span>,
    isUnsortable: true,
    className: roomFor,
    cell: ({ usd }) => <DiffBar usd={usd} max={max} />,
  },
  {
    header: 'Change $',
    align: 'end',
    cell: ({ level, shown }) => (level === 0 ? <b className="font-medium">{shown}</b> : shown),
  },
]
