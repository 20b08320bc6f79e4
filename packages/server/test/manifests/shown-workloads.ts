import type { LiveWorkload } from '@plimsoll/engine/manifests'
import type { RuleFinding } from '@plimsoll/engine/rules'
import { writeWorkloadShapes } from '../../src/recommendations/queries/workload-shapes.ts'
import { analysed } from '../findings.ts'
import type { TestApp } from '../test-app.ts'
import { workload } from './corpus/case.ts'
import { firstObject, liveOf } from './from-source.ts'

/** A Deployment with one container, `app`, that requests 1 core and 1 GiB. */
export const source = (name: string) =>
  workload(
    'Deployment',
    name,
    '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}\n',
  )

function shapeOf(name: string, namespace: string, labels: LiveWorkload['labels']): LiveWorkload | null {
  const live = liveOf(firstObject(source(name)))
  return live ? { ...live, namespace, labels } : null
}

type Given = { gone?: readonly string[]; labels?: LiveWorkload['labels'] }

/** As an analysis stores them, which the tests of the job verify. */
export async function showWorkloads(
  t: TestApp,
  cluster: string,
  findings: RuleFinding[],
  { gone = [], labels = {} }: Given = {},
): Promise<void> {
  await analysed(t, cluster, { findings })
  const shapes = findings.map(({ target: { namespace, name } }) => ({
    namespace,
    kind: 'Deployment',
    name,
    shape: gone.includes(name) ? null : shapeOf(name, namespace, labels),
  }))
  await t.db.transaction().execute((tx) => writeWorkloadShapes(tx, cluster, shapes))
}
