import { hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

type Span = { from: Date; to: Date }

/** The first and the last stored hour of each span, over all clusters. Undefined: no data. */
export async function listCoveredSpans(
  tx: Db,
  clusterIds: readonly string[],
  spans: readonly Span[],
): Promise<(Span | undefined)[]> {
  const { rows } = await sql<{ index: number; first: Date; last: Date }>`
    select span.index::int, min(h.hour) as first, max(h.hour) as last
    from unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
      with ordinality as span (starts_at, ends_at, index)
    join folded_hour h on h.cluster_id = any(${clusterIds}) and h.hour >= span.starts_at and h.hour < span.ends_at
    group by 1`.execute(tx)
  const found = new Map(rows.map((row) => [row.index, row]))
  return spans.map((_span, index) => {
    const row = found.get(index + 1)
    return row && { from: row.first, to: new Date(row.last.getTime() + hourMs) }
  })
}

const labelNamesMax = 2000

/** Names of labels of workloads in the window. */
export async function listLabelNames(tx: Db, clusterIds: readonly string[], { from, to }: Span): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(labels) as name from (
      select distinct labels from workload_day
      where cluster_id = any(${clusterIds}) and day > ${from}::timestamptz - interval '24 hours' and day < ${to}
      union
      select distinct labels from workload_hour h
      where cluster_id = any(${clusterIds}) and hour >= ${from} and hour < ${to} and not exists (
        select from folded_day d where d.cluster_id = h.cluster_id and d.day = date_trunc('day', h.hour, 'UTC'))) stored
    limit ${labelNamesMax}`.execute(tx)
  return rows.map(({ name }) => name)
}
