import { IfMatch } from '../schemas/common.ts'
import { PutTeamMappingBody, TeamMapping } from '../schemas/team-mapping.ts'
import { operation } from './operation.ts'

export const teamOperations = {
  getTeamMapping: operation('GET /api/v1/team-mapping', {
    access: 'settings:read',
    tag: 'Teams',
    summary: 'Which namespaces and labels belong to which team',
    response: { 200: TeamMapping },
  }),

  setTeamMapping: operation('PUT /api/v1/team-mapping', {
    access: 'settings:write',
    tag: 'Teams',
    summary: 'Replace the rules',
    description: 'They are evaluated when costs are read: they hold for all of history at once, and change no cost.',
    headers: IfMatch,
    body: PutTeamMappingBody,
    response: { 200: TeamMapping },
  }),
}
