import type { RecommendationSort, RecommendationStatus } from '@plimsoll/contract'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import { clusterOfRecommendation } from '../../platform/ids.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type RecommendationRow = Selectable<Tables['recommendation']>

/** The visible part of the fleet; null: all of it. */
export type Sight = { clusters: readonly string[] | null; namespaces: readonly string[] | null }

export type RecommendationFilter = {
  statuses?: readonly string[] | undefined
  clusterIds?: readonly string[] | undefined
  namespaces?: readonly string[] | undefined
  workloads?: readonly string[] | undefined
  ruleIds?: readonly string[] | undefined
  categories?: readonly string[] | undefined
  severities?: readonly string[] | undefined
  risks?: readonly string[] | undefined
  verifications?: readonly string[] | undefined
  savingsMin?: number | undefined
  text?: string | undefined
  /** All of them must occur, in any order. */
  words?: readonly string[]
  /** Omit recommendations that are snoozed beyond this time. */
  awakeAt?: Date | undefined
}

export function findRecommendation(db: Db, clusterId: string, id: string): Promise<RecommendationRow | undefined> {
  return db
    .selectFrom('recommendation')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', id)
    .executeTakeFirst()
}

/** The existing ones. */
export async function listByIds(db: Db, ids: readonly string[]): Promise<RecommendationRow[]> {
  const clusterIds = [...new Set(ids.flatMap((id) => clusterOfRecommendation(id) ?? []))]
  const { rows } = await sql<RecommendationRow>`
    select * from recommendation
    where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids}) and ${inLiveCluster}`.execute(db)
  return rows
}

export async function countOpen(
  db: Db,
  clusterIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from recommendation
    where cluster_id = any(${clusterIds}) and status in ('pending', 'approved')
      and (${namespaces}::text[] is null or namespace = any(${namespaces}::text[]))`.execute(db)
  return rows[0]?.count ?? 0
}

/** The matching ones, up to a limit. */
export async function listMatchingIds(
  db: Db,
  sight: Sight,
  filter: RecommendationFilter,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select recommendation_id as id from recommendation where ${conditions(sight, filter)}
    order by recommendation_id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** In one order, so that concurrent callers never deadlock. */
export async function lockRecommendations(
  tx: Db,
  clusterIds: readonly string[],
  ids: readonly string[],
): Promise<RecommendationRow[]> {
  const { rows } = await sql<RecommendationRow>`
    select * from recommendation
    where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids})
    order by recommendation_id for update`.execute(tx)
  return rows
}

/** Locks the existing clusters, so that none is deleted meanwhile. */
export async function lockLiveClusters(tx: Db, clusterIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select cluster_id as id from cluster where cluster_id = any(${clusterIds})
    order by cluster_id for key share`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Reads with a low cost of random pages. PostgreSQL assumes rotating disks by default, and would read all rows of a
 * cluster instead of the index.
 */
export function readNearby<Answer>(db: Db, read: (tx: Db) => Promise<Answer>): Promise<Answer> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('random_page_cost', '1.1', true)`.execute(tx)
      return read(tx)
    })
}

export type RecommendationPage = {
  sort: RecommendationSort
  after: { key: string; id: string } | undefined
  limit: number
}

export type ListedRow = RecommendationRow & { sort_key: string }

export async function listRecommendations(
  db: Db,
  sight: Sight,
  filter: RecommendationFilter,
  page: RecommendationPage,
): Promise<ListedRow[]> {
  const { next, order, key } = pageOf(page)
  const { rows } = await sql<ListedRow>`
    select *, (${key})::text as sort_key from recommendation
    where ${conditions(sight, filter)} and ${next} order by ${order} limit ${page.limit}`.execute(db)
  return rows
}

/** A page, and the sums over all matches of any status. */
export async function listWithTotals(
  db: Db,
  {
    sight,
    filter,
    page,
    sumUp,
  }: { sight: Sight; filter: RecommendationFilter; page: RecommendationPage; sumUp: typeof sumByStatus },
): Promise<{ rows: ListedRow[]; totals: StatusTotal[] }> {
  const few = isSelective(filter) ? await findFewWithTotals(db, sight, filter, page) : undefined
  if (few) return few
  return { rows: await listRecommendations(db, sight, filter, page), totals: await sumUp(db, sight, filter) }
}

/**
 * Selective filters are evaluated first, by an index with all columns: the index of the sort order would visit all
 * rows.
 */
const isSelective = ({ namespaces, workloads, text }: RecommendationFilter) =>
  namespaces !== undefined || workloads !== undefined || text !== undefined

/**
 * Above this number, a page fills quickly in the requested order, and materializing all matches takes longer than
 * summing them.
 */
const fewMax = 2000

/** Finds all matches once, for the page and for the sums; undefined: too many. */
async function findFewWithTotals(
  db: Db,
  sight: Sight,
  { statuses, ...filter }: RecommendationFilter,
  page: RecommendationPage,
): Promise<{ rows: ListedRow[]; totals: StatusTotal[] } | undefined> {
  const { next, order, key } = pageOf(page)
  const isWanted = statuses ? among(sql`status`, statuses) : sql`true`
  const { rows } = await sql<ListedRow & { matched: number; totals: StatusTotal[] | null }>`
    with matching as materialized (
      select cluster_id, recommendation_id, status, estimated_savings, bankable_savings, severity_rank, created_at
      from recommendation where ${conditions(sight, filter)} limit ${fewMax + 1}),
    sums as (select status, ${sums} from matching group by status),
    page as (
      select cluster_id, recommendation_id from matching where ${isWanted} and ${next} order by ${order} limit ${page.limit})
    select (select count(*)::integer from matching) as matched,
      (select jsonb_agg(to_jsonb(sums)) from sums) as totals, found.*
    from (values (1)) as one (row) left join lateral (
      select *, (${key})::text as sort_key from recommendation
      where (cluster_id, recommendation_id) in (select cluster_id, recommendation_id from page)) found on true
    order by ${order}`.execute(db)
  // Without a match there is one row, with the sums alone.
  const [first] = rows
  if (first && first.matched > fewMax) return undefined
  const found = rows.filter((row) => (row.recommendation_id as string | null) !== null)
  return { rows: found.map(({ matched: _many, totals: _all, ...row }) => row), totals: first?.totals ?? [] }
}

function pageOf({ sort, after }: RecommendationPage) {
  const isDescending = sort.startsWith('-')
  const [key, type] = sortKeys[sort.replace('-', '') as keyof typeof sortKeys]
  const direction = isDescending ? sql`desc` : sql`asc`
  const beyond = isDescending ? sql`<` : sql`>`
  return {
    key,
    order: sql`${key} ${direction}, recommendation_id ${direction}`,
    next: after ? sql`(${key}, recommendation_id) ${beyond} (${after.key}::${type}, ${after.id})` : sql`true`,
  }
}

const sortKeys = {
  estimated_savings: [sql`estimated_savings`, sql`numeric`],
  bankable_savings: [sql`coalesce(bankable_savings, 0)`, sql`numeric`],
  severity: [sql`severity_rank`, sql`smallint`],
  created_at: [sql`created_at`, sql`timestamptz`],
} as const

export type StatusTotal = {
  status: RecommendationStatus
  count: number
  estimated_savings: string
  /** Null: computed for none of them. */
  bankable_savings: string | null
}

/** As text: JSON numbers are not exact. */
const sums = sql`count(*)::integer as count, sum(estimated_savings)::text as estimated_savings,
  sum(bankable_savings)::text as bankable_savings`

/** Over all matches of any status. */
export async function sumByStatus(db: Db, sight: Sight, filter: RecommendationFilter): Promise<StatusTotal[]> {
  const { rows } = await sql<StatusTotal>`
    select status, ${sums} from recommendation
    where ${conditions(sight, { ...filter, statuses: undefined })} group by status`.execute(db)
  return rows
}

/** In filters and groups: no namespace, no workload, or no verification. */
export const NONE = '__none__'

const orNone = (values: readonly string[]) => values.map((value) => (value === NONE ? '' : value))

export function conditions({ clusters, namespaces }: Sight, filter: RecommendationFilter): RawBuilder<unknown> {
  const all = [
    filter.clusterIds ? among(sql`cluster_id`, filter.clusterIds) : inLiveCluster,
    ...(clusters === null ? [] : [among(sql`cluster_id`, clusters)]),
    ...(namespaces === null ? [] : [among(sql`namespace`, namespaces)]),
    ...(filter.statuses ? [among(sql`status`, filter.statuses)] : []),
    ...(filter.namespaces ? [among(sql`namespace`, orNone(filter.namespaces))] : []),
    ...(filter.workloads ? [amongOrNone(sql`workload_name`, filter.workloads)] : []),
    ...(filter.ruleIds ? [among(sql`rule_id`, filter.ruleIds)] : []),
    ...(filter.categories ? [among(sql`category`, filter.categories)] : []),
    ...(filter.severities ? [among(sql`severity`, filter.severities)] : []),
    ...(filter.risks ? [among(sql`risk`, filter.risks)] : []),
    ...(filter.verifications ? [amongOrNone(sql`verification`, filter.verifications)] : []),
    ...(filter.savingsMin === undefined ? [] : [sql`estimated_savings >= ${filter.savingsMin}`]),
    ...(filter.text === undefined ? [] : [contains(filter.text)]),
    ...(filter.words ?? []).map(contains),
    ...(filter.awakeAt ? [sql`(snoozed_until is null or snoozed_until <= ${filter.awakeAt})`] : []),
  ]
  return sql.join(all, sql` and `)
}

const contains = (text: string) => sql`strpos(search_text, ${text.toLowerCase()}) > 0`

/** Data of a deleted cluster is hidden at once. */
const inLiveCluster = sql`exists (select from cluster where cluster.cluster_id = recommendation.cluster_id)`

/** For a column that is null without a value. */
const amongOrNone = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.includes(NONE) ? among(sql`coalesce(${column}, '')`, orNone(values)) : among(column, values)

/** A single value is compared with `=`, so that an index can also give the order. */
const among = (column: RawBuilder<unknown>, values: readonly string[]) =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${values})`

export type Moved = {
  status: RecommendationStatus
  approvedAt?: Date | null
  doneAt?: Date | null
  /** Null: the change is not verified any more, and the observation is deleted. */
  verification?: 'awaiting' | null
  snoozedUntil?: Date | null
}

export async function updateMoved(
  tx: Db,
  {
    clusterIds,
    ids,
    moved: { status, approvedAt, doneAt, verification, snoozedUntil },
    now,
  }: { clusterIds: readonly string[]; ids: readonly string[]; moved: Moved; now: Date },
): Promise<void> {
  await tx
    .updateTable('recommendation')
    .set((eb) => ({
      status,
      ...(approvedAt === undefined ? {} : { approved_at: approvedAt }),
      ...(doneAt === undefined ? {} : { done_at: doneAt }),
      ...(verification === undefined ? {} : { verification }),
      ...(verification === null ? { verification_detail: null } : {}),
      ...(snoozedUntil === undefined ? {} : { snoozed_until: snoozedUntil }),
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where('cluster_id', '=', sql<string>`any(${clusterIds})`)
    .where('recommendation_id', '=', sql<string>`any(${ids})`)
    .execute()
}

export type PotentialSavings = { category: string; estimated: string; bankable: string }

/** Open recommendations, by category. */
export async function sumPotentialSavings(db: Db, clusterId: string, now: Date): Promise<PotentialSavings[]> {
  const { rows } = await sql<PotentialSavings>`
    select category, sum(estimated_savings) as estimated, sum(coalesce(bankable_savings, 0)) as bankable
    from recommendation
    where cluster_id = ${clusterId} and status in ('pending', 'approved')
      and (snoozed_until is null or snoozed_until <= ${now})
    group by category`.execute(db)
  return rows
}

/** Rules with recommendations or withheld reasons. One index look-up for each, because most are mistyped. */
export async function listRulesLeft(db: Db, ruleIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ruleIds}::text[]) as id
    where exists (select from recommendation r where r.rule_id = id)
      or exists (select from recommendation_withheld w where w.rule_id = id)`.execute(db)
  return rows.map(({ id }) => id)
}
