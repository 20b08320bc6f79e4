import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { beforeAll } from 'vitest'
import type { Fonts } from '../../../scripts/browser.mjs'
import { builtWeb, useDashboard, type Dashboard } from './browser.ts'
import { aFinding } from './findings.ts'
import { aFoldedCluster, type FoldedCluster } from './folded-cluster.ts'
import { showWorkloads } from './manifests/shown-workloads.ts'
import { useTestApp, type TestApp } from './test-app.ts'

/** Both columns of the change need their full width. */
const longChange = {
  ...aFinding({ name: 'lake', namespace: 'data' }).change,
  fields: [
    { path: 'resources.requests.cpu', from: '1500m', to: '620m' },
    { path: 'resources.requests.memory', from: '3456Mi', to: '1946Mi' },
  ],
}

const findings = [
  aFinding({ name: 'web', estimatedUsdPerMonth: 30, bankableUsdPerMonth: 20, bankableBecause: 'The rest stays.' }),
  aFinding({ name: 'api', estimatedUsdPerMonth: 10, bankableUsdPerMonth: 5 }),
  aFinding({ name: 'lake', namespace: 'data', estimatedUsdPerMonth: 40, bankableUsdPerMonth: 1, change: longChange }),
]

export type FilledDashboard = { t: TestApp; dashboard: Dashboard; cluster: FoldedCluster }

/** The dashboard of a cluster with two nodes, two hours of cost and three open recommendations. */
export function useFilledDashboard({ fonts = 'project' }: { fonts?: Fonts } = {}): FilledDashboard {
  const t = useTestApp({ webDirectory: builtWeb })
  const filled = { t, dashboard: useDashboard(t, { fonts }) } as FilledDashboard
  beforeAll(async () => {
    t.clock.now = new Date(endSecond * 1000)
    filled.cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
    await showWorkloads(t, filled.cluster.clusterId, findings)
  })
  return filled
}
