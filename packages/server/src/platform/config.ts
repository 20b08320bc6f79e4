import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { agentImagePattern, passwordLengthMax, passwordLengthMin } from '@plimsoll/contract'
import { StartupError } from './startup-error.ts'

export type Config = {
  port: number
  host: string
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined
  /** Undefined: chosen at start. */
  dataDir: string | undefined
  /** Demo data, separate from real data. */
  demo: boolean
  publicUrl: string
  /** Undefined: the name in the chart. */
  agentImage: string | undefined
  role: 'all' | 'api' | 'worker'
  admin: { email: string; password: string } | undefined
  secretKey: string | undefined
  corsOrigins: string[]
  trustedProxies: string[]
  /** Private networks that messages may be sent to. */
  outboundNetworks: string[]
  /** Undefined: no e-mail can be sent. */
  smtp: SmtpSettings | undefined
  /** Undefined: users sign in with passwords only. */
  oidc: OidcSettings | undefined
  /** Only the emergency admin, the user of PLIMSOLL_ADMIN_EMAIL, can sign in with a password. */
  isSsoOnly: boolean
  /** The separate listener of metrics; undefined: the main one. */
  metricsListen: ListenAddress | undefined
  /** The separate listener of the OpenCost-compatible API, and its API key; undefined: there is none. */
  opencost: { listen: ListenAddress; apiKey: string } | undefined
  logLevel: string
  connectionsMax: number
}

export type ListenAddress = { host: string; port: number }

export type SmtpSettings = {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS. */
  isTls: boolean
  /** False: the mail server may offer no TLS. */
  requiresTls: boolean
  auth: { user: string; pass: string } | undefined
  from: string
}

export type OidcSettings = {
  issuer: string
  clientId: string
  /** Undefined: a public client. */
  clientSecret: string | undefined
  /** The claim with the groups of a user. */
  groupsClaim: string
}

type Environment = Record<string, string | undefined>

const secretKeyLengthMin = 16

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** All settings, read once. An error is reported in one sentence before anything starts. */
export function readConfig(env: Environment): Config {
  const port = wholeNumber(env, 'PORT', { fallback: 8080, min: 1, max: 65_535 })
  const host = text(env, 'HOST') ?? '127.0.0.1'
  const oidc = oidcSettings(env)
  return {
    port,
    host,
    databaseUrl: databaseUrl(env),
    dataDir: text(env, 'PLIMSOLL_DATA_DIR'),
    demo: oneOf(env, 'PLIMSOLL_DEMO', ['0', '1'] as const) === '1',
    publicUrl: publicUrl(env) ?? `http://${shownHost(host)}:${port}`,
    agentImage: agentImage(env),
    role: oneOf(env, 'PLIMSOLL_ROLE', ['all', 'api', 'worker'] as const),
    admin: admin(env),
    secretKey: secretKey(env),
    corsOrigins: list(env, 'PLIMSOLL_CORS_ORIGINS').map((origin) => demandOrigin(origin)),
    trustedProxies: list(env, 'PLIMSOLL_TRUSTED_PROXIES').map((network) => demandNetwork(network)),
    outboundNetworks: list(env, 'PLIMSOLL_OUTBOUND_NETWORKS').map((network) => demandCidr(network)),
    smtp: smtp(env),
    oidc,
    isSsoOnly: isSsoOnly(env, oidc),
    metricsListen: listenAddress(env, 'PLIMSOLL_METRICS_LISTEN', '127.0.0.1:9090'),
    opencost: opencostListener(env),
    logLevel: oneOf(env, 'PLIMSOLL_LOG_LEVEL', ['info', ...logLevels.filter((level) => level !== 'info')]),
    connectionsMax: wholeNumber(env, 'PLIMSOLL_DB_CONNECTIONS', { fallback: 10, min: 2, max: 500 }),
  }
}

/** An empty variable counts as unset, because compose files set empty ones. */
function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function list(env: Environment, name: string): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** `NAME`, or the content of the file in `NAME_FILE`, as orchestrators mount secrets. */
function secret(env: Environment, name: string): string | undefined {
  const path = text(env, `${name}_FILE`)
  if (path === undefined) return env[name] === '' ? undefined : env[name]
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new StartupError(`${name}_FILE cannot be read: ${(error as Error).message}.`)
  }
}

function wholeNumber(
  env: Environment,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
) {
  const value = text(env, name)
  if (value === undefined) return fallback
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (number >= min && number <= max) return number
  throw new StartupError(`${name} must be a whole number from ${min} to ${max}, not '${value}'.`)
}

function oneOf<Choice extends string>(env: Environment, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const value = text(env, name) ?? choices[0]
  const found = choices.find((choice) => choice === value)
  if (found === undefined) throw new StartupError(`${name} must be one of ${choices.join(', ')}, not '${value}'.`)
  return found
}

function databaseUrl(env: Environment): string | undefined {
  const value = secret(env, 'DATABASE_URL')?.trim()
  if (value === undefined || value === '') return undefined
  if (!/^postgres(ql)?:\/\//.test(value)) {
    throw new StartupError('DATABASE_URL must start with postgres:// or postgresql://.')
  }
  if (URL.canParse(value)) return value
  throw new StartupError(
    'DATABASE_URL must have the form postgres://user:password@host:port/database. Percent-encode special characters in the password.',
  )
}

function publicUrl(env: Environment): string | undefined {
  const value = text(env, 'PLIMSOLL_PUBLIC_URL')
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^https?:$/.test(url.protocol) && /^[\w.:/[\]~-]+$/.test(value)) return withoutTrailingSlashes(value)
  throw new StartupError(`PLIMSOLL_PUBLIC_URL must be an http or https URL, not '${value}'.`)
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

function listenAddress(env: Environment, name: string, example: string): ListenAddress | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const [, ipv6, host = ipv6, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(value) ?? []
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) return { host, port: Number(port) }
  throw new StartupError(`${name} must be host:port such as ${example}, not '${value}'.`)
}

function opencostListener(env: Environment): Config['opencost'] {
  const listen = listenAddress(env, 'PLIMSOLL_OPENCOST_LISTEN', '127.0.0.1:9003')
  const apiKey = secret(env, 'PLIMSOLL_OPENCOST_KEY')?.trim()
  if (listen === undefined && apiKey === undefined) return undefined
  if (listen === undefined) throw new StartupError('PLIMSOLL_OPENCOST_KEY needs PLIMSOLL_OPENCOST_LISTEN.')
  if (apiKey !== undefined && /^[!-~]+$/.test(apiKey)) return { listen, apiKey }
  throw new StartupError('PLIMSOLL_OPENCOST_LISTEN needs an API key in the file of PLIMSOLL_OPENCOST_KEY_FILE.')
}

function agentImage(env: Environment): string | undefined {
  const value = text(env, 'PLIMSOLL_AGENT_IMAGE')
  if (value === undefined || new RegExp(agentImagePattern).test(value)) return value
  throw new StartupError(
    `PLIMSOLL_AGENT_IMAGE must be an image such as registry.example.com/plimsoll-agent:0.1.0, not '${value}'.`,
  )
}

function demandOrigin(origin: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
  throw new StartupError(`PLIMSOLL_CORS_ORIGINS must list origins such as https://example.com, not '${origin}'.`)
}

const namedNetworks = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isCidr(network: string): boolean {
  const [address = '', prefix = '1', ...rest] = network.split('/')
  const bitsMax = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  return /^\d+$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bitsMax && rest.length === 0
}

function demandCidr(network: string): string {
  if (isCidr(network)) return network
  throw new StartupError(
    `PLIMSOLL_OUTBOUND_NETWORKS must list addresses or networks such as 10.0.0.0/8, not '${network}'.`,
  )
}

function demandNetwork(network: string): string {
  if (isCidr(network) || namedNetworks.has(network)) return network
  throw new StartupError(
    `PLIMSOLL_TRUSTED_PROXIES must list addresses or networks such as 10.0.0.0/8, not '${network}'.`,
  )
}

/** It alone protects the secrets in a copy of the database, so it must not be guessable. */
function secretKey(env: Environment): string | undefined {
  const value = secret(env, 'PLIMSOLL_SECRET_KEY')
  if (value === undefined || value.length >= secretKeyLengthMin) return value
  throw new StartupError(
    `PLIMSOLL_SECRET_KEY must have at least ${secretKeyLengthMin} characters. Create a key with: openssl rand -hex 32.`,
  )
}

/** The URL is never quoted in an error, because it may contain a password. */
function smtp(env: Environment): SmtpSettings | undefined {
  const value = secret(env, 'PLIMSOLL_SMTP_URL')?.trim()
  const from = text(env, 'PLIMSOLL_MAIL_FROM')
  if (value === undefined && from === undefined) return undefined
  if (value === undefined || from === undefined)
    throw new StartupError('Set both PLIMSOLL_SMTP_URL and PLIMSOLL_MAIL_FROM, or neither.')
  if (!/^[^\s@<>]+@[^\s@<>]+$/.test(from))
    throw new StartupError(`PLIMSOLL_MAIL_FROM must be an e-mail address such as plimsoll@example.com, not '${from}'.`)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new StartupError(
      'PLIMSOLL_SMTP_URL must have the form smtps://user:password@host:port, or smtp://… for STARTTLS.',
    )
  const isTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
    isTls,
    requiresTls: oneOf(env, 'PLIMSOLL_SMTP_TLS', ['required', 'optional'] as const) === 'required',
    auth:
      url.username === ''
        ? undefined
        : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    from,
  }
}

function oidcSettings(env: Environment): OidcSettings | undefined {
  const issuer = text(env, 'PLIMSOLL_OIDC_ISSUER')
  const clientId = text(env, 'PLIMSOLL_OIDC_CLIENT_ID')
  const clientSecret = secret(env, 'PLIMSOLL_OIDC_CLIENT_SECRET')
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined)
    throw new StartupError('Set both PLIMSOLL_OIDC_ISSUER and PLIMSOLL_OIDC_CLIENT_ID, or neither.')
  if (!URL.canParse(issuer) || !/^https?:$/.test(new URL(issuer).protocol))
    throw new StartupError(`PLIMSOLL_OIDC_ISSUER must be an http or https URL, not '${issuer}'.`)
  return {
    issuer,
    clientId,
    clientSecret,
    groupsClaim: text(env, 'PLIMSOLL_OIDC_GROUPS_CLAIM') ?? 'groups',
  }
}

/** Without a local administrator, an identity provider that fails would lock everyone out. */
function isSsoOnly(env: Environment, oidc: OidcSettings | undefined): boolean {
  if (oneOf(env, 'PLIMSOLL_SSO_ONLY', ['0', '1'] as const) === '0') return false
  if (oidc && text(env, 'PLIMSOLL_ADMIN_EMAIL') !== undefined) return true
  throw new StartupError(
    'PLIMSOLL_SSO_ONLY requires PLIMSOLL_OIDC_ISSUER, and PLIMSOLL_ADMIN_EMAIL for the one user who can still sign in with a password.',
  )
}

/** A wildcard address is not one that a browser can open. */
const shownHost = (host: string) =>
  host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host

function admin(env: Environment): Config['admin'] {
  const email = text(env, 'PLIMSOLL_ADMIN_EMAIL')?.toLowerCase()
  const password = secret(env, 'PLIMSOLL_ADMIN_PASSWORD')
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined) {
    throw new StartupError(
      'Set both PLIMSOLL_ADMIN_EMAIL and PLIMSOLL_ADMIN_PASSWORD (or PLIMSOLL_ADMIN_PASSWORD_FILE), or neither.',
    )
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new StartupError(`PLIMSOLL_ADMIN_EMAIL is not an e-mail address: '${email}'.`)
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    throw new StartupError(`PLIMSOLL_ADMIN_PASSWORD must have ${passwordLengthMin} to ${passwordLengthMax} characters.`)
  }
  return { email, password }
}
