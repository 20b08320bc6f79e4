export { listPolicies } from './queries/policies.ts'
export { loadTeamMapping, shareTeamMapping } from './queries/team-mapping.ts'
export { labelsOfRules, teamOf, type TeamRules } from './team-of.ts'
