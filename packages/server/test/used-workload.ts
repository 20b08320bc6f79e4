import {
  BatchWriter,
  type ContainerShape,
  type RecommendationWithEvidence,
  type WithheldAdvice,
} from '@plimsoll/contract'
import { agent, batchesOf, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { beforeAll, beforeEach } from 'vitest'
import { analyse } from '../src/recommendations/analysis/analyse.ts'
import { deliver, foldAt, get, type FoldedCluster } from './folded-cluster.ts'
import { aCluster, anApiKey, aPerson, type Person } from './people.ts'
import { useTestApp } from './test-app.ts'
import { writePast, type UsedPast } from './used-past.ts'

export const gib = 1024 * 1024
export const mib = 1024

/** The time of the first analysis. */
export const now = startSecond + 3600

/** Namespace, kind and name of the workload, and its container. */
export const key = ['shop', 'Deployment', 'web', 'app'] as [string, string, string, string]

export const app: ContainerShape = { name: 'app', kind: 'app', cpu_request: 1000, memory_request: gib }

export const steady: UsedPast = { days: 20, millicores: 100, mib: 300 }

export function podsOf(shape: Partial<ContainerShape>, pods: number, at: number): BatchWriter {
  const writer = new BatchWriter()
  for (let index = 0; index < pods; index += 1)
    writer.addPod({
      ref: 100 + index,
      uid: `web-${index}`,
      from: at,
      name: `web-${index}`,
      namespace: 'shop',
      nodeRef: 1,
      boundAt: startSecond - 30 * 86_400,
      phase: 'running',
      shape: { containers: [{ ...app, ...shape }] },
      workloadKind: 'Deployment',
      workloadName: 'web',
      labels: { team: 'red' },
    })
  return writer
}

/** An app with a new cluster for each test, in which the pods of one workload have a known usage. */
export function useUsedWorkload() {
  const t = useTestApp()
  const place = {} as { person: Person; cluster: FoldedCluster }
  beforeAll(async () => {
    const { userId, ...rest } = await aPerson(t)
    place.person = { ...rest, userId, bearer: (await anApiKey(t, userId)).header as never }
  })
  beforeEach(async () => {
    place.cluster = await aCluster(t)
  })

  /** Two pods of one workload; `past` is their usage. */
  async function analysed(
    past: UsedPast | null,
    shape: Partial<ContainerShape> = {},
    pods = 2,
    { world = twoNodes, by = agent } = {},
  ): Promise<void> {
    const writer = podsOf(shape, pods, now)
    const nodes = batchesOf({ ...world, pods: [] }, { isLost: () => true }).slice(0, 1)
    await deliver(t, place.cluster, [...nodes, writer.finish(by, now)])
    await foldAt(t, place.cluster, now)
    if (past) await writePast(t, place.cluster.clusterId, { key, until: now, past })
    await analyse(t.deps, place.cluster)
  }

  const listed = async (ruleId: string) =>
    (
      await get<{ recommendations: RecommendationWithEvidence[] }>(
        t,
        place.person,
        `/api/v1/recommendations?cluster_id=${place.cluster.clusterId}&rule_id=${ruleId}`,
      )
    ).recommendations

  const oversized = () => listed('container_overprovisioned')

  async function reasons(ruleId = 'container_overprovisioned'): Promise<string[]> {
    const url = `/api/v1/recommendations/withheld?cluster_id=${place.cluster.clusterId}&rule_id=${ruleId}`
    return (await get<{ withheld: WithheldAdvice[] }>(t, place.person, url)).withheld.map(({ reason }) => reason)
  }

  return { t, place, analysed, listed, oversized, reasons }
}
