import { budgetPeriods, recommendationStatuses } from '@plimsoll/contract'
import { VERIFICATIONS } from '@plimsoll/engine/vocabulary'
import { sql, type Selectable } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import type { Tables } from './tables.ts'

type Column<Table extends keyof Tables, Name extends keyof Tables[Table]> = NonNullable<
  Selectable<Tables[Table]>[Name & keyof Selectable<Tables[Table]>]
>

/** All values of a type. A missing or an additional value does not compile. */
const all = <Value extends string>(values: Record<Value, true>) => Object.keys(values)

/** The values of each checked column in code: the enum of the contract, or the type of the column. */
const inCode: Record<string, readonly string[]> = {
  'alert.state': all<Column<'alert', 'state'>>({ pending: true, firing: true, resolved: true }),
  'alert_notice.state': all<Column<'alert_notice', 'state'>>({ waiting: true, sent: true, dropped: true }),
  'audit_entry.actor_kind': all<Column<'audit_entry', 'actor_kind'>>({
    ...{ person: true, api_key: true, agent: true, system: true, anonymous: true },
  }),
  'budget.period': budgetPeriods,
  'channel.disabled_reason': all<Column<'channel', 'disabled_reason'>>({ user: true, gone: true }),
  'delivery.state': all<Column<'delivery', 'state'>>({
    ...{ waiting: true, delivered: true, dead: true, cancelled: true },
  }),
  'folded_hour.origin': all<Column<'folded_hour', 'origin'>>({ live: true, bridged: true, backfill: true }),
  'ingest_batch.kind': all<Column<'ingest_batch', 'kind'>>({ live: true, backfill: true }),
  'ingest_batch.state': all<Column<'ingest_batch', 'state'>>({ pending: true, folded: true, quarantined: true }),
  // The service has one kind of job that a caller can start.
  'job.kind': ['sync'],
  'job.stage': all<Column<'job', 'stage'>>({
    ...{ queued: true, recalculating: true, waiting_for_agent: true, done: true },
  }),
  'price_book.origin': all<Column<'price_book', 'origin'>>({ release: true, loaded: true }),
  'price_override.capacity_type': all<Column<'price_override', 'capacity_type'>>({ 'on-demand': true, spot: true }),
  'price_override.kind': all<Column<'price_override', 'kind'>>({
    ...{ node_price: true, discount: true, custom_rates: true },
  }),
  'price_override.os': all<Column<'price_override', 'os'>>({ linux: true, windows: true }),
  'recommendation.status': recommendationStatuses,
  'recommendation.verification': VERIFICATIONS,
  'server_secret.purpose': all<Column<'server_secret', 'purpose'>>({ jwt: true, mac: true }),
  'workload_container.container_kind': all<Column<'workload_container', 'container_kind'>>({
    ...{ app: true, init: true, sidecar: true },
  }),
}

const sorted = (values: readonly string[]) => [...values].sort()

test('each check of a column that lists values allows the values of the code', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ column: string; definition: string }>`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.connamespace = 'public'::regnamespace`.execute(db)
  const inDatabase = rows.flatMap(({ column, definition }) => {
    const values = [...definition.matchAll(/'([^']+)'::text/g)].map(([, value = '']) => value)
    const isList = values.length > 0 && /= ANY \(ARRAY\[|= '[^']+'::text/.test(definition)
    return isList ? [[column, sorted(values)] as const] : []
  })
  expect(Object.fromEntries(inDatabase)).toEqual(
    Object.fromEntries(Object.entries(inCode).map(([column, values]) => [column, sorted(values)])),
  )
})
