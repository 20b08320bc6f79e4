import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { StartupError } from './startup-error.ts'

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

function aFile(name: string, text: string): string {
  writeFileSync(join(directory, name), text)
  return join(directory, name)
}

const email = { PLIMSOLL_ADMIN_EMAIL: 'ada@example.com' }

test('an empty environment is enough', () => {
  expect(readConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    dataDir: undefined,
    demo: false,
    publicUrl: 'http://127.0.0.1:8080',
    agentImage: undefined,
    role: 'all',
    admin: undefined,
    secretKey: undefined,
    corsOrigins: [],
    trustedProxies: [],
    outboundNetworks: [],
    smtp: undefined,
    oidc: undefined,
    isSsoOnly: false,
    metricsListen: undefined,
    opencost: undefined,
    logLevel: 'info',
    connectionsMax: 10,
  })
})

test('empty variables count as unset', () => {
  const names = [
    'PORT',
    'HOST',
    'DATABASE_URL',
    'PLIMSOLL_DATA_DIR',
    'PLIMSOLL_PUBLIC_URL',
    'PLIMSOLL_ROLE',
    'PLIMSOLL_AGENT_IMAGE',
  ]
  const others = [
    'PLIMSOLL_ADMIN_EMAIL',
    'PLIMSOLL_ADMIN_PASSWORD',
    'PLIMSOLL_ADMIN_PASSWORD_FILE',
    'PLIMSOLL_SECRET_KEY',
  ]
  const more = [
    'PLIMSOLL_CORS_ORIGINS',
    'PLIMSOLL_TRUSTED_PROXIES',
    'PLIMSOLL_OUTBOUND_NETWORKS',
    'PLIMSOLL_SMTP_URL',
    'PLIMSOLL_SMTP_TLS',
    'PLIMSOLL_MAIL_FROM',
    'PLIMSOLL_METRICS_LISTEN',
    'PLIMSOLL_OPENCOST_LISTEN',
    'PLIMSOLL_OPENCOST_KEY',
    'PLIMSOLL_OPENCOST_KEY_FILE',
    'PLIMSOLL_LOG_LEVEL',
    'PLIMSOLL_DB_CONNECTIONS',
  ]
  const empty = Object.fromEntries([...names, ...others, ...more].map((name) => [name, '']))
  expect(readConfig(empty)).toEqual(readConfig({}))
})

test('everything can be set', () => {
  const config = readConfig({
    PORT: ' 9090 ',
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgresql://plimsoll:p%40ss@db.example:5433/costs?sslmode=require',
    PLIMSOLL_DATA_DIR: '/var/lib/plimsoll',
    PLIMSOLL_DEMO: '1',
    PLIMSOLL_PUBLIC_URL: 'https://costs.example.com/plimsoll/',
    PLIMSOLL_AGENT_IMAGE: 'registry.example.com:5000/plimsoll-agent@sha256:0a',
    PLIMSOLL_ROLE: 'worker',
    PLIMSOLL_ADMIN_EMAIL: 'Ada@Example.com',
    PLIMSOLL_ADMIN_PASSWORD: ' spaces count ',
    PLIMSOLL_SECRET_KEY: '0123456789abcdef',
    PLIMSOLL_CORS_ORIGINS: 'https://a.example, http://b.example:8080',
    PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7, fd00::/8, ::1, loopback',
    PLIMSOLL_OUTBOUND_NETWORKS: '10.1.0.0/16, fd00::/8',
    PLIMSOLL_SMTP_URL: 'smtp://mailer:p%40ss@mail.example',
    PLIMSOLL_SMTP_TLS: 'optional',
    PLIMSOLL_MAIL_FROM: 'plimsoll@example.com',
    PLIMSOLL_METRICS_LISTEN: '[::1]:9100',
    PLIMSOLL_OPENCOST_LISTEN: '0.0.0.0:9003',
    PLIMSOLL_OPENCOST_KEY_FILE: aFile('opencost-key', 'plk_1\n'),
    PLIMSOLL_LOG_LEVEL: 'debug',
    PLIMSOLL_DB_CONNECTIONS: '20',
  })
  expect(config).toEqual({
    port: 9090,
    host: '0.0.0.0',
    databaseUrl: 'postgresql://plimsoll:p%40ss@db.example:5433/costs?sslmode=require',
    dataDir: '/var/lib/plimsoll',
    demo: true,
    publicUrl: 'https://costs.example.com/plimsoll',
    agentImage: 'registry.example.com:5000/plimsoll-agent@sha256:0a',
    role: 'worker',
    admin: { email: 'ada@example.com', password: ' spaces count ' },
    secretKey: '0123456789abcdef',
    corsOrigins: ['https://a.example', 'http://b.example:8080'],
    trustedProxies: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1', 'loopback'],
    outboundNetworks: ['10.1.0.0/16', 'fd00::/8'],
    smtp: {
      host: 'mail.example',
      port: 587,
      isTls: false,
      requiresTls: false,
      auth: { user: 'mailer', pass: 'p@ss' },
      from: 'plimsoll@example.com',
    },
    oidc: undefined,
    isSsoOnly: false,
    metricsListen: { host: '::1', port: 9100 },
    opencost: { listen: { host: '0.0.0.0', port: 9003 }, apiKey: 'plk_1' },
    logLevel: 'debug',
    connectionsMax: 20,
  })
})

test.each([
  { host: '0.0.0.0', shown: 'http://localhost:8080' },
  { host: '::', shown: 'http://localhost:8080' },
  { host: '::1', shown: 'http://[::1]:8080' },
  { host: '192.0.2.1', shown: 'http://192.0.2.1:8080' },
])('listening on $host, users see $shown', ({ host, shown }) => {
  expect(readConfig({ HOST: host }).publicUrl).toBe(shown)
})

describe('secrets come from files too', () => {
  test('without the final line break of editors, and nothing else removed', () => {
    const path = aFile('password', ' correct horse battery \n')
    expect(readConfig({ ...email, PLIMSOLL_ADMIN_PASSWORD_FILE: path }).admin?.password).toBe(' correct horse battery ')
    const windows = aFile('windows', 'correct horse battery\r\n')
    expect(readConfig({ ...email, PLIMSOLL_ADMIN_PASSWORD_FILE: windows }).admin?.password).toBe(
      'correct horse battery',
    )
    const key = aFile('key', '0123456789abcdef\n')
    expect(readConfig({ PLIMSOLL_SECRET_KEY_FILE: key }).secretKey).toBe('0123456789abcdef')
    const url = aFile('database-url', 'postgres://plimsoll:secret@db.example/costs\n')
    expect(readConfig({ DATABASE_URL_FILE: url }).databaseUrl).toBe('postgres://plimsoll:secret@db.example/costs')
  })
})

describe('is rejected in one sentence that names the variable:', () => {
  test.each<Record<string, string>>([
    { PORT: '0' },
    { PORT: '65536' },
    { PORT: '80.5' },
    { PORT: '-1' },
    { PORT: '1e3' },
    { PORT: '0x50' },
    { PORT: 'http' },
    { DATABASE_URL: 'nonsense' },
    { DATABASE_URL: 'mysql://db.example/costs' },
    { DATABASE_URL: 'postgres://db.example:port/costs' },
    { DATABASE_URL: 'postgres://db.example:99999/costs' },
    { DATABASE_URL: 'postgres://user:pass/word@db.example/costs' },
    { PLIMSOLL_PUBLIC_URL: 'costs.example.com' },
    { PLIMSOLL_PUBLIC_URL: 'ftp://costs.example.com' },
    { PLIMSOLL_PUBLIC_URL: "https://costs.example.com/'; rm -rf" },
    { PLIMSOLL_ROLE: 'both' },
    { PLIMSOLL_SECRET_KEY: 'short' },
    { PLIMSOLL_SECRET_KEY_FILE: aFile('empty', '') },
    { PLIMSOLL_SECRET_KEY_FILE: join(directory, 'missing') },
    { PLIMSOLL_CORS_ORIGINS: '*' },
    { PLIMSOLL_CORS_ORIGINS: 'https://a.example/path' },
    { PLIMSOLL_CORS_ORIGINS: 'https://a.example,b.example' },
    { PLIMSOLL_OUTBOUND_NETWORKS: 'loopback' },
    { PLIMSOLL_SMTP_URL: 'smtp://mail.example' },
    { PLIMSOLL_MAIL_FROM: 'plimsoll@example.com' },
    { PLIMSOLL_SMTP_URL: 'https://mail.example', PLIMSOLL_MAIL_FROM: 'plimsoll@example.com' },
    { PLIMSOLL_MAIL_FROM: 'Plimsoll <plimsoll@example.com>', PLIMSOLL_SMTP_URL: 'smtp://mail.example' },
    { PLIMSOLL_SMTP_TLS: 'no', PLIMSOLL_SMTP_URL: 'smtp://mail.example', PLIMSOLL_MAIL_FROM: 'a@example.com' },
    { PLIMSOLL_TRUSTED_PROXIES: 'proxy.example' },
    { PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/33' },
    { PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/0' },
    { PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/' },
    { PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/8/8' },
    { PLIMSOLL_TRUSTED_PROXIES: 'fd00::/129' },
    { PLIMSOLL_TRUSTED_PROXIES: 'true' },
    { PLIMSOLL_METRICS_LISTEN: '9090' },
    { PLIMSOLL_METRICS_LISTEN: 'localhost:0' },
    { PLIMSOLL_METRICS_LISTEN: 'localhost:65536' },
    { PLIMSOLL_METRICS_LISTEN: '::1:9090' },
    { PLIMSOLL_METRICS_LISTEN: 'http://localhost:9090' },
    { PLIMSOLL_OPENCOST_LISTEN: '9003', PLIMSOLL_OPENCOST_KEY: 'plk_1' },
    { PLIMSOLL_OPENCOST_LISTEN: '127.0.0.1:9003' },
    { PLIMSOLL_OPENCOST_LISTEN: '127.0.0.1:9003', PLIMSOLL_OPENCOST_KEY: 'plk 1' },
    { PLIMSOLL_OPENCOST_KEY: 'plk_1' },
    { PLIMSOLL_LOG_LEVEL: 'loud' },
    { PLIMSOLL_DB_CONNECTIONS: '1' },
    { PLIMSOLL_DB_CONNECTIONS: 'many' },
    { PLIMSOLL_ADMIN_EMAIL: 'ada@example.com' },
    { PLIMSOLL_ADMIN_PASSWORD: 'correct horse battery' },
    { PLIMSOLL_ADMIN_EMAIL: 'ada', PLIMSOLL_ADMIN_PASSWORD: 'correct horse battery' },
    { PLIMSOLL_ADMIN_PASSWORD: 'short', ...email },
    { PLIMSOLL_ADMIN_PASSWORD: 'x'.repeat(1025), ...email },
    { PLIMSOLL_ADMIN_PASSWORD_FILE: join(directory, 'missing'), ...email },
    { PLIMSOLL_ADMIN_PASSWORD_FILE: aFile('empty', ''), ...email },
    { PLIMSOLL_ADMIN_PASSWORD_FILE: directory, ...email },
  ])('%o', (environment) => {
    const [name = ''] = Object.keys(environment)
    const error = caught(() => readConfig(environment))
    expect(error).toBeInstanceOf(StartupError)
    const { message } = error as StartupError
    expect(message).toContain(name.replace(/_FILE$/, ''))
    expect(message).toMatch(/^[^\n]*\.$/)
  })

  test('but no secret is repeated', () => {
    const password = 'hunter2'
    const wrong = [
      { ...email, PLIMSOLL_ADMIN_PASSWORD: password },
      { PLIMSOLL_SECRET_KEY: password },
      { DATABASE_URL: `postgres://user:${password}@db.example:port/costs` },
      { DATABASE_URL: `user:${password}@db.example` },
    ]
    for (const environment of wrong) expect(String(caught(() => readConfig(environment)))).not.toContain(password)
  })
})

/** Fastify and proxy-addr validate the same list later; a value accepted here must be valid there. */
test('the framework accepts every accepted proxy', async () => {
  const { default: Fastify } = await import('fastify')
  const accepted = readConfig({
    PLIMSOLL_TRUSTED_PROXIES: '10.0.0.0/1,10.0.0.0/32,::ffff:10.0.0.1,fd00::/1,fd00::/128,linklocal,uniquelocal',
  }).trustedProxies
  expect(() => Fastify({ trustProxy: accepted })).not.toThrow()
})

function caught(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

describe('the identity provider', () => {
  const oidc = { PLIMSOLL_OIDC_ISSUER: 'https://id.example.com/realms/all', PLIMSOLL_OIDC_CLIENT_ID: 'plimsoll' }

  test('needs an issuer and a client; a secret may be in a file', () => {
    expect(readConfig(oidc).oidc).toEqual({
      issuer: 'https://id.example.com/realms/all',
      clientId: 'plimsoll',
      clientSecret: undefined,
      groupsClaim: 'groups',
    })
    const more = {
      PLIMSOLL_OIDC_CLIENT_SECRET_FILE: aFile('client-secret', 'from a file\n'),
      PLIMSOLL_OIDC_GROUPS_CLAIM: 'roles',
    }
    expect(readConfig({ ...oidc, ...more }).oidc).toMatchObject({ clientSecret: 'from a file', groupsClaim: 'roles' })
  })

  test.each([
    { name: 'no client', env: { PLIMSOLL_OIDC_CLIENT_ID: '' } },
    { name: 'no issuer', env: { PLIMSOLL_OIDC_ISSUER: '' } },
    { name: 'an issuer that is no URL', env: { PLIMSOLL_OIDC_ISSUER: 'id.example.com' } },
    { name: 'no local administrator', env: { PLIMSOLL_SSO_ONLY: '1' } },
  ])('with $name stops the start', ({ env }) => {
    expect(() => readConfig({ ...oidc, ...env })).toThrow(StartupError)
  })

  test('can be the only way in, except for one administrator', () => {
    const admin = { ...email, PLIMSOLL_ADMIN_PASSWORD: 'correct horse battery', PLIMSOLL_SSO_ONLY: '1' }
    expect(readConfig({ ...oidc, ...admin }).isSsoOnly).toBe(true)
    expect(() => readConfig(admin)).toThrow(StartupError)
  })
})
