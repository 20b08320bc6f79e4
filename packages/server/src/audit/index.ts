export { changedFields, recordChange, recordChanges } from './audit.ts'
