import type { RateLimits } from '@plimsoll/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Passwords } from './auth/passwords.ts'
import type { Secrets } from './auth/secrets.ts'
import type { Tokens } from './auth/tokens.ts'
import type { Db } from './db/database.ts'
import type { DiskSpace } from './db/disk-space.ts'
import type { Metrics } from './http/metrics.ts'
import type { OidcSettings, SmtpSettings } from './config.ts'
import type { Analysing, Delivering, Folding, Monitoring, Previewing, PriceBookSource } from './background.ts'

/** The dependencies of routes and jobs, created once in service.ts. */
export type Deps = {
  db: Db
  log: FastifyBaseLogger
  now: () => Date
  secrets: Secrets
  tokens: Tokens
  passwords: Passwords
  metrics: Metrics
  limits: RateLimits
  prices: PriceBookSource
  disk: DiskSpace
  folding: Folding
  analysing: Analysing
  previewing: Previewing
  delivering: Delivering
  monitoring: Monitoring
  settings: Settings
}

export type Settings = {
  /** The public address of the service without a trailing slash: for links, install commands and origin checks. */
  publicUrl: string
  /** The image of the agent; undefined: the name in its chart, which must be built first. */
  agentImage: string | undefined
  /** Origins of other sites that may call the API; none by default. */
  corsOrigins: readonly string[]
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  trustedProxies: readonly string[]
  /** Private networks that messages may be sent to; none by default. */
  outboundNetworks: readonly string[]
  /** Undefined: no e-mail can be sent. */
  smtp: SmtpSettings | undefined
  /** Undefined: users sign in with passwords only. */
  oidc: OidcSettings | undefined
  /** The e-mail address of the only user who can sign in with a password; null: everyone can. */
  passwordOnlyFor: string | null
}
