export { listPolicies } from './queries/policies.ts'
export { loadTeamMapping } from './queries/team-mapping.ts'
