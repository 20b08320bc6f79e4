import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, viewsPerUserMax, type View } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import type { UserCaller } from '../../platform/auth/caller.ts'
import { seesWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, withEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { isId, newId } from '../../platform/ids.ts'
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockView,
  updateView,
  type ViewRow,
} from '../queries/views.ts'
import { demandPage } from '../view-path.ts'

export const viewRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const preParsing = async (request: FastifyRequest) => {
    await demandView(request, (id) => findView(deps.db, id))
  }

  handle(app, operations.listViews, {
    handler: async (request) => {
      const caller = requestUser(request)
      return { views: (await listViews(deps.db, caller.userId)).map((row) => presentView(row, caller)) }
    },
  })

  handle(app, operations.createView, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { name, path, shared = false } = request.body
        demandPage(path)
        const caller = requestUser(request)
        if ((await countViews(tx, caller.userId)) >= viewsPerUserMax) throw tooMany()
        const now = deps.now()
        const times = { created_at: now, updated_at: now }
        const row = { view_id: newId('viw', now), user_id: caller.userId, name, path, is_shared: shared, ...times }
        await insertView(tx, row)
        const target = { type: 'view' as const, id: row.view_id }
        await recordChange(deps, tx, request, { action: 'view.create', target, detail: { name, path, shared } })
        const body = presentView({ ...row, revision: 1, email: caller.email }, caller)
        return { status: 201, body, headers: { etag: body.etag }, resourceId: row.view_id }
      }),
  })

  handle(app, operations.updateView, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const row = await demandView(request, (id) => lockView(tx, id))
        demandMatch(request, row.revision)
        const { name = row.name, path = row.path, shared = row.is_shared } = request.body
        demandPage(path)
        const edited = { ...row, name, path, is_shared: shared }
        const detail = changedFields(shownFields(row), shownFields(edited))
        const caller = requestUser(request)
        if (Object.keys(detail.after).length === 0) {
          const body = presentView(row, caller)
          return { status: 200, body, headers: { etag: body.etag } }
        }
        const stored = { ...edited, revision: row.revision + 1, updated_at: deps.now() }
        await updateView(tx, stored)
        const target = { type: 'view' as const, id: row.view_id }
        await recordChange(deps, tx, request, { action: 'view.update', target, detail })
        const body = presentView(stored, caller)
        return { status: 200, body, headers: { etag: body.etag } }
      }),
  })

  handle(app, operations.deleteView, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const row = await demandView(request, (id) => lockView(tx, id))
        demandMatch(request, row.revision)
        await deleteView(tx, row.view_id)
        const target = { type: 'view' as const, id: row.view_id }
        await recordChange(deps, tx, request, { action: 'view.delete', target, detail: shownFields(row) })
        return { status: 204, body: null }
      }),
  })
}

const mayEdit = ({ user_id: owner }: ViewRow, caller: UserCaller) =>
  owner === caller.userId || (caller.permissions.has('settings:write') && seesWholeFleet(caller))

/** A view that the caller may change. Missing views and private views of others get the same response. */
async function demandView(
  request: FastifyRequest,
  find: (id: string) => Promise<ViewRow | undefined>,
): Promise<ViewRow> {
  const { view_id: id } = request.params as { view_id: string }
  const caller = requestUser(request)
  const row = isId('viw', id) ? await find(id) : undefined
  if (!row || (row.user_id !== caller.userId && !row.is_shared))
    throw new Problem('view_not_found', `There is no view ${quoted(id)}.`)
  if (!mayEdit(row, caller)) throw new Problem('view_not_own', `The view ${quoted(row.name)} belongs to ${row.email}.`)
  return row
}

const shownFields = ({ name, path, is_shared: shared }: Pick<ViewRow, 'name' | 'path' | 'is_shared'>) => ({
  name,
  path,
  shared,
})

const presentView = (row: ViewRow, caller: UserCaller): View =>
  withEtag(row.revision, {
    id: row.view_id,
    ...shownFields(row),
    owner: row.email,
    editable: mayEdit(row, caller),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  })

const tooMany = () => new Problem('view_limit', `You already have ${viewsPerUserMax} views. Delete an unused one.`)
