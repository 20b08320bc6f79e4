import type { TSchema } from 'typebox'
import type { Permission } from '../permissions.ts'

/**
 * The access of a route:
 * `probe`: public, no rate limit.
 * `free`: public, with a high limit per address for pages and files.
 * `anonymous`: public, limited per address; sign-in has its own limit.
 * `person`: any signed-in user.
 * `caller`: any signed-in user or API key.
 * Otherwise: every caller with the permission.
 */
export type Access = 'probe' | 'free' | 'anonymous' | 'person' | 'caller' | Permission

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Method and path, as the server registers them. */
export type OperationRoute = `${Method} ${'/api/v1' | '/auth' | '/metrics' | '/model'}/${string}`

type OperationParts = {
  access: Access
  /** The section of the documentation. */
  tag: string
  summary: string
  description?: string
  params?: TSchema
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** Response schemas by status. An operation without them returns text or bytes. */
  response?: Readonly<Record<number, TSchema>>
  /** Media types that the operation returns on request instead of JSON, each with a description. */
  bytes?: Readonly<Record<string, string>>
  /** The response shows only the teams of the role. Other operations refuse a role that is limited to teams. */
  narrowsToTeams?: true
  /** An anonymous operation that tries no password has a higher limit per address. */
  isRedirect?: true
  /** Overrides the general `bodyBytesMax`. */
  bodyBytesMax?: number
}

/** The definition of one API operation. Server, access table, documentation and client derive from it. */
export type Operation = OperationParts & { name: string; route: OperationRoute }

/** Preserves the types of the route and of the schemas. */
export const operation = <const Route extends OperationRoute, const Parts extends OperationParts>(
  route: Route,
  parts: Parts,
): Parts & { route: Route } => ({ ...parts, route })
