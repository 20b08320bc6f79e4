import type { StatementList } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { statementQuery, statementsQuery } from '../api/queries.ts'
import { headline, stateNotes, stateWords } from '../format/statements.ts'
import { month as monthName } from '../format/time.ts'
import { download } from '../parts/download.ts'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Tag } from '../parts/state-tags.tsx'
import { QueryState } from '../parts/states.tsx'
import { useToast } from '../parts/toast.tsx'
import { MonthView } from './statements/month-view.tsx'
import { Sheet } from './statements/sheet.tsx'

/** A month, the sheet of a team, or all sheets for printing. */
export function StatementsPage() {
  const { month, team, sheets } = useSearch({ from: '/shell/statements' })
  if (month !== undefined && team !== undefined) return <TeamSheet month={month} team={team} />
  if (sheets === 'all') return <AllSheets month={month} />
  return <Month month={month} />
}

function Month({ month }: { month: string | undefined }) {
  const statements = useQuery(statementsQuery(month))
  const known = statements.data
  return (
    <Page
      title="Statements"
      hasViews
      sub={known && <MonthWords list={known} />}
      actions={
        known && (
          <>
            <MonthPicker list={known} />
            <Link
              to="/statements"
              search={(old) => ({ ...old, month: known.month, sheets: 'all' as const })}
              className="button"
            >
              All sheets
            </Link>
            <Files name={`statements-${known.month}`} load={(format) => listFile(known.month, format)} />
          </>
        )
      }
    >
      <QueryState query={statements} what="The statements">
        {(list) => <MonthView list={list} />}
      </QueryState>
    </Page>
  )
}

function MonthWords({ list: { month, state } }: { list: StatementList }) {
  return (
    <>
      {monthName(month)} <Tag tone="warn">{stateWords[state]}</Tag> {stateNotes[state]}
    </>
  )
}

function MonthPicker({ list: { month, months } }: { list: StatementList }) {
  const navigate = useNavigate({ from: '/statements' })
  const isListed = months.some((each) => each.month === month)
  return (
    <select
      className="input"
      aria-label="Month"
      value={month}
      onChange={({ target: { value } }) => void navigate({ search: (old) => ({ ...old, month: value }) })}
    >
      {!isListed && <option value={month}>{monthName(month)}</option>}
      {months.map((each) => (
        <option key={each.month} value={each.month}>
          {monthName(each.month)}
        </option>
      ))}
    </select>
  )
}

function TeamSheet({ month, team }: { month: string; team: string }) {
  const statement = useQuery(statementQuery(month, team))
  return (
    <Page
      title="Statement"
      hasViews
      sub={statement.data && headline(statement.data)}
      actions={
        <>
          <BackLink month={month} />
          <PrintButton />
          <Files name={`statement-${month}-${team}`} load={(format) => sheetFile(month, team, format)} />
        </>
      }
    >
      <QueryState query={statement} what="The statement">
        {(known) => <Sheet statement={known} />}
      </QueryState>
    </Page>
  )
}

function AllSheets({ month }: { month: string | undefined }) {
  const statements = useQuery(statementsQuery(month, 'sheets'))
  return (
    <Page
      title="All statements"
      sub={statements.data && <MonthWords list={statements.data} />}
      actions={
        <>
          <BackLink month={month} />
          <PrintButton />
        </>
      }
    >
      <QueryState query={statements} what="The statements">
        {({ sheets = [] }) =>
          sheets.length === 0 ? (
            <p className="text-ink-2">No team has cost in this month.</p>
          ) : (
            // No other element may be between two sheets: each starts on a new page.
            <>
              {sheets.map((sheet) => (
                <Sheet key={sheet.team} statement={sheet} />
              ))}
            </>
          )
        }
      </QueryState>
    </Page>
  )
}

function BackLink({ month }: { month: string | undefined }) {
  return (
    <Link
      to="/statements"
      search={({ team: _team, sheets: _sheets, ...old }) => ({ ...old, ...(month === undefined ? {} : { month }) })}
      className="button"
    >
      All teams
    </Link>
  )
}

const PrintButton = () => (
  <button type="button" className="button" onClick={() => print()}>
    Print
  </button>
)

type Format = 'csv' | 'json'

const fileOf = async (answer: Promise<Response>) => (await answer).blob()
const queryOf = (format: Format) => (format === 'csv' ? { format } : {})

const listFile = (month: string, format: Format) =>
  fileOf(api.request('listStatements', { query: { month, ...queryOf(format) } }))

const sheetFile = (month: string, team: string, format: Format) =>
  fileOf(api.request('getStatement', { params: { month, team }, query: queryOf(format) }))

/** The files of the API, so that a page and a program get the same amounts. */
function Files({ name, load }: { name: string; load: (format: Format) => Promise<Blob> }) {
  const toast = useToast()
  const save = async (format: Format) => {
    try {
      download(`${name}.${format}`, await load(format))
    } catch (error) {
      toast({ text: `The file could not be created: ${error instanceof Error ? error.message : String(error)}` })
    }
  }
  const button = (format: Format, word: ReactNode) => (
    <button type="button" className="button" onClick={() => void save(format)}>
      <Icon name="download" />
      {word}
    </button>
  )
  return (
    <>
      {button('csv', 'CSV')}
      {button('json', 'JSON')}
    </>
  )
}
