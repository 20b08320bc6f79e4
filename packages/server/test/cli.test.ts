import { run } from '@plimsoll/cli'
import { createClient, type Client } from '@plimsoll/client'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aFinding } from './findings.ts'
import { aFoldedCluster, isoHour, type FoldedCluster } from './folded-cluster.ts'
import { anApiKey, aPerson } from './people.ts'
import { planned } from './planned.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()

let env: Record<string, string> = {}
let viewerEnv: Record<string, string> = {}
let client: Client
let cluster: FoldedCluster
let steps: string[] = []
const windowOptions = ['--from', isoHour(0), '--to', isoHour(2)]

beforeAll(async () => {
  const baseUrl = await t.app.listen({ host: '127.0.0.1', port: 0 })
  cluster = await aFoldedCluster(t)
  steps = await planned(t, cluster.clusterId, [
    { findings: [aFinding({ name: 'web' }), aFinding({ name: 'cart' })], shares: ['40', '10'] },
    { findings: [aFinding({ name: 'mail' })], shares: ['5'] },
  ])
  const keyOf = async (role: string) => {
    const { userId } = await aPerson(t, role)
    return (await anApiKey(t, userId)).header['x-api-key']
  }
  env = { PLIMSOLL_URL: baseUrl, PLIMSOLL_API_KEY: await keyOf('admin') }
  viewerEnv = { PLIMSOLL_URL: baseUrl, PLIMSOLL_API_KEY: await keyOf('viewer') }
  client = createClient({ baseUrl, credential: { apiKey: env.PLIMSOLL_API_KEY ?? '' } })
})

async function plimsoll(args: readonly string[], caller = env) {
  const home = await mkdtemp(join(tmpdir(), 'plimsoll-cli-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  let output = ''
  let errors = ''
  const exitCode = await run(args, {
    env: caller,
    homeDirectory: home,
    workingDirectory: home,
    print: (text) => (output += text),
    warn: (text) => (errors += text),
    readStdin: async () => '',
    now: () => t.clock.now,
  })
  return { exitCode, output, errors, home }
}

const reading = [
  ...[['clusters'], ['overview'], ['summary', ...windowOptions], ['cost', ...windowOptions], ['rules'], ['alerts']],
  ...[['cost', '--by', 'namespace,workload', '--step', 'hour', ...windowOptions], ['nodes'], ['workloads']],
  ...[
    ['cost', '--group-by', 'namespace,workload', ...windowOptions],
    ['cost', '--by', 'none', ...windowOptions],
  ],
  ...[
    ['changes', '--window', '24h'],
    ['explain'],
    ['quality'],
    ['recommendations'],
    ['recommendations', 'groups', '--by', 'rule'],
  ],
  ...[
    ['withheld'],
    ['savings'],
    ['plan', 'show'],
    ['plan'],
    ['budgets'],
    ['forecast'],
    ['statements'],
    ['search', 'web'],
  ],
]

const withCluster = (args: string[]) => {
  const needs = ['summary', 'nodes', 'workloads', 'explain', 'quality', 'plan show', 'idle']
  return needs.includes(args.join(' ')) || args[0] === 'summary' ? [...args, '--cluster', cluster.clusterId] : args
}

test.each(reading.map((args) => ({ args, words: args.join(' ') })))(
  'plimsoll $words prints every format',
  async ({ args }) => {
    const words = withCluster(args)
    for (const format of ['table', 'csv', 'markdown', 'json', 'yaml']) {
      const { exitCode, output, errors } = await plimsoll([...words, '-o', format])
      expect([0, 6], errors).toContain(exitCode)
      expect(output).not.toBe('')
      expect(output).not.toContain('[object Object]')
      expect(output).not.toContain('undefined')
      expect(output).not.toContain('NaN')
    }
  },
)

test('JSON is the response of the API, and the rows of the table add up to its total', async () => {
  const query = { from: isoHour(0), to: isoHour(2), cluster_id: cluster.clusterId }
  const allocation = await client.getAllocation({ query })
  const args = ['cost', '--cluster', cluster.clusterId, ...windowOptions, '--allow-incomplete']
  const { output, exitCode } = await plimsoll([...args, '-o', 'json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(output)).toEqual(allocation)
  for (const by of ['namespace', 'workload', 'controller_kind', 'cluster', 'none']) {
    const lines = (await plimsoll([...args, '--by', by, '-o', 'csv'])).output.trim().split('\r\n')
    const at = (lines[0] ?? '').split(',').indexOf('total')
    const sum = lines.slice(1).reduce((total, line) => total + Number(line.split(',')[at]), 0)
    expect(sum).toBeCloseTo(allocation.total, 5)
  }
  expect(allocation.total).toBeGreaterThan(0)
})

const statuses = async () => {
  const { recommendations } = await client.listRecommendations({ query: { cluster_id: cluster.clusterId } })
  return Object.fromEntries(recommendations.map(({ workload, status }) => [workload?.name ?? '', status] as const))
}

const idOf = async (name: string) => {
  const { recommendations } = await client.listRecommendations({ query: { cluster_id: cluster.clusterId } })
  return recommendations.find(({ workload }) => workload?.name === name)?.id ?? expect.fail(`no ${name}`)
}

test('a plan step is approved and withdrawn, and a recommendation is rejected and reopened', async () => {
  const step = [steps[0] ?? '', '--cluster', cluster.clusterId]
  expect(await plimsoll(['plan', 'approve', ...step, '--reason', 'agreed'])).toMatchObject({ exitCode: 0 })
  expect(await statuses()).toMatchObject({ web: 'approved', cart: 'approved', mail: 'pending' })
  expect(await plimsoll(['plan', 'withdraw', ...step])).toMatchObject({ exitCode: 0 })
  const ids = [await idOf('web'), await idOf('mail')]
  expect((await plimsoll(['recommendations', 'reject', ...ids])).exitCode).toBe(0)
  expect(await statuses()).toMatchObject({ web: 'rejected', cart: 'pending', mail: 'rejected' })
  for (const id of ids) expect((await plimsoll(['recommendations', 'reopen', id])).exitCode).toBe(0)
  expect(await statuses()).toMatchObject({ web: 'pending', cart: 'pending', mail: 'pending' })
  const history = await plimsoll(['recommendations', 'history', ids[0] ?? '', '-o', 'csv'])
  expect(history.output).toContain('agreed')
})

test('a partly failed change is exit code 1, with the reason of each failure', async () => {
  const { exitCode, output } = await plimsoll(['recommendations', 'approve', await idOf('cart'), 'rec_none'])
  expect(exitCode).toBe(1)
  expect(output).toMatch(/rec_none +not_found/)
  expect(await statuses()).toMatchObject({ cart: 'approved' })
  await plimsoll(['recommendations', 'withdraw', await idOf('cart')])
})

test('a viewer reads, and a change is exit code 4 and changes nothing', async () => {
  expect((await plimsoll(['plan', 'show', '--cluster', cluster.clusterId], viewerEnv)).exitCode).toBe(0)
  const refused = await plimsoll(['recommendations', 'approve', await idOf('web')], viewerEnv)
  expect(refused).toMatchObject({ exitCode: 4, output: '' })
  expect(await statuses()).toMatchObject({ web: 'pending' })
})

test('manifests are printed, or written below a directory', async () => {
  const id = await idOf('web')
  const args = ['manifests', id, '--format', 'strategic-merge']
  const expected = await client.renderManifests({ body: { recommendation_ids: [id], format: 'strategic-merge' } })
  expect((await plimsoll(args)).output).toBe(expected.manifest)
  const { home, output, errors } = await plimsoll([...args, '--directory', 'out'])
  expect(output).toBe(expected.files.map(({ path }) => `${path}\n`).join(''))
  for (const { path, content } of expected.files) expect(await readFile(join(home, 'out', path), 'utf8')).toBe(content)
  for (const { command } of expected.apply) expect(errors).toContain(command)
})

test('export prints the file of the API, writes Parquet to a file, and leaves no part of a failed file', async () => {
  const args = ['export', '--cluster', cluster.clusterId, ...windowOptions]
  const { output } = await plimsoll(args)
  const query = { from: isoHour(0), to: isoHour(2), cluster_id: cluster.clusterId }
  expect(output).toBe(await (await client.request('exportFocus', { query })).text())
  expect(output).toMatch(/^AvailabilityZone,/)
  const written = await plimsoll([...args, '--format', 'parquet', '--file', 'costs.parquet'])
  const file = await readFile(join(written.home, 'costs.parquet'))
  expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
  expect(await plimsoll([...args, '--format', 'parquet'])).toMatchObject({ exitCode: 2 })
  const failed = await plimsoll([...args, '--file', 'missing/costs.csv'])
  expect(failed.exitCode).toBe(1)
  expect(failed.errors).toContain('The file was not written')
  expect(await readdir(failed.home)).toEqual([])
})
