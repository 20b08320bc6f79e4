import type { LiveWorkload, RuleFinding } from '@plimsoll/engine'
import { writeWorkloadShapes } from '../../src/db/workload-shapes.ts'
import { analysed } from '../findings.ts'
import type { TestApp } from '../test-app.ts'
import { workload } from './corpus.ts'
import { firstObject, liveOf } from './from-source.ts'

export const sourceOf = (name: string) =>
  workload(
    'Deployment',
    name,
    '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}\n',
  )

const shapeOf = (name: string, namespace: string): LiveWorkload | null => {
  const live = liveOf(firstObject(sourceOf(name)))
  return live ? { ...live, namespace } : null
}

/** Findings with what their workloads look like, as an analysis writes them, which the tests of the job prove. */
export async function analysedWorkloads(t: TestApp, cluster: string, findings: RuleFinding[], gone: string[] = []) {
  await analysed(t, cluster, { findings })
  const shapes = findings.map(({ target: { namespace, name } }) => ({
    namespace,
    kind: 'Deployment',
    name,
    shape: gone.includes(name) ? null : shapeOf(name, namespace),
  }))
  await t.db.transaction().execute((tx) => writeWorkloadShapes(tx, cluster, shapes, t.clock.now))
}
