import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '@plimsoll/cli'
import { BatchWriter, type Estimate } from '@plimsoll/contract'
import { nodeVersion, startSecond, watchingAgent } from '@plimsoll/pipeline/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver, foldAt, type FoldedCluster } from './folded-cluster.ts'
import { aCluster, anApiKey, aPerson, aRole } from './people.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()
const observedAt = startSecond + 3600
/** An m5.xlarge has 4 cores and 16 GiB for $0.23 an hour, so 1 core and 4 GiB cost a quarter of $167.90 a month. */
const nodeUsd = 167.9
const unit = nodeUsd / 4

let env: Record<string, string> = {}
let cluster: FoldedCluster
let repository = ''

const has = (tool: string) => {
  try {
    execFileSync(tool, [tool === 'kubectl' ? 'kustomize' : '--version', '--help'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const hasGit = has('git')
if (!hasGit) process.stderr.write('SKIPPED: no git, so plimsoll diff --base is not tested\n')

/** Two nodes with 3.8 cores in a pool of Karpenter: `web` requests 1 core and 4 GiB, `db` 3 cores and 12 GiB. */
function snapshot() {
  const writer = new BatchWriter()
  for (const [index, uid] of ['left', 'right'].entries()) {
    writer.addNode(nodeVersion({ uid, bornAt: startSecond - 86_400, endedAt: Infinity }, index + 1))
  }
  writer.addNamespace({ ref: 30, uid: 'ns-shop', from: startSecond, name: 'shop', labels: {} })
  const pod = (ref: number, name: string, cores: number) => ({
    ...{ ref, uid: name, from: startSecond, namespace: 'shop', boundAt: startSecond, phase: 'running' as const },
    ...{ name: `${name}-1`, nodeRef: ref - 9, workloadKind: 'Deployment', workloadName: name, labels: {} },
    shape: { containers: [{ name: 'app', kind: 'app' as const, cpu_request: 1000 * cores, memory_request: cores * 4 * 1024 * 1024 }] }, // prettier-ignore
  })
  writer.addPod(pod(10, 'web', 1))
  writer.addPod(pod(11, 'db', 3))
  writer.addObject({ ref: 20, uid: 'pool', from: startSecond, name: 'general', namespace: '', kind: 'node_pool', spec: { scaler: 'karpenter' } }) // prettier-ignore
  return writer.finish(watchingAgent, observedAt, { id: 's', part: 1, parts: 1, observed_at: observedAt })
}

beforeAll(async () => {
  const baseUrl = await t.app.listen({ host: '127.0.0.1', port: 0 })
  cluster = await aCluster(t)
  await deliver(t, cluster, [snapshot()])
  await foldAt(t, cluster, observedAt)
  const { userId } = await aPerson(t, await aRole(t, ['clusters:read']))
  repository = await mkdtemp(join(tmpdir(), 'plimsoll-diff-'))
  env = {
    PATH: process.env.PATH ?? '',
    PLIMSOLL_URL: baseUrl,
    PLIMSOLL_API_KEY: (await anApiKey(t, userId, ['clusters:read'])).header['x-api-key'],
  }
})
afterAll(() => rm(repository, { recursive: true, force: true }))

async function plimsoll(args: readonly string[], { stdin = '', path = env.PATH ?? '', at = repository } = {}) {
  let [output, errors] = ['', '']
  const exitCode = await run([...args, '--cluster', cluster.clusterId], {
    env: { ...env, PATH: path },
    homeDirectory: repository,
    workingDirectory: at,
    print: (text) => (output += text),
    warn: (text) => (errors += text),
    readStdin: async () => stdin,
    now: () => t.clock.now,
  })
  return { exitCode, output, errors }
}

const diff = async (args: readonly string[], options = {}) => {
  const { exitCode, output, errors } = await plimsoll(['diff', ...args, '-o', 'json'], options)
  if (output === '') throw new Error(errors)
  return { exitCode, errors, ...(JSON.parse(output) as Estimate & { unchanged_workloads: number }) }
}

type Shape = { replicas?: number; cores?: number; more?: string; resources?: string }

const deployment = (name: string, { replicas = 1, cores = 1, more = '', resources }: Shape = {}) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  replicas: ${replicas}
  template:
    spec:
      containers:
        - name: app
          image: app:1
          ${more}
          resources: ${resources ?? `{requests: {cpu: ${cores}, memory: ${cores * 4}Gi}}`}
`
const cronJob = `---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, namespace: shop}
spec:
  schedule: "0 3 * * *"
  jobTemplate: {spec: {template: {spec: {containers: [{name: app, resources: {requests: {cpu: 1, memory: 4Gi}}}]}}}}
`

async function write(path: string, text: string): Promise<void> {
  const file = join(repository, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

const identity = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' } // prettier-ignore
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: repository, env: { ...process.env, ...identity, GIT_CONFIG_GLOBAL: '/dev/null' } })

describe.skipIf(!hasGit)('a repository with twelve commits', () => {
  const web = (shape: Shape = {}) => deployment('web', shape)
  const cart = (replicas: number) => deployment('cart', { replicas })
  const secret = { more: 'env: [{name: PASSWORD, value: secret}]' }
  const limits = { resources: '{limits: {cpu: 2, memory: 8Gi}}' }
  const db = deployment('db', { cores: 3 })
  const commits: {
    name: string
    text: string
    requests: number
    bill: number | null
    unchanged: number
    unknown?: number
  }[] = [
    { name: 'start', text: web() + db, requests: 0, bill: 0, unchanged: 0 },
    { name: 'a comment', text: `# web and db\n${web()}${db}`, requests: 0, bill: 0, unchanged: 2 },
    { name: 'a second replica', text: web({ replicas: 2 }) + db, requests: unit, bill: 0, unchanged: 1 },
    { name: 'a third replica', text: web({ replicas: 3 }) + db, requests: unit, bill: 0, unchanged: 1 },
    { name: 'one replica', text: web() + db, requests: -2 * unit, bill: 0, unchanged: 1 },
    { name: 'twice the requests', text: web({ cores: 2 }) + db, requests: unit, bill: 0, unchanged: 1 },
    { name: 'an environment variable', text: web({ cores: 2, ...secret }) + db, requests: 0, bill: 0, unchanged: 2 },
    { name: 'limits instead of requests', text: web(limits) + db, requests: 0, bill: 0, unchanged: 2 },
    // The left node has 2.8 cores and 11 GiB free.
    { name: 'cart', text: web(limits) + db + cart(2), requests: 2 * unit, bill: 0, unchanged: 2 },
    // Two of six pods fit; a node has place for three of the others.
    { name: 'a large cart', text: web(limits) + db + cart(6), requests: 4 * unit, bill: 2 * nodeUsd, unchanged: 2 },
    { name: 'no db', text: web(limits) + cart(6), requests: -3 * unit, bill: -nodeUsd, unchanged: 2 },
    { name: 'a report', text: web(limits) + cart(6) + cronJob, requests: 0, bill: 0, unchanged: 2, unknown: 1 },
  ]

  test('each commit has the answer that was computed by hand', async () => {
    git('init', '-q', '-b', 'main')
    for (const [index, commit] of commits.entries()) {
      await write('manifests/all.yaml', commit.text)
      git('add', '.')
      git('commit', '-q', '-m', commit.name)
      const base = index === 0 ? [] : ['--base', 'HEAD~1']
      const answer = await diff(['-f', 'manifests', ...base])
      const { requests, bill, unchanged_workloads: unchanged, exitCode, errors } = answer
      expect([commit.name, errors.includes('secret'), exitCode]).toEqual([commit.name, false, commit.unknown ? 6 : 0])
      expect([commit.name, bill.monthly_change]).toEqual([commit.name, commit.bill])
      expect([commit.name, unchanged, requests.unknown_workloads]).toEqual([commit.name, commit.unchanged, commit.unknown ?? 0]) // prettier-ignore
      expect(requests.monthly_change).toBeCloseTo(commit.requests, 3)
    }
  }, 120_000)

  test('policies are exit code 3', async () => {
    await write('manifests/all.yaml', web(limits) + cart(10) + cronJob)
    // 4 × $41.98.
    const check = (...args: string[]) => plimsoll(['check', '-f', 'manifests', '--base', 'HEAD', ...args])
    expect((await check('--max-increase', '100')).exitCode).toBe(3)
    expect(await check('--max-increase', '168')).toMatchObject({ exitCode: 0 })
    const absolute = ['check', '-f', join(repository, 'manifests'), '--base', 'HEAD', '--values', 'new-values.yaml']
    expect(await plimsoll([...absolute, '--max-increase', '168'])).toMatchObject({ exitCode: 0 })
    expect((await check('--max-increase-percent', '60')).exitCode).toBe(3)
    expect((await check('--max-increase-percent', '70')).exitCode).toBe(0)
    await write('manifests/all.yaml', web({ resources: '{requests: {cpu: 1}}' }) + cart(6) + cronJob)
    const bare = await check('--require-requests')
    expect(bare.exitCode).toBe(3)
    expect(bare.errors).toContain('shop/Deployment/web: container app has no memory request.')
  })

  test('the comment has a marker, and shows what the bill does', async () => {
    await write('manifests/all.yaml', web(limits) + cart(12))
    const { output } = await plimsoll(['diff', '-f', 'manifests', '--base', 'HEAD', '-o', 'markdown'])
    expect(output).toMatch(/^<!-- plimsoll: cost of the change -->\n### Cost of this change\n/)
    expect(output).toMatch(/Bill: 4 more m5\.xlarge in pool general: \+\$671\.60 per month/)
    expect(output).toContain('shop/Deployment/cart')
  })

  test('an unknown revision is wrong usage', async () => {
    const { exitCode, errors } = await plimsoll(['diff', '-f', 'manifests', '--base', 'nowhere'])
    expect({ exitCode, errors }).toMatchObject({ exitCode: 2, errors: expect.stringContaining('git does not know "nowhere"') as string }) // prettier-ignore
  })
})

test('standard input is compared with the cluster', async () => {
  const { workloads, requests } = await diff(['-f', '-'], { stdin: deployment('web', { cores: 2 }) })
  expect(workloads[0]).toMatchObject({ change: 'changed', rates: 'own_nodes' })
  expect(requests.monthly_change).toBeCloseTo(unit, 3)
})

test.skipIf(!has('kubectl'))('a kustomization is rendered by kubectl', async () => {
  await write('overlay/web.yaml', deployment('web'))
  await write('overlay/kustomization.yaml', 'resources: [web.yaml]\nreplicas: [{name: web, count: 3}]\n')
  const { requests } = await diff(['-k', 'overlay'])
  expect(requests.monthly_change).toBeCloseTo(2 * unit, 3)
})

test('missing tools, missing files, wrong YAML and doubled objects are named', async () => {
  await write('broken/a.yaml', 'a: [')
  await write('chart/Chart.yaml', 'name: a')
  await write('double/a.yaml', deployment('web') + deployment('web'))
  const failed = async (args: string[], path = env.PATH) => {
    const { exitCode, output, errors } = await plimsoll(['diff', ...args], { path: path ?? '' })
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' })
    return errors
  }
  expect(await failed(['-k', '.'], '/nonexistent')).toContain('-k needs kubectl or kustomize in PATH.')
  expect(await failed(['-f', 'chart'], '/nonexistent')).toContain('helm is not installed')
  expect(await failed(['-f', 'broken'])).toContain('broken/a.yaml is not valid YAML')
  expect(await failed(['-f', 'nowhere'])).toContain('There is no nowhere.')
  expect(await failed(['-f', 'double'])).toContain('shop/Deployment/web is in double/a.yaml and in double/a.yaml')
  expect(await failed([])).toContain('Name manifests with -f')
  expect((await plimsoll(['check', '-f', 'double'])).errors).toContain('Name a policy')
  expect((await plimsoll(['check', '-f', 'double', '--max-increase', 'much'])).exitCode).toBe(2)
})
