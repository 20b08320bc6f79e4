import { IfMatch, NoContent } from '../schemas/common.ts'
import { TeamParams } from '../schemas/path-params.ts'
import { CostSharing, PutCostSharingBody } from '../schemas/cost-sharing.ts'
import { PutTeamMappingBody, TeamMapping } from '../schemas/team-mapping.ts'
import { ListTeamsQuery, PutTeamBody, Team, TeamList } from '../schemas/teams.ts'
import { operation } from './operation.ts'

export const teamOperations = {
  listTeams: operation('GET /api/v1/teams', {
    access: 'reports:read',
    tag: 'Teams',
    summary: 'List teams with their cost of this month, and the unowned cost',
    description:
      'A team appears as soon as a mapping rule, a label, a role or a sign-in rule names it. A limited role sees the teams of its part of the fleet.',
    query: ListTeamsQuery,
    narrowsToTeams: true,
    response: { 200: TeamList },
  }),

  getTeam: operation('GET /api/v1/teams/:team', {
    access: 'reports:read',
    tag: 'Teams',
    summary: 'Show the contact, channels and cost center of a team',
    params: TeamParams,
    narrowsToTeams: true,
    response: { 200: Team },
  }),

  setTeam: operation('PUT /api/v1/teams/:team', {
    access: 'settings:write',
    tag: 'Teams',
    summary: 'Set the contact, channels and cost center of a team',
    description:
      'Creates the team if nothing has named it yet. Changes no cost: the team mapping decides ownership. ' +
      'Changing the channels also requires the permission `webhooks:write`.',
    params: TeamParams,
    headers: IfMatch,
    body: PutTeamBody,
    response: { 200: Team },
  }),

  deleteTeam: operation('DELETE /api/v1/teams/:team', {
    access: 'settings:write',
    tag: 'Teams',
    summary: 'Delete a team',
    description:
      'Deletes the contact and the cost center. A team that a mapping rule, a sign-in rule, a role or a budget names, or ' +
      'that has channels, cannot be deleted (`409 team_in_use`). Saved views stay. A workload with a label of the team creates the team again.',
    params: TeamParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  getTeamMapping: operation('GET /api/v1/team-mapping', {
    access: 'settings:read',
    tag: 'Teams',
    summary: 'Show the team mapping',
    response: { 200: TeamMapping },
  }),

  setTeamMapping: operation('PUT /api/v1/team-mapping', {
    access: 'settings:write',
    tag: 'Teams',
    summary: 'Replace the team mapping',
    description: 'The mapping applies to the whole history immediately and does not change amounts.',
    headers: IfMatch,
    body: PutTeamMappingBody,
    response: { 200: TeamMapping },
  }),

  getCostSharing: operation('GET /api/v1/cost-sharing', {
    access: 'settings:read',
    tag: 'Teams',
    summary: 'Show how statements and budgets share costs',
    response: { 200: CostSharing },
  }),

  setCostSharing: operation('PUT /api/v1/cost-sharing', {
    access: 'settings:write',
    tag: 'Teams',
    summary: 'Set how statements and budgets share costs',
    description:
      'The rules apply to the whole history, except to budget periods that are final. Sharing changes who pays; the total stays the same.',
    headers: IfMatch,
    body: PutCostSharingBody,
    response: { 200: CostSharing },
  }),
}
