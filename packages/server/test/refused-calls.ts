import type { ProblemCode } from '@plimsoll/contract'
import type { Call } from './test-app.ts'

type RefusedCall = { what: string; call: () => Call; code: ProblemCode }

/** Calls of an admin that are rejected. `known` is an existing cluster and role; it is read when a call is made. */
export const refusedCalls = (known: () => { clusterId: string; role: string }): RefusedCall[] => [
  {
    what: 'a NUL in a cluster id',
    call: () => ({ method: 'PATCH', url: '/api/v1/clusters/%00', body: { name: 'n' } }),
    code: 'invalid_parameter',
  },
  {
    what: 'a NUL in a role',
    call: () => ({ method: 'PATCH', url: '/api/v1/roles/a%00b', body: { permissions: [] } }),
    code: 'invalid_parameter',
  },
  {
    what: 'a NUL in a user id',
    call: () => ({ method: 'DELETE', url: '/api/v1/users/%00' }),
    code: 'invalid_parameter',
  },
  { what: 'a NUL in a filter', call: () => ({ url: '/api/v1/audit?actor_id=a%00' }), code: 'invalid_parameter' },
  {
    what: 'a role of 10 000 characters',
    call: () => ({ url: `/api/v1/roles/${'x'.repeat(10_000)}` }),
    code: 'role_not_found',
  },
  {
    what: 'a cluster id of 10 000 characters',
    call: () => ({ method: 'DELETE', url: `/api/v1/clusters/${'x'.repeat(10_000)}` }),
    code: 'cluster_not_found',
  },
  {
    what: 'a filter of 10 000 characters',
    call: () => ({ url: `/api/v1/audit?actor_id=${'x'.repeat(10_000)}` }),
    code: 'invalid_parameter',
  },
  {
    what: 'a cursor of 10 000 characters',
    call: () => ({ url: `/api/v1/clusters?cursor=${'x'.repeat(10_000)}` }),
    code: 'invalid_parameter',
  },
  {
    what: 'an invalid cursor',
    call: () => ({ url: '/api/v1/clusters?cursor=bm9uc2Vuc2U' }),
    code: 'invalid_cursor',
  },
  {
    what: 'a duplicate parameter',
    call: () => ({ url: '/api/v1/clusters?sort=name&sort=-name' }),
    code: 'invalid_parameter',
  },
  {
    what: 'an unknown parameter',
    call: () => ({ url: `/api/v1/clusters/${known().clusterId}?verbose=1` }),
    code: 'invalid_parameter',
  },
  {
    what: 'a limit of too many digits',
    call: () => ({ url: `/api/v1/clusters?limit=${'9'.repeat(400)}` }),
    code: 'invalid_parameter',
  },
  { what: 'a negative limit', call: () => ({ url: '/api/v1/clusters?limit=-1' }), code: 'invalid_parameter' },
  { what: 'a malformed percent sign', call: () => ({ url: '/api/v1/clusters/%' }), code: 'malformed_url' },
  { what: 'a path upwards', call: () => ({ url: '/assets/..%2f..%2fpackage.json' }), code: 'not_found' },
  { what: 'a double slash', call: () => ({ url: '//api/v1/clusters' }), code: 'not_found' },
  {
    what: 'a role without permissions',
    call: () => ({ method: 'PATCH', url: `/api/v1/roles/${known().role}`, body: {} }),
    code: 'invalid_body',
  },
  {
    what: 'a duplicate permission',
    call: () => ({
      method: 'PATCH',
      url: `/api/v1/roles/${known().role}`,
      body: { permissions: ['clusters:read', 'clusters:read'] },
    }),
    code: 'invalid_body',
  },
  {
    what: 'an unknown permission',
    call: () => ({ method: 'PATCH', url: `/api/v1/roles/${known().role}`, body: { permissions: ['*:*'] } }),
    code: 'invalid_body',
  },
  {
    what: 'an invalid time',
    call: () => ({ method: 'POST', url: '/api/v1/api-keys', body: { name: 'k', expires_at: '2027-02-30T00:00:00Z' } }),
    code: 'invalid_body',
  },
  {
    what: 'a leap second',
    call: () => ({ method: 'POST', url: '/api/v1/api-keys', body: { name: 'k', expires_at: '2028-12-31T23:59:60Z' } }),
    code: 'invalid_body',
  },
  {
    what: 'a time after the year 9999',
    call: () => ({
      method: 'POST',
      url: '/api/v1/api-keys',
      body: { name: 'k', expires_at: '9999-12-31T23:59:59-23:59' },
    }),
    code: 'invalid_body',
  },
  {
    what: 'a time in the past',
    call: () => ({ method: 'POST', url: '/api/v1/api-keys', body: { name: 'k', expires_at: '2020-01-01T00:00:00Z' } }),
    code: 'invalid_body',
  },
  {
    what: 'an implausibly large overlap',
    call: () => ({
      method: 'POST',
      url: `/api/v1/clusters/${known().clusterId}/agent-tokens`,
      body: '{"overlap_minutes":1e999}',
    }),
    code: 'invalid_body',
  },
  {
    what: 'an overlap of half a minute',
    call: () => ({
      method: 'POST',
      url: `/api/v1/clusters/${known().clusterId}/agent-tokens`,
      body: { overlap_minutes: 0.5 },
    }),
    code: 'invalid_body',
  },
  {
    what: 'an e-mail address without @',
    call: () => ({ method: 'POST', url: '/api/v1/users', body: { email: 'ada', role: 'viewer' } }),
    code: 'invalid_body',
  },
  {
    what: 'an e-mail address with a line break',
    call: () => ({
      method: 'POST',
      url: '/api/v1/users',
      body: { email: 'ada@example.com\r\nBcc: x@example.com', role: 'viewer' },
    }),
    code: 'invalid_body',
  },
  {
    what: 'a password of 10 000 characters',
    call: () => ({
      method: 'POST',
      url: '/api/v1/users',
      body: { email: 'ada@example.com', role: 'viewer', password: 'x'.repeat(10_000) },
    }),
    code: 'invalid_body',
  },
  {
    what: 'a sign-in of 10 000 characters',
    call: () => ({ method: 'POST', url: '/auth/login', body: { email: 'x'.repeat(10_000), password: 'x' } }),
    code: 'invalid_body',
  },
]
