import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDirectory } from '../../../test/use-directory.ts'
import { kubeconfigAccess } from './kubeconfig-access.ts'

const directory = useDirectory()

type Config = { cluster?: object; user?: object; context?: string; env?: Record<string, string> }

function accessOf({ cluster = {}, user = {}, context, env = {} }: Config, now: () => number = () => 0) {
  const path = join(directory.path, 'config')
  const other = { name: 'other', cluster: { server: 'https://other:6443' } }
  const config = {
    clusters: [{ name: 'main', cluster: { server: 'https://main:6443/', ...cluster } }, other],
    users: [{ name: 'me', user }],
    contexts: ['main', 'other'].map((name) => ({ name, context: { cluster: name, user: 'me' } })),
    'current-context': 'main',
  }
  writeFileSync(path, JSON.stringify(config))
  return kubeconfigAccess({ paths: [path], context, env, now })
}

test('uses the current context, or the named context', async () => {
  expect((await accessOf({})).origin).toBe('https://main:6443')
  expect((await accessOf({ context: 'other' })).origin).toBe('https://other:6443')
  await expect(accessOf({ context: 'gone' })).rejects.toThrow("has no context 'gone'; its contexts are: main, other.")
})

test('a token file is re-read when it changes, and wins over a fixed token', async () => {
  writeFileSync(join(directory.path, 'token'), 'first\n')
  let now = 0
  const access = await accessOf({ user: { tokenFile: 'token', token: 'fixed' } }, () => now)
  const authorization = async () => (await access.credentials()).headers.authorization
  expect(await authorization()).toBe('Bearer first')
  writeFileSync(join(directory.path, 'token'), 'second\n')
  now += 11_000
  expect(await authorization()).toBe('Bearer second')
  writeFileSync(join(directory.path, 'token'), 'third\n')
  access.forgetCredentials?.()
  expect(await authorization()).toBe('Bearer third')
  const missing = await accessOf({ user: { tokenFile: 'missing', token: 'fixed' } })
  expect((await missing.credentials()).headers.authorization).toBe('Bearer fixed')
})

test('basic authentication and impersonation become headers', async () => {
  const user = {
    ...{ username: 'ada', password: 'secret', as: 'grace', 'as-uid': '42', 'as-groups': ['dev', 'ops'] },
    'as-user-extra': { 'Example.com/Team': ['a', 'b'] },
  }
  expect((await (await accessOf({ user })).credentials()).headers).toEqual({
    authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}`,
    'impersonate-user': 'grace',
    'impersonate-uid': '42',
    'impersonate-group': ['dev', 'ops'],
    'impersonate-extra-example.com%2Fteam': ['a', 'b'],
  })
})

test('certificates come from embedded data or from files beside the kubeconfig; embedded data wins', async () => {
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(directory.path, name), `${name} of a file`)
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const access = await accessOf({
    cluster: { 'certificate-authority': 'ca', 'tls-server-name': 'kubernetes' },
    user: { 'client-certificate': 'cert', 'client-certificate-data': base64('cert of data'), 'client-key': 'key' },
  })
  const { ca, cert, key, servername } = (await access.credentials()).tls
  expect([ca, cert, key].map(String)).toEqual(['ca of a file', 'cert of data', 'key of a file'])
  expect(servername).toBe('kubernetes')
  const insecure = await accessOf({ cluster: { 'insecure-skip-tls-verify': true } })
  expect((await insecure.credentials()).tls).toEqual({ rejectUnauthorized: false })
})

test.each<[string, Config, string]>([
  ['a server that is not a URL', { cluster: { server: 'main' } }, "has the server 'main', which is not a URL"],
  ['a token and a username', { user: { token: 'a', username: 'b' } }, 'has both a token and a username'],
  [
    'a certificate without a key',
    { user: { 'client-certificate-data': 'YQ==' } },
    'a client certificate without its key',
  ],
  ['groups without a user', { user: { 'as-groups': ['dev'] } }, 'without as'],
  ['an auth-provider', { user: { 'auth-provider': { name: 'gcp' } } }, 'uses auth-provider'],
  [
    'a certificate authority with skipped verification',
    { cluster: { 'insecure-skip-tls-verify': true, 'certificate-authority-data': 'YQ==' } },
    'insecure-skip-tls-verify and a certificate authority',
  ],
  [
    'a proxy of an unknown kind',
    { cluster: { 'proxy-url': 'ftp://u:secret@proxy' } },
    "'ftp://***@proxy' is not supported",
  ],
])('%s is rejected with one sentence', async (_name, config, expected) => {
  const error = await accessOf(config).catch((each: Error) => each)
  expect((error as Error).message).toContain(expected)
  expect((error as Error).message).toMatch(/^The [^\n]+\.$/)
})

const context = { name: 'prod', context: { cluster: 'gone', user: 'me' } }

test.each([
  { name: 'is not YAML', text: '{{{', expected: 'cannot be read: ' },
  { name: 'has no current context', text: JSON.stringify({ contexts: [context] }), expected: 'contexts are: prod.' },
  { name: 'has no context at all', text: '{}', expected: 'has no current context; its contexts are: none.' },
  {
    name: 'has no cluster for its context',
    text: JSON.stringify({ contexts: [context], 'current-context': 'prod' }),
    expected: "has no cluster for the context 'prod'",
  },
])('a kubeconfig that $name is rejected with one sentence that names the kubeconfig', async ({ text, expected }) => {
  const path = join(directory.path, 'config')
  writeFileSync(path, text)
  const error = await kubeconfigAccess({ paths: [path], env: {}, now: () => 0 }).catch((each: Error) => each)
  expect((error as Error).message).toContain(expected)
  expect((error as Error).message).toMatch(/^The kubeconfig \S+config [^\n]+\.$/)
})
