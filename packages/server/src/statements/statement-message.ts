import type { StatementList } from '@plimsoll/contract'
import type { Message } from '@plimsoll/engine/messages'

const teamsShown = 6

const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usd = (amount: number) => cents.format(amount)

/** One message about all teams, for the channels of the installation. */
export function monthMessage(list: StatementList, at: Date): Message {
  const { month, teams, rest, unowned, not_charged: left, total, before } = list
  const more = Math.max(0, teams.length - teamsShown) + rest.teams
  return {
    event: 'monthly_statements',
    severity: 'info',
    title: `Statements ${month} (${list.state})`,
    facts: [
      ...teams.slice(0, teamsShown).map((line) => ({ label: line.team, value: usd(line.total) })),
      ...(more > 0 ? [{ label: 'Other teams', value: String(more) }] : []),
      ...(unowned ? [{ label: 'Unowned', value: usd(unowned.total) }] : []),
      ...(left && left.total > 0 ? [{ label: 'Not charged', value: usd(left.total) }] : []),
      { label: 'Month before', value: usd(before) },
    ].slice(0, factsMax),
    money: { label: 'Total', amount: total, currency: 'USD', per: null },
    links: [{ label: 'Open the statements', url: `/statements?month=${month}` }],
    dedupKey: `statements:${month}`,
    startedAt: at.toISOString(),
    endedAt: null,
  }
}

/** A message has at most ten facts, with the total. */
const factsMax = 9
