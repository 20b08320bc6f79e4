import { decimal, formatDecimal } from '@plimsoll/engine'
import type { Plan, PlanStep, PreviousStep } from '@plimsoll/engine/plan'
import type { StepKind } from '@plimsoll/engine/vocabulary'
import { openKey } from '@plimsoll/pipeline/advice'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { keepPromises } from './step-promises.ts'

/** The change was observed in the cluster. */
const isApplied = sql`coalesce(r.status = 'resolved'
  or (r.status = 'implemented' and r.verification in ('verified', 'partial', 'regressed')), false)`

type MemberRow = { rule_id: string; target_key: string; share: string; is_applied: boolean }

type StepRow = {
  step_id: string
  kind: StepKind
  title: string
  savings: string
  nodes: PlanStep['nodes'][number][]
  members: MemberRow[] | null
}

export type PreviousPlan = { previous: PreviousStep[]; drained: Plan['drained'] }

/** The newest plan, as input of the next one. */
export async function loadPreviousPlan(tx: Db, clusterId: string): Promise<PreviousPlan> {
  const row = await tx.selectFrom('plan').select('drained_nodes').where('cluster_id', '=', clusterId).executeTakeFirst()
  return { previous: await listPreviousSteps(tx, clusterId), drained: row?.drained_nodes ?? [] }
}

async function listPreviousSteps(tx: Db, clusterId: string): Promise<PreviousStep[]> {
  const { rows } = await sql<StepRow>`
    select s.step_id, s.kind, s.title, s.savings::text as savings, s.nodes,
      (select jsonb_agg(jsonb_build_object('rule_id', r.rule_id, 'target_key', r.target_key, 'share', m.share::text,
          'is_applied', ${isApplied}))
        from plan_step_member m
        join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
        where m.cluster_id = s.cluster_id and m.step_id = s.step_id) as members
    from plan_step s where s.cluster_id = ${clusterId} and s.position is not null order by s.position`.execute(tx)
  return rows.map(({ step_id: id, kind, title, savings, nodes, members }) => {
    const keyed = (members ?? []).map((each) => ({ ...each, key: openKey(each.rule_id, each.target_key) }))
    const open = keyed.filter((each) => !each.is_applied)
    return {
      ...{ id, kind, title, nodes },
      usdPerMonth: decimal(savings),
      members: open.map(({ key }) => key),
      shares: new Map(open.map(({ key, share }) => [key, decimal(share)])),
      applied: keyed.filter((each) => each.is_applied).map(({ key }) => key),
    }
  })
}

/** Replaces the plan. Steps that are no longer in it end, with their last members. */
export async function writePlan(tx: Db, clusterId: string, plan: Plan, now: Date): Promise<void> {
  await keepPromises(tx, clusterId)
  const ids = plan.steps.map(({ id }) => id)
  const [first] = plan.steps
  await sql`
    insert into plan (cluster_id, analysed_at, run_rate, savings, is_complete, bounds, drained_nodes)
    values (${clusterId}, ${now}, ${nullable(first?.runRateBeforeUsdPerMonth ?? null)}, ${formatDecimal(plan.usdPerMonth)},
      ${plan.isComplete}, ${JSON.stringify(plan.bounds)}::jsonb, ${JSON.stringify(plan.drained)}::jsonb)
    on conflict (cluster_id) do update set analysed_at = excluded.analysed_at, run_rate = excluded.run_rate,
      savings = excluded.savings, is_complete = excluded.is_complete, bounds = excluded.bounds,
      drained_nodes = excluded.drained_nodes`.execute(tx)
  await sql`
    update plan_step set position = null, ended_at = ${now}
    where cluster_id = ${clusterId} and position is not null and not step_id = any(${ids})`.execute(tx)
  await writeSteps(tx, clusterId, plan.steps, now)
  await writeMembers(tx, clusterId, plan.steps)
}

/** Without scheduling facts there is no plan. The steps of the last one end. */
export async function endPlan(tx: Db, clusterId: string, now: Date): Promise<void> {
  await keepPromises(tx, clusterId)
  await sql`
    update plan_step set position = null, ended_at = ${now}
    where cluster_id = ${clusterId} and position is not null`.execute(tx)
  await sql`delete from plan where cluster_id = ${clusterId}`.execute(tx)
}

/**
 * Steps that ended before a day, unless one of their recommendations was approved or applied: Savings compares
 * those with the bill for as long as it shows them.
 */
export async function deleteOldSteps(db: Db, before: Date): Promise<void> {
  await sql`
    with old as (
      select s.cluster_id, s.step_id from plan_step s
      where s.ended_at < ${before} and s.position is null and not exists (
        select from plan_step_member m
        join recommendation_history h on h.cluster_id = m.cluster_id and h.recommendation_id = m.recommendation_id
        where m.cluster_id = s.cluster_id and m.step_id = s.step_id
          and h.to_status in ('approved', 'implemented', 'resolved'))),
    members as (
      delete from plan_step_member m using old where m.cluster_id = old.cluster_id and m.step_id = old.step_id)
    delete from plan_step s using old where s.cluster_id = old.cluster_id and s.step_id = old.step_id`.execute(db)
}

async function writeSteps(tx: Db, clusterId: string, steps: readonly PlanStep[], now: Date): Promise<void> {
  await sql`
    insert into plan_step (cluster_id, step_id, kind, title, position, savings, capacity_value, run_rate_before, run_rate_after,
      risk, effort, nodes, created_at)
    select ${clusterId}, id, kind, title, position, savings, capacity, before, after, risk, effort, nodes, ${now}
    from jsonb_to_recordset(${JSON.stringify(steps.map(stored))}::jsonb) as record (id text, kind text, title text,
      position integer, savings numeric, capacity numeric, before numeric, after numeric, risk text, effort jsonb, nodes jsonb)
    on conflict (cluster_id, step_id) do update set kind = excluded.kind, title = excluded.title, position = excluded.position,
      savings = excluded.savings, capacity_value = excluded.capacity_value, run_rate_before = excluded.run_rate_before,
      run_rate_after = excluded.run_rate_after, risk = excluded.risk, effort = excluded.effort, nodes = excluded.nodes,
      ended_at = null`.execute(tx)
}

/** An applied recommendation stays a member, because the step consisted of it. The plan does not count it. */
async function writeMembers(tx: Db, clusterId: string, steps: readonly PlanStep[]): Promise<void> {
  const members = steps.flatMap(({ id, members: keys, shares }) =>
    keys.map((key) => ({ id, key, share: formatDecimal(shares.get(key) ?? 0n) })),
  )
  const ids = steps.map(({ id }) => id)
  await sql`
    delete from plan_step_member m using recommendation r
    where m.cluster_id = ${clusterId} and m.step_id = any(${ids}) and r.cluster_id = m.cluster_id
      and r.recommendation_id = m.recommendation_id and not ${isApplied}`.execute(tx)
  await sql`
    update plan_step_member set is_applied = true
    where cluster_id = ${clusterId} and step_id = any(${ids}) and not is_applied`.execute(tx)
  await sql`
    insert into plan_step_member (cluster_id, step_id, recommendation_id, share)
    select distinct on (record.key) ${clusterId}, record.id, r.recommendation_id, record.share
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as record (id text, key text, share numeric)
    join recommendation r on r.cluster_id = ${clusterId} and r.rule_id || ' ' || r.target_key = record.key
    where r.status in ('pending', 'approved') or (r.status = 'implemented' and r.verification = 'awaiting')
    order by record.key, r.recommendation_id desc
    on conflict (cluster_id, step_id, recommendation_id) do update set share = excluded.share`.execute(tx)
}

function stored(step: PlanStep, index: number) {
  const { id, kind, title, risk, effort, nodes } = step
  return {
    ...{ id, kind, title, risk, effort },
    position: index + 1,
    savings: formatDecimal(step.usdPerMonth),
    capacity: formatDecimal(step.capacityUsdPerMonth),
    before: nullable(step.runRateBeforeUsdPerMonth),
    after: nullable(step.runRateAfterUsdPerMonth),
    nodes: nodes.map((node) => ({ ...node, usdPerMonth: formatDecimal(node.usdPerMonth) })),
  }
}

const nullable = (usd: bigint | null) => (usd === null ? null : formatDecimal(usd))
