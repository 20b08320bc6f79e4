import type { StatementList } from '@plimsoll/contract'
import { reportKinds } from '@plimsoll/engine/messages'
import { listTeamBudgets } from '../../budgets/index.ts'
import { listReceivers, queueReport, queueTo } from '../../channels/index.ts'
import { detailStart, type CostDeps } from '../../costs/index.ts'
import { readMonth } from '../month-windows.ts'
import { lockSentMonth, writeSentMonth } from '../queries/sending.ts'
import { areStatementsDue, monthToSend } from '../sending-due.ts'
import { monthMessage, statementsEvent, teamMessage } from '../statement-message.ts'
import { findUnfinished } from '../unfinished-clusters.ts'

/**
 * Queues the provisional statements of the last month: all teams for the channels of the installation, and each team for
 * its own channels. Safe to repeat: the month is sent once. The sweep starts the job again while data is missing.
 */
export async function sendStatements(deps: CostDeps): Promise<void> {
  const now = deps.now()
  const month = readMonth(monthToSend(now), now)
  if (!month || !(await areStatementsDue(deps.db, now))) return
  const { isWaiting, clusters: unfinished } = await findUnfinished(deps.db, month.windows.now, now)
  if (isWaiting) return
  const everything = { clusters: null, namespaces: null, teams: null }
  const json = await deps.figuring.statements(
    {
      ...month,
      now,
      detailFrom: detailStart(now),
      budgets: await listTeamBudgets(deps.db, everything, month.windows.now.from),
      clusterId: undefined,
      callerClusters: null,
      namespaces: null,
      teams: null,
      asked: { kind: 'list' },
    },
    { callerId: 'statements', signal: new AbortController().signal },
  )
  const list = JSON.parse(new TextDecoder().decode(json)) as StatementList
  // A new installation has no cost in the last month.
  const hasCost = list.data_status !== 'no_data' && list.total !== 0
  await deps.db.transaction().execute(async (tx) => {
    if ((await lockSentMonth(tx)) >= month.month) return
    await writeSentMonth(tx, month.month)
    if (!hasCost) return
    await queueReport(tx, { message: monthMessage(list, unfinished, now), transition: list.state }, now)
    const receivers = await listReceivers(tx, statementsEvent, reportKinds)
    for (const line of list.teams) {
      const channelIds = receivers.flatMap(({ channelId, teams }) => (teams.includes(line.team) ? [channelId] : []))
      if (channelIds.length === 0) continue
      await queueTo(
        tx,
        channelIds,
        { message: teamMessage(list, { line, unfinished }, now), transition: list.state },
        now,
      )
    }
  })
}
