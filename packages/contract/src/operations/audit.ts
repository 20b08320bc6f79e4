import { AuditList, ListAuditQuery } from '../schemas/audit.ts'
import { operation } from './operation.ts'

export const auditOperations = {
  listAuditEntries: operation('GET /api/v1/audit', {
    access: 'audit:read',
    tag: 'Audit',
    summary: 'List the audit log, newest first',
    query: ListAuditQuery,
    response: { 200: AuditList },
  }),
}
