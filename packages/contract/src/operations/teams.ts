import { IfMatch } from '../schemas/common.ts'
import { PutTeamMappingBody, TeamMapping } from '../schemas/team-mapping.ts'
import { operation } from './operation.ts'

export const teamOperations = {
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
}
