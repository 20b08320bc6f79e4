import type { Access, Operation } from '@plimsoll/contract'
import type { Caller } from './platform/auth/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on routes that need no credential. */
    caller: Caller | null
  }

  interface FastifyContextConfig {
    access?: Access
    /** Undefined for probes, pages and files. */
    operation?: Operation
  }

  /** What the documentation shows of a route. */
  interface FastifySchema {
    summary?: string
    description?: string
    tags?: readonly string[]
    /** Media types of bytes that the route answers with instead of JSON when asked to, each with what the bytes are. */
    bytes?: Readonly<Record<string, string>>
    hide?: boolean
  }
}
