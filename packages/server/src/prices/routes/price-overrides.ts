import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type CreatePriceOverrideBody, type PriceOverride, priceOverridePageSize, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { maySeeCluster } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/database.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import {
  endPriceOverride,
  insertPriceOverride,
  listPriceOverrides,
  lockPriceOverride,
  type PriceOverrideRow,
} from '../queries/price-overrides.ts'
import { noteRepricing } from '../queries/repricing.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { isId, newId } from '../../platform/ids.ts'
import { isFullHour, startOfHour } from '@plimsoll/pipeline/prices'
import { overrideErrors, parseOverride } from '../parse-override.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { visibleClusterOfQuery, wholeCluster, wrongCluster } from '../../clusters/index.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

export const priceOverrideRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.listPriceOverrides, {
    preParsing: wholeCluster,
    preValidation: visibleClusterOfQuery(deps),
    handler: async (request) => {
      const { limit, cursor, cluster_id: clusterId, include_ended: ended } = request.query
      const scope = { list: 'price-overrides', selection: { clusterId, ended } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listPriceOverrides(deps.db, {
        visible: requestCaller(request).clusters,
        clusterId,
        endedBy: ended ? undefined : startOfHour(deps.now()),
        after,
        limit: limit + 1,
      })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [String(last.position)], deps.now()),
      )
      return { price_overrides: shown.map(presentOverride), ...rest }
    },
  })

  handle(app, operations.createPriceOverride, {
    preParsing: wholeCluster,
    ...allWrongFields(async (fields, request, refused) => [
      ...wrongOverride(fields, deps.now(), refused),
      ...(await wrongCluster(deps.db, request, fields.cluster_id)),
    ]),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const now = deps.now()
        const unknown = await wrongCluster(tx, request, request.body.cluster_id)
        const parsed = parseOverride(request.body, now, unknown)
        const row = { override_id: newId('prc', now), ...parsed, created_at: now }
        if (row.cluster_id === null) await demandWholeFleet(request)
        await insertPriceOverride(tx, row)
        await followPrices(tx, row.cluster_id, row.effective_from)
        const body = presentOverride(row)
        const target = { type: 'price_override' as const, id: row.override_id }
        await recordChange(deps, tx, request, { action: 'price_override.create', target, detail: audited(row) })
        return { status: 201, body, resourceId: row.override_id }
      }),
  })

  handle(app, operations.endPriceOverride, {
    preParsing: wholeCluster,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { override_id: id } = request.params
        const row = isId('prc', id) ? await lockPriceOverride(tx, id) : undefined
        if (!row || !mayKnow(request, row)) throw notFound(id)
        if (row.cluster_id === null) await demandWholeFleet(request)
        const until = endOf(row, request.query.from, deps.now())
        await endPriceOverride(tx, id, until)
        await followPrices(tx, row.cluster_id, until)
        const target = { type: 'price_override' as const, id }
        const detail = audited({ ...row, effective_until: until })
        await recordChange(deps, tx, request, { action: 'price_override.end', target, detail })
        return { status: 204, body: null }
      }),
  })
}

/** The first page of the list above, for another response. */
export async function listShownOverrides(deps: Deps, request: FastifyRequest): Promise<PriceOverride[]> {
  const rows = await listPriceOverrides(deps.db, {
    visible: requestCaller(request).clusters,
    clusterId: undefined,
    endedBy: startOfHour(deps.now()),
    after: undefined,
    limit: priceOverridePageSize.default,
  })
  return rows.map(presentOverride)
}

/** Stored hours follow in the background; new hours have the new price at once. */
async function followPrices(tx: Db, clusterId: string | null, fromHour: Date): Promise<void> {
  await noteRepricing(tx, clusterId, fromHour)
  await enqueue(tx, 'reprice', {})
}

const mayKnow = (request: FastifyRequest, { cluster_id: clusterId }: PriceOverrideRow) =>
  clusterId === null || maySeeCluster(requestCaller(request), clusterId)

/** For a body with other invalid fields: without a kind the required fields are unknown. */
const wrongOverride = (fields: Fields, now: Date, refused: ReadonlySet<string>): FieldError[] =>
  fields.kind === undefined ? [] : overrideErrors(fields as CreatePriceOverrideBody, now, refused)

type Fields = Readonly<Record<string, unknown>>

/** It can end earlier, never later: to extend it, create it again. */
function endOf(row: PriceOverrideRow, from: string | undefined, now: Date): Date {
  const wanted = from === undefined ? startOfHour(now) : new Date(from)
  if (!isFullHour(wanted)) {
    throw new Problem('invalid_parameter', `from: must be a full hour, got ${from ?? ''}.`, {
      errors: [{ parameter: 'from', code: 'full_hour', detail: 'must be a full hour' }],
    })
  }
  if (row.effective_until !== null && row.effective_until <= wanted) throw notFound(row.override_id)
  if (from !== undefined && wanted < row.effective_from) throw tooEarly(row, from)
  return wanted > row.effective_from ? wanted : row.effective_from
}

/** Deleting an override differs from ending it, and must be explicit. */
function tooEarly(row: PriceOverrideRow, from: string): Problem {
  const began = row.effective_from.toISOString()
  const detail = `must not be before ${began}, the start of the override, got ${from}; send ${began} to remove the override`
  return new Problem('invalid_parameter', `from: ${detail}.`, {
    errors: [{ parameter: 'from', code: 'before_start', detail }],
  })
}

const notFound = (id: string) =>
  new Problem('price_override_not_found', `There is no active price override ${quoted(id)}.`)

/** All its fields. */
const audited = (row: PriceOverrideRow) =>
  Object.fromEntries(Object.entries(presentOverride(row)).filter(([, value]) => value !== null))

export function presentOverride(row: PriceOverrideRow): PriceOverride {
  return {
    id: row.override_id,
    kind: row.kind,
    cluster_id: row.cluster_id,
    provider: row.provider,
    region: row.region,
    instance_type: row.instance_type,
    capacity_type: row.capacity_type,
    os: row.os,
    usd_per_hour: numberOf(row.usd_per_hour),
    percent: numberOf(row.percent),
    usd_per_vcpu_month: numberOf(row.usd_per_vcpu_month),
    usd_per_gib_month: numberOf(row.usd_per_gib_month),
    usd_per_gpu_month: numberOf(row.usd_per_gpu_month),
    usd_per_storage_gib_month: numberOf(row.usd_per_storage_gib_month),
    effective_from: row.effective_from.toISOString(),
    effective_until: row.effective_until?.toISOString() ?? null,
    note: row.note,
    created_at: row.created_at.toISOString(),
  }
}

const numberOf = (text: string | null) => (text === null ? null : Number(text))
