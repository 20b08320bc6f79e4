import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { patience } from '../../../test/patience.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { analysisWorkerFile } from '../../directories.ts'
import { AnalysisProcess, type AnalysisProcessOptions } from './analysis-process.ts'

const t = useTestApp()
const processes: AnalysisProcess[] = []
afterAll(async () => {
  for (const analyst of processes) await analyst.close()
})

function aProcess(options: Partial<AnalysisProcessOptions> = {}): AnalysisProcess {
  // `isAwaited`: on a busy machine a process of low priority would not get CPU time.
  const usual = { databaseUrl: t.url, log: t.deps.log, now: t.deps.now, isAwaited: true }
  const analyst = new AnalysisProcess({ ...usual, ...options })
  processes.push(analyst)
  return analyst
}

const withheldOf = (clusterId: string) =>
  t.db.selectFrom('recommendation_withheld').select('rule_id').where('cluster_id', '=', clusterId).execute()

test('findings are stored when the process reports so, and it ends when idle', async () => {
  const [one, other] = [await aFoldedCluster(t), await aFoldedCluster(t)]
  const analyst = aProcess({ idleMsMax: 1 })
  expect(analyst.pid).toBeUndefined()
  await Promise.all([analyst.analyse(one.clusterId), analyst.analyse(other.clusterId)])
  for (const { clusterId } of [one, other]) expect(await withheldOf(clusterId)).not.toEqual([])
  await vi.waitUntil(() => analyst.pid === undefined, patience)
  await analyst.analyse(one.clusterId)
  await analyst.close()
})

test('an error in the process reaches the caller, and the next cluster is analyzed', async () => {
  const { clusterId } = await aFoldedCluster(t)
  const analyst = aProcess()
  await expect(analyst.analyse('\0')).rejects.toThrow()
  await analyst.analyse(clusterId)
  expect(await withheldOf(clusterId)).not.toEqual([])
})

test('callers of a killed process get an error, and the next cluster is analyzed', async () => {
  const { clusterId } = await aFoldedCluster(t)
  const analyst = aProcess()
  const waiting = analyst.analyse(clusterId)
  process.kill(analyst.pid ?? 0, 'SIGKILL')
  await expect(waiting).rejects.toThrow('the analysis process stopped')
  await analyst.analyse(clusterId)
  expect(await withheldOf(clusterId)).not.toEqual([])
})

test('a preview is computed in the process, and one beyond the limit gets a retry', async () => {
  const analyst = aProcess()
  const request = { ids: ['rec_unknown'], namespaces: null }
  expect(await analyst.preview(request)).toMatchObject({
    recommendations: 0,
    estimated_savings: 0,
    bankable_savings: 0,
  })
  const many = await Promise.allSettled(Array.from({ length: 21 }, () => analyst.preview(request)))
  const refused = many.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  expect(refused).toMatchObject([{ code: 'service_unavailable' }])
})

test('an estimate is computed in the process, and is undefined before the first report', async () => {
  const { clusterId } = await aFoldedCluster(t)
  const analyst = aProcess()
  const workloads = [{ kind: 'Deployment', namespace: 'shop', name: 'web', before: undefined, after: null }]
  expect(await analyst.estimate({ clusterId, workloads, seesNodes: true })).toMatchObject({
    workloads: [{ name: 'web', change: 'removed' }],
  })
  expect(await analyst.estimate({ clusterId: 'cls_none', workloads, seesNodes: true })).toBeUndefined()
})

test('it does not outlive its parent process, whatever it does', async () => {
  const { clusterId } = await aFoldedCluster(t)
  const child = fork(fileURLToPath(analysisWorkerFile), { serialization: 'advanced' })
  const ended = once(child, 'exit')
  const received = once(child, 'message')
  child.send({ kind: 'open', databaseUrl: t.url, logLevel: 'silent' })
  child.send({ kind: 'analyse', id: 1, clusterId, now: t.deps.now() })
  // Connections of its pool would keep it alive now.
  await received
  child.disconnect()
  await ended
})

test('an unavailable database is reported with its code, so that callers can retry', async () => {
  const away = aProcess({ databaseUrl: 'postgres://127.0.0.1:1/none' })
  await expect(away.analyse('cls_1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
