export { listPolicies } from './queries/policies.ts'
export { listPoolScaling } from './queries/pool-scaling.ts'
export { loadTeamMapping, presentCostSharing, presentTeamMapping, shareTeamMapping } from './queries/team-mapping.ts'
export { labelsOfRules, teamOf, type TeamRules } from './team-of.ts'
