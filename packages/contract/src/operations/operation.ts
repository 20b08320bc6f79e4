import type { TSchema } from 'typebox'
import type { Permission } from '../permissions.ts'

/**
 * Who may call a route:
 * `probe` anyone, without being counted · `free` anyone, counted per address with a generous limit for pages and files ·
 * `anonymous` anyone, counted against the address or, for log-in, its own bucket ·
 * `person` anyone signed in · `caller` anyone signed in or with an API key · else whoever holds the permission.
 */
export type Access = 'probe' | 'free' | 'anonymous' | 'person' | 'caller' | Permission

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Method and path, as the server registers them. */
export type OperationRoute = `${Method} ${'/api/v1' | '/auth'}/${string}`

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
  /** By status. An operation without it answers with text or bytes. */
  response?: Readonly<Record<number, TSchema>>
  /** Media types of bytes that the operation answers with instead of JSON on request, each with a description. */
  bytes?: Readonly<Record<string, string>>
  /** Unless it is `bodyBytesMax` of all operations. */
  bodyBytesMax?: number
}

/** Everything that is known about one call of the API. Server, access table, documentation and client are made from it. */
export type Operation = OperationParts & { name: string; route: OperationRoute }

/** Keeps the types of the route and of the schemas. */
export const operation = <const Route extends OperationRoute, const Parts extends OperationParts>(
  route: Route,
  parts: Parts,
): Parts & { route: Route } => ({ ...parts, route })
