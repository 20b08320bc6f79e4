import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDirectory, aRun } from '../test/a-run.ts'
import { aClosedAddress, aServer } from '../test/a-server.ts'

const me = { user: { id: 'u', email: 'ada@example.com', role: 'viewer' }, permissions: ['clusters:read'] }
const noClusters = { clusters: [], next_cursor: null, has_more: false }
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test('login stores the key of standard input in a private file, and later commands use it', async () => {
  const { url, requests } = await aServer(({ url: path }) => ({ body: path === '/auth/me' ? me : noClusters }))
  const home = await aDirectory()
  const done = await aRun(['login', '--server', `${url}/`, '--key-stdin'], { home, stdin: 'plk_secret\n' })
  expect(done).toMatchObject({ exitCode: 0, errors: '' })
  expect(done.output).toContain('ada@example.com')
  const config = join(home, '.config/plimsoll/config.yaml')
  expect(await readFile(config, 'utf8')).not.toContain('plk_secret')
  expect(await modeOf(config)).toBe('600')
  expect(await modeOf(join(home, '.config/plimsoll/keys/default'))).toBe('600')
  expect(await aRun(['clusters'], { home })).toEqual({ exitCode: 0, output: 'No entries.\n', errors: '' })
  expect(requests.at(-1)).toEqual({ url: '/api/v1/clusters', key: 'plk_secret' })
})

test('a rejected key is not stored', async () => {
  const { url } = await aServer(() => ({ status: 401, body: { code: 'unauthenticated', detail: 'Unknown key.' } }))
  const home = await aDirectory()
  const done = await aRun(['login', '--server', url, '--key-stdin'], { home, stdin: 'plk_wrong' })
  expect(done).toMatchObject({ exitCode: 4, errors: 'Error: Unknown key.\n' })
  await expect(stat(join(home, '.config'))).rejects.toThrow('ENOENT')
})

test('contexts are listed, selected and deleted, and a named key file stays', async () => {
  const { url, requests } = await aServer(({ url: path }) => ({ body: path === '/auth/me' ? me : noClusters }))
  const home = await aDirectory()
  await writeFile(join(home, 'key'), 'plk_file\n')
  await aRun(['login', '--server', url, '--name', 'one', '--key-file', 'key'], { home })
  const program = join(home, 'print-key')
  await writeFile(program, '#!/bin/sh\necho "plk_$1"\n')
  await chmod(program, 0o755)
  await aRun(['login', '--server', url, '--name', 'two', '--key-command', program, 'printed'], { home })
  expect((await aRun(['context', 'list', '-o', 'csv'], { home })).output).toBe(
    `name,server,key,current\r\none,${url},${home}/key,false\r\ntwo,${url},${program} printed,true\r\n`,
  )
  await aRun(['clusters'], { home })
  expect(requests.at(-1)?.key).toBe('plk_printed')
  await aRun(['clusters', '--context', 'one'], { home })
  expect(requests.at(-1)?.key).toBe('plk_file')
  expect((await aRun(['context', 'use', 'one'], { home })).exitCode).toBe(0)
  expect((await aRun(['context', 'delete', 'one'], { home })).exitCode).toBe(0)
  expect(await readFile(join(home, 'key'), 'utf8')).toBe('plk_file\n')
  expect(await aRun(['clusters'], { home })).toMatchObject({ exitCode: 2 })
})

test('the environment takes precedence over the context', async () => {
  const { url, requests } = await aServer(() => ({ body: noClusters }))
  await aRun(['clusters'], { env: { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_env' } })
  expect(requests).toEqual([{ url: '/api/v1/clusters', key: 'plk_env' }])
})

test('a redirect is refused, because it would send the key to another address', async () => {
  const other = await aServer(() => ({ body: noClusters }))
  const { url } = await aServer(() => ({ status: 307, headers: { location: `${other.url}/api/v1/clusters` } }))
  const done = await aRun(['clusters'], { env: { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' } })
  expect(done).toMatchObject({ exitCode: 5, output: '' })
  expect(done.errors).toContain(other.url)
  expect(other.requests).toEqual([])
})

test.each([
  { status: 400, code: 'invalid_parameter', exitCode: 2 },
  { status: 401, code: 'unauthenticated', exitCode: 4 },
  { status: 403, code: 'forbidden', exitCode: 4 },
  { status: 404, code: 'cluster_not_found', exitCode: 1 },
  { status: 422, code: 'invalid_body', exitCode: 2 },
  { status: 429, code: 'rate_limited', exitCode: 1 },
  { status: 500, code: 'internal_error', exitCode: 1 },
  { status: 503, code: 'service_unavailable', exitCode: 5 },
])('status $status is exit code $exitCode', async ({ status, code, exitCode }) => {
  const { url } = await aServer(() => ({ status, body: { code, detail: 'Because.', request_id: 'r1' } }))
  const done = await aRun(['rules'], { env: { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' } })
  expect(done).toEqual({ exitCode, output: '', errors: 'Error: Because. (request r1)\n' })
})

test('an unreachable server is exit code 5, with the reason', async () => {
  const env = { PLIMSOLL_URL: await aClosedAddress(), PLIMSOLL_API_KEY: 'plk_1' }
  const done = await aRun(['clusters'], { env })
  expect(done.exitCode).toBe(5)
  expect(done.errors).toContain('ECONNREFUSED')
})

const missing = 'There is no server.'

test.each([
  { args: ['clusters'], env: {}, says: missing },
  { args: ['clusters'], env: { PLIMSOLL_URL: 'http://127.0.0.1:1' }, says: 'There is no API key.' },
  { args: ['clusters'], env: { PLIMSOLL_URL: 'ftp://x', PLIMSOLL_API_KEY: 'plk_1' }, says: 'is not an address' },
  { args: ['clusters'], env: { PLIMSOLL_URL: 'http://a:b@x', PLIMSOLL_API_KEY: 'plk_1' }, says: 'credentials' },
  { args: ['clusters', '--context', 'none'], env: {}, says: 'There is no context "none"' },
  { args: ['clusters', '--color', 'red'], env: {}, says: 'unknown option' },
  { args: ['invoices'], env: {}, says: 'unknown command' },
  { args: ['edit'], env: {}, says: 'unknown command' },
  { args: ['clusters', '-o', 'pdf'], env: {}, says: 'Allowed choices' },
  { args: ['completion', 'cmd'], env: {}, says: 'no completion' },
  { args: ['login', '--server', 'http://x'], env: {}, says: 'Use one of' },
  { args: ['login', '--server', 'http://x', '--key-stdin'], env: {}, says: 'does not contain an API key' },
  { args: ['login', '--server', 'http://x', '--name', '../x', '--key-stdin'], env: {}, says: 'not a name' },
  { args: ['manifests'], env: { PLIMSOLL_URL: 'http://x', PLIMSOLL_API_KEY: 'plk_1' }, says: 'Name recommendations' },
  { args: ['api', 'createCluster'], env: {}, says: 'no operation "createCluster" that reads' },
])('wrong usage is exit code 2: $args $says', async ({ args, env, says }) => {
  const done = await aRun(args, { env })
  expect(done.errors).toContain(says)
  expect(done).toMatchObject({ exitCode: 2, output: '' })
})

test('a configuration that is not valid is reported with its path', async () => {
  const home = await aDirectory()
  const env = { XDG_CONFIG_HOME: home }
  await aRun(['context', 'list'], { home, env })
  for (const content of ['a: [', 'contexts: 5', 'contexts: [{ name: 1 }]']) {
    const { url } = await aServer(() => ({ body: me }))
    await aRun(['login', '--server', url, '--key-stdin'], { home, env, stdin: 'plk_1' })
    await writeFile(join(home, 'plimsoll/config.yaml'), content)
    const done = await aRun(['clusters'], { home, env })
    expect(done).toMatchObject({ exitCode: 2, output: '' })
    expect(done.errors).toContain(join(home, 'plimsoll/config.yaml'))
    await writeFile(join(home, 'plimsoll/config.yaml'), '')
  }
})

test.each([
  { body: { partial: true }, exitCode: 6 },
  { body: { data_status: 'partial' }, exitCode: 6 },
  { body: { data_status: 'complete', partial: false }, exitCode: 0 },
])('the response $body is exit code $exitCode', async ({ body, exitCode }) => {
  const { url } = await aServer(() => ({ body }))
  const env = { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' }
  const done = await aRun(['cost', '-o', 'json'], { env })
  expect(done.exitCode).toBe(exitCode)
  expect(JSON.parse(done.output)).toEqual(body)
  expect((await aRun(['cost', '-o', 'json', '--allow-incomplete'], { env })).exitCode).toBe(0)
})

test('options become parameters, and the name of a cluster becomes its ID', async () => {
  const clusters = [{ id: 'cls_1', name: 'shop' }]
  const { url, requests } = await aServer(({ url: path }) => ({
    body: path?.startsWith('/api/v1/clusters?') ? { ...noClusters, clusters } : {},
  }))
  const env = { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' }
  await aRun(['cost', '--cluster', 'shop', '--share-idle', 'even', '--window', '7d', '-o', 'json'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/allocation?window=7d&cluster_id=cls_1&share_idle=even')
  await aRun(['recommendations', '--include-snoozed', '-o', 'json'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/recommendations?include_snoozed=true')
  await aRun(['search', 'shop web', '-o', 'json'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/search?q=shop+web')
  await aRun(['recommendations', 'show', 'rec/1', '-o', 'json'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/recommendations/rec%2F1')
  await aRun(['plan', 'show', '-o', 'json'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/clusters/cls_1/plan')
  await aRun(['api', 'getBudget', 'budget_id=bud_1'], { env })
  expect(requests.at(-1)?.url).toBe('/api/v1/budgets/bud_1')
  expect(await aRun(['cost', '--cluster', 'bank'], { env })).toMatchObject({ exitCode: 1 })
})

test('a server cannot write a file outside the directory', async () => {
  const files = [
    { path: 'good.yaml', content: '' },
    { path: '../evil.yaml', content: '' },
  ]
  const { url } = await aServer(() => ({ body: { files, warnings: [], skipped: [], apply: [], manifest: '' } }))
  const home = await aDirectory()
  const env = { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: 'plk_1' }
  const done = await aRun(['manifests', 'rec_1', '--directory', 'out'], { home, env })
  expect(done).toMatchObject({ exitCode: 1, output: '' })
  await expect(stat(join(home, 'out'))).rejects.toThrow('ENOENT')
})

test.each([
  { words: [], has: ['clusters', 'recommendations', '--output'] },
  { words: ['recommendations'], has: ['list', 'approve', 'reject'] },
  { words: ['cost'], has: ['--window', '--share-idle', '--output'] },
  { words: ['cost', '--output'], has: ['json', 'csv'] },
  { words: ['cost', '--window', 'plan'], has: ['--by'] },
])('completion after $words has $has', async ({ words, has }) => {
  const { output } = await aRun(['complete-words', '--', ...words])
  expect(output.split('\n')).toEqual(expect.arrayContaining(has))
})

test('doctor names the failed check', async () => {
  const done = await aRun(['doctor'], { env: { PLIMSOLL_URL: await aClosedAddress(), PLIMSOLL_API_KEY: 'plk_1' } })
  expect(done.exitCode).toBe(5)
  expect(done.output).toMatch(/connection +failed +The service does not respond/)
})
