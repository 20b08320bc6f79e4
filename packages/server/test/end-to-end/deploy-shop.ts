import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeYaml } from '../../src/manifests/write-text.ts'
import { put } from '../manifests/render.ts'
import type { RealCluster } from './real-cluster.ts'
import { chart, shop, web } from './shop.ts'

const run = promisify(execFile)

/** The shop, deployed by kubectl, kustomize and Helm. */
export async function deployShop(assets: string, { kubectl, directory, plane }: RealCluster): Promise<void> {
  const objects = put(join(directory, 'shop.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items: shop }))
  await kubectl('apply', '-f', objects)
  const checkout = join(directory, 'checkout')
  put(join(checkout, 'web.yaml'), writeYaml(web))
  put(join(checkout, 'kustomization.yaml'), writeYaml({ resources: ['web.yaml'] }))
  for (const [name, text] of Object.entries(chart)) put(join(checkout, 'chart', name), text)
  await kubectl('apply', '-k', checkout)
  const helm = ['install', 'front', join(checkout, 'chart'), '--namespace', 'shop', '--kubeconfig', plane.config]
  await run(join(assets, 'helm'), helm)
  // One run that the agent observes: without it the agent does not know the containers of the CronJob.
  await kubectl('create', 'job', 'report-now', '--from', 'cronjob/report', '-n', 'shop')
}
