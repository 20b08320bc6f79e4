export { newTeam, presentTeam } from './present-team.ts'
export { listTeams, recordTeams } from './queries/teams.ts'
