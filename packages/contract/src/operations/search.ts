import { SearchQuery, SearchResults } from '../schemas/search.ts'
import { operation } from './operation.ts'

export const searchOperations = {
  searchByName: operation('GET /api/v1/search', {
    access: 'caller',
    narrowsToTeams: true,
    tag: 'Search',
    summary: 'Find clusters, teams, namespaces, workloads, nodes and recommendations by name',
    description:
      'Contains only objects that your role may see. The list of a kind is empty without the permission to read it. Nodes need a role for ' +
      'whole clusters. Workloads that ran in the last 35 days are found; with a role limited to teams, workloads of ' +
      'the last day.',
    query: SearchQuery,
    response: { 200: SearchResults },
  }),
}
