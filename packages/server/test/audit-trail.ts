import type { LightMyRequestResponse } from 'fastify'
import { listAuditEntries } from '../src/audit/queries.ts'
import type { TestApp } from './test-app.ts'

/** The audit entries of one request. */
export async function entriesOf({ db }: TestApp, { headers }: LightMyRequestResponse) {
  const entries = await listAuditEntries(db, {}, { after: undefined, limit: 10_000 })
  return entries.filter(({ request_id }) => request_id === headers['x-request-id'])
}
