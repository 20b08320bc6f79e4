import type { StatementList } from '@plimsoll/contract'
import type { Message } from '@plimsoll/engine/messages'

export const statementsEvent = 'monthly_statements'

const teamsShown = 6

const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usd = (amount: number) => cents.format(amount)
const rounded = (amount: number) => Math.round(amount * 100) / 100

/** Clusters whose data of the month is missing, and may still arrive. */
const incomplete = (clusters: number) =>
  clusters === 0 ? [] : [{ label: 'Incomplete data', value: `${clusters} cluster${clusters === 1 ? '' : 's'}` }]

/** One message about all teams, for the channels of the installation. */
export function monthMessage(list: StatementList, unfinished: number, at: Date): Message {
  const { month, teams, rest, unowned, not_charged: left, total, before } = list
  const more = Math.max(0, teams.length - teamsShown) + rest.teams
  return {
    ...report(at),
    title: `Statements ${month} (${list.state})`,
    facts: [
      ...incomplete(unfinished),
      ...teams.slice(0, teamsShown).map((line) => ({ label: line.team, value: usd(line.total) })),
      ...(more > 0 ? [{ label: 'Other teams', value: String(more) }] : []),
      ...(unowned ? [{ label: 'Unowned', value: usd(unowned.total) }] : []),
      ...(left && left.total > 0 ? [{ label: 'Not charged', value: usd(left.total) }] : []),
      { label: 'Month before', value: usd(before) },
    ].slice(0, factsMax),
    money: moneyOf(total),
    links: [{ label: 'Open the statements', url: `/statements?month=${month}` }],
    dedupKey: `statements:${month}`,
  }
}

/** A message has at most ten facts, with the total. */
const factsMax = 9

type TeamLine = StatementList['teams'][number]

/** For the channels of one team. */
export function teamMessage(
  { month, state }: StatementList,
  { line, unfinished }: { line: TeamLine; unfinished: number },
  at: Date,
): Message {
  const { team, own, total, before, budgets } = line
  return {
    ...report(at),
    title: `Statement of ${team}, ${month} (${state})`,
    facts: [
      ...incomplete(unfinished),
      { label: 'Own cost', value: usd(own) },
      // As on the sheet: both amounts add up to the total in cents.
      { label: 'Shared cost', value: usd(rounded(total) - rounded(own)) },
      { label: 'Month before', value: usd(before) },
      ...(budgets ?? []).slice(0, 2).map(({ name, amount, spent, share }) => ({
        label: 'Budget',
        value: `${name}: ${share ? '' : 'own cost '}${usd(spent)} of ${usd(amount)}`,
      })),
    ],
    money: moneyOf(total),
    links: [{ label: 'Open the statement', url: `/statements?month=${month}&team=${encodeURIComponent(team)}` }],
    dedupKey: `statement:${month}:${team}`,
  }
}

const moneyOf = (amount: number) => ({ label: 'Total', amount, currency: 'USD', per: null })

const report = (at: Date) => ({
  event: statementsEvent,
  severity: 'info' as const,
  startedAt: at.toISOString(),
  endedAt: null,
})
