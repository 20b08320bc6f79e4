import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '../../test/test-app.ts'
import { retention } from './retention.ts'

const t = useTestApp()
const clusterId = 'cls_retention'

async function insertStep(stepId: string, endedDaysAgo: number | null, toStatus: string): Promise<void> {
  const now = t.deps.now()
  const endedAt = endedDaysAgo === null ? null : new Date(now.getTime() - endedDaysAgo * 86_400_000)
  const recommendationId = `rec_${stepId}`
  await sql`
    insert into plan_step (cluster_id, step_id, kind, title, position, savings, capacity_value, risk, effort, nodes, created_at, ended_at)
    values (${clusterId}, ${stepId}, 'free', ${stepId}, ${endedAt === null ? 1 : null}, 10, 10, 'low', '{}', '[]', ${now}, ${endedAt})`.execute(
    t.db,
  )
  await sql`
    insert into plan_step_member (cluster_id, step_id, recommendation_id, share)
    values (${clusterId}, ${stepId}, ${recommendationId}, 10)`.execute(t.db)
  await sql`
    insert into recommendation_history (cluster_id, recommendation_id, position, at, action, to_status)
    values (${clusterId}, ${recommendationId}, 1, ${now}, 'move', ${toStatus})`.execute(t.db)
}

const idsIn = async (table: 'plan_step' | 'plan_step_member') => {
  const { rows } = await sql<{ id: string }>`
    select step_id as id from ${sql.table(table)} where cluster_id = ${clusterId} order by 1`.execute(t.db)
  return rows.map(({ id }) => id)
}

test('steps that ended 90 days ago are deleted unless a member was approved or applied', async () => {
  await insertStep('stp_approved', 91, 'approved')
  await insertStep('stp_implemented', 91, 'implemented')
  await insertStep('stp_old', 91, 'rejected')
  await insertStep('stp_recent', 89, 'rejected')
  await insertStep('stp_standing', null, 'pending')

  await retention(t.deps)

  const kept = ['stp_approved', 'stp_implemented', 'stp_recent', 'stp_standing']
  expect(await idsIn('plan_step')).toEqual(kept)
  expect(await idsIn('plan_step_member')).toEqual(kept)
})
