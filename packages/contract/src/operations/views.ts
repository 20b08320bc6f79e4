import { IfMatch, NoContent } from '../schemas/common.ts'
import { ViewParams } from '../schemas/path-params.ts'
import { CreateViewBody, UpdateViewBody, View, ViewList, viewsPerUserMax } from '../schemas/views.ts'
import { operation } from './operation.ts'

export const viewOperations = {
  listViews: operation('GET /api/v1/views', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Views',
    summary: 'List your saved views and shared views',
    description: 'A view is the address of a dashboard page. Opening it shows the data that your own role may see.',
    response: { 200: ViewList },
  }),

  createView: operation('POST /api/v1/views', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Views',
    summary: 'Save a view',
    description: `Each user can have ${viewsPerUserMax} views.`,
    body: CreateViewBody,
    response: { 201: View },
  }),

  updateView: operation('PATCH /api/v1/views/:view_id', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Views',
    summary: 'Rename, share or change a view',
    description: 'Only the owner, and users with the permission `settings:write`, change a view.',
    params: ViewParams,
    headers: IfMatch,
    body: UpdateViewBody,
    response: { 200: View },
  }),

  deleteView: operation('DELETE /api/v1/views/:view_id', {
    access: 'reports:read',
    narrowsToTeams: true,
    tag: 'Views',
    summary: 'Delete a view',
    description: 'Only the owner, and users with the permission `settings:write`, delete a view.',
    params: ViewParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),
}
