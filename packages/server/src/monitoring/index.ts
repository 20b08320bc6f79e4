export { deleteOldIncidents } from './queries/incidents.ts'
