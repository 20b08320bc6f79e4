import type { Command } from 'commander'
import type { OperationAnswer } from '@plimsoll/contract'
import { exitCodes } from '../exit-codes.ts'
import { count, text } from '../output/cells.ts'
import { tableOf, type Presentation } from '../output/presentation.ts'
import { requireClusterId } from './find-cluster.ts'
import type { Session } from './session.ts'

type BatchResult = OperationAnswer<'moveRecommendations'>
type MoveOptions = { reason?: string; atomic?: true }
type StepOptions = { cluster?: string; reason?: string }

const batchActions = {
  approve: 'Approve recommendations',
  reject: 'Reject recommendations',
  apply: 'Mark recommendations as implemented; nothing changes in the cluster',
} as const

const singleActions = {
  withdraw: ['withdrawRecommendation', 'Withdraw an approval or the status implemented'],
  reopen: ['reopenRecommendation', 'Reopen a rejected recommendation'],
} as const

const stepActions = {
  approve: ['approvePlanStep', 'Approve the recommendations of a plan step'],
  reject: ['rejectPlanStep', 'Reject the recommendations of a plan step'],
  withdraw: ['withdrawPlanStep', 'Withdraw the approvals of a plan step'],
} as const

const reasonOption = ['--reason <text>', 'reason for the history'] as const

/** Needs the commands that read recommendations and plans. */
export function addMoveCommands(program: Command, session: Session): void {
  const recommendations = groupOf(program, 'recommendations')
  for (const [name, summary] of Object.entries(batchActions)) {
    recommendations
      .command(`${name} <ids...>`)
      .summary(summary)
      .option(...reasonOption)
      .option('--atomic', 'change all recommendations or none')
      .action(async (ids: string[], options: MoveOptions) => {
        const { client } = await session.connect()
        const action = name as keyof typeof batchActions
        await showBatch(session, await client.moveRecommendations({ body: { action, ids, ...options } }))
      })
  }
  for (const [name, [operation, summary]] of Object.entries(singleActions)) {
    recommendations
      .command(`${name} <id>`)
      .summary(summary)
      .option(...reasonOption)
      .action(async (id: string, body: Pick<MoveOptions, 'reason'>) => {
        const { client } = await session.connect()
        const moved = await client[operation]({ params: { id }, body })
        await session.show(moved, () => ({ facts: [[moved.title, text(moved.status)]] }))
      })
  }
  addStepCommands(program, session)
}

function addStepCommands(program: Command, session: Session): void {
  const plan = groupOf(program, 'plan')
  for (const [name, [operation, summary]] of Object.entries(stepActions)) {
    plan
      .command(`${name} <step_id>`)
      .summary(summary)
      .option('--cluster <name>', 'name or ID of the cluster')
      .option(...reasonOption)
      .action(async (stepId: string, { cluster, ...body }: StepOptions) => {
        const { client } = await session.connect()
        const params = { cluster_id: await requireClusterId(client, cluster), step_id: stepId }
        await showBatch(session, await client[operation]({ params, body }))
      })
  }
}

function groupOf(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name) ?? program.command(name)
}

async function showBatch(session: Session, result: BatchResult): Promise<void> {
  await session.show(result, () => presentBatch(result))
  if (result.summary.failed > 0) session.exitCode = exitCodes.failed
}

const presentBatch = ({ summary, results }: BatchResult): Presentation => ({
  facts: [
    ['Changed', count(summary.changed)],
    ['Unchanged', count(summary.unchanged)],
    ['Failed', count(summary.failed)],
  ],
  table: tableOf(results, [
    ['id', ({ id }) => text(id)],
    ['outcome', ({ outcome }) => text(outcome)],
    ['status', ({ status }) => text(status)],
    ['detail', ({ detail }) => text(detail)],
  ]),
})
