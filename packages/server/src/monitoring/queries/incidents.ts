import { dayMs, hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteInChunks } from '../../platform/db/delete-in-chunks.ts'

/** The hours with data of each day, by day number. */
export async function listDayHours(
  tx: Db,
  clusterId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Map<number, number>> {
  const { rows } = await sql<{ day: Date; hours: number }>`
    select day, hours from folded_day where cluster_id = ${clusterId} and day >= ${from} and day < ${to}
    union all
    select date_trunc('day', hour, 'UTC'), count(*)::integer from folded_hour h
    where cluster_id = ${clusterId} and hour >= ${from} and hour < ${to} and not exists (
      select from folded_day f where f.cluster_id = h.cluster_id and f.day = date_trunc('day', h.hour, 'UTC'))
    group by 1`.execute(tx)
  return new Map(rows.map(({ day, hours }) => [Math.round(day.getTime() / dayMs), hours]))
}

export type NewestHour = { clusterId: string; name: string; newest: Date | null }

/** The newest finalised hour of each cluster. */
export async function listNewestHours(db: Db): Promise<NewestHour[]> {
  const clusters = await db.selectFrom('cluster').select(['cluster_id', 'name']).orderBy('cluster_id').execute()
  const found: NewestHour[] = []
  for (const { cluster_id: clusterId, name } of clusters) {
    const { rows } = await sql<{ newest: Date | null }>`
      select max(hour) as newest from folded_hour where cluster_id = ${clusterId}`.execute(db)
    found.push({ clusterId, name, newest: rows[0]?.newest ?? null })
  }
  return found
}

type OwnedPart = { clusterId: string; namespace: string; workload: string | null; since: Date }

/** The labels of the workloads of a namespace, or of one workload (`kind/name`). */
export async function listLabels(tx: Db, { clusterId, namespace, workload, since }: OwnedPart) {
  const { rows } = await sql<{ labels: Record<string, string> | null }>`
    select distinct labels from workload_hour
    where cluster_id = ${clusterId} and hour >= ${since} and namespace = ${namespace}
      and (${workload}::text is null or concat_ws('/', workload_kind, workload_name) = ${workload})`.execute(tx)
  return rows.map(({ labels }) => labels ?? {})
}

export async function listClusterNames(tx: Db): Promise<Map<string, string>> {
  const rows = await tx.selectFrom('cluster').select(['cluster_id', 'name']).execute()
  return new Map(rows.map(({ cluster_id: id, name }) => [id, name]))
}

export type IncidentState = {
  /** Grows with each stored evaluation. */
  revision: string
  evaluatedTo: number | null
  threshold: string | null
  thresholdAt: Date | null
  alertsPerMonth: string | null
  steps: Record<string, StoredStep>
}

export type StoredStep = { day: number; hours: number; usdPerDay: string }

const columns = sql`revision, evaluated_to as "evaluatedTo", threshold, threshold_at as "thresholdAt",
  alerts_per_month as "alertsPerMonth", steps`

export async function findIncidentState(db: Db): Promise<IncidentState> {
  const { rows } = await sql<IncidentState>`select ${columns} from incident_state`.execute(db)
  return oneRow(rows)
}

/** One server at a time evaluates incidents. */
export async function lockIncidentState(tx: Db): Promise<IncidentState> {
  const { rows } = await sql<IncidentState>`select ${columns} from incident_state for update`.execute(tx)
  return oneRow(rows)
}

function oneRow(rows: readonly IncidentState[]): IncidentState {
  const [row] = rows
  if (!row) throw new Error('the state of incidents is missing')
  return row
}

export async function writeIncidentState(tx: Db, state: IncidentState): Promise<void> {
  await sql`
    update incident_state set revision = revision + 1, evaluated_to = ${state.evaluatedTo}, threshold = ${state.threshold},
      threshold_at = ${state.thresholdAt}, alerts_per_month = ${state.alertsPerMonth},
      steps = ${JSON.stringify(state.steps)}::jsonb`.execute(tx)
}

/** Open incidents, and those that ended after this hour. */
export async function listIncidents(db: Db, endedAfter: number): Promise<unknown[]> {
  const { rows } = await sql<{ data: unknown }>`
    select data from incident where ended_at is null or ended_at > ${endedAfter} order by incident_id`.execute(db)
  return rows.map(({ data }) => data)
}

export type StoredIncident = { id: string; endedAt: number | null; data: unknown }

export async function writeIncidents(tx: Db, incidents: readonly StoredIncident[]): Promise<void> {
  if (incidents.length === 0) return
  await sql`
    insert into incident (incident_id, data, ended_at)
    select id, data, "endedAt" from jsonb_to_recordset(${JSON.stringify(incidents)}::jsonb)
      as r (id text, data jsonb, "endedAt" integer)
    on conflict (incident_id) do update set data = excluded.data, ended_at = excluded.ended_at`.execute(tx)
}

/** The incidents whose alerts a person accepted. */
export async function listAcceptedIncidents(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select entity as id from alert
    where rule = 'cost_above_expected' and state = 'firing' and accepted is not null`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteOldIncidents(db: Db, before: Date): Promise<void> {
  await deleteInChunks(db, 'incident', sql`ended_at < ${Math.floor(before.getTime() / hourMs)}`)
}
