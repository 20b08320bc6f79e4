// The share of bankable savings that a manifest or commands can carry out:
//   npm run bench:runnable-share
//   PLIMSOLL_PASSWORD=… npm run bench:runnable-share -- URL EMAIL
// Without a URL: the clusters of the demo at one moment, through the pipeline alone. Usage is missing there, so the right-sizing
// rules find nothing; nearly all of their changes have a manifest. With a URL: the open recommendations of a running service.
import { parseArgs } from 'node:util'
import { parseBatch, type Batch } from '@plimsoll/contract'
import { gunzipSync } from 'node:zlib'
import { createClient } from '../packages/client/src/index.ts'
import { renderManifests, type WantedChange } from '../packages/engine/src/manifests/index.ts'
import type { RuleFinding } from '../packages/engine/src/rules/index.ts'
import { analyse } from '../packages/pipeline/src/index.ts'
import { liveShapes } from '../packages/pipeline/src/facts/live-shape.ts'
import { around, foldedSnapshot } from '../packages/pipeline/test/a-snapshot.ts'
import {
  awsProduction,
  azureOffice,
  gcpPlatform,
  openWorld,
  SimulatedAgent,
  type EncodedBatch,
  type Scenario,
} from '../packages/simulator/src/index.ts'

const shareMin = 0.95

/** One recommendation: its rule, its bankable savings and how it is carried out. */
type Judged = { rule: string; usd: number; how: 'manifest' | 'commands' | 'none' }

const { positionals } = parseArgs({ allowPositionals: true })
const [url, email] = positionals
const all =
  url === undefined ? await judgeDemo() : await judgeService(url, email ?? '', process.env.PLIMSOLL_PASSWORD ?? '')
print(all)

async function judgeDemo(): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const scenario of [awsProduction, gcpPlatform, azureOffice]) judged.push(...(await judgeCluster(scenario)))
  return judged
}

async function judgeCluster(scenario: Scenario): Promise<Judged[]> {
  const start = Date.UTC(2026, 2, 2) / 1000
  const world = openWorld(scenario, start)
  const days = 8
  while (world.second < start + days * 24 * 3600) world.advance({ measured: false })
  const state = foldedSnapshot(new SimulatedAgent(world).snapshot().map(decoded), scenario)
  const { analysis } = await analyse({ snapshot: state, around: around(state) })
  const shapeOf = liveShapes(state)
  return analysis.findings.map((finding, index) => {
    const wanted = wantedOf(finding, String(index), scenario, shapeOf)
    const { files, commands } = renderManifests({
      ...{ format: 'kustomize', wanted: [wanted], facts: [], skipped: [], kustomizeBase: null, namesakes: [] },
      ...{ declaredPath: () => undefined, storedClaims: () => [], chartOf: () => null },
    })
    const how = files.length > 0 ? 'manifest' : commands.length > 0 ? 'commands' : 'none'
    return { rule: finding.ruleId, usd: finding.bankableUsdPerMonth ?? 0, how }
  })
}

function decoded({ body }: EncodedBatch): Batch {
  const parsed = parseBatch(gunzipSync(body).toString('utf8'))
  if (parsed.kind !== 'batch') throw new Error('The simulator wrote a batch that the contract refuses')
  return parsed.batch
}

function wantedOf(
  finding: RuleFinding,
  id: string,
  { name, provider, region }: Scenario,
  shapeOf: ReturnType<typeof liveShapes>,
): WantedChange {
  const { change, currentSpec, recommendedSpec, workload, action, target } = finding
  return {
    ...{
      id,
      clusterId: name,
      clusterName: name,
      provider,
      region,
      change,
      current: currentSpec,
      recommended: recommendedSpec,
    },
    ...(action ? { action } : {}),
    live: (workload && shapeOf({ ...workload, namespace: target.namespace })) ?? 'not_seen',
  }
}

async function judgeService(baseUrl: string, user: string, password: string): Promise<Judged[]> {
  const { token } = await createClient({ baseUrl }).signIn({ body: { email: user, password } })
  const client = createClient({ baseUrl, credential: { bearer: token } })
  const judged: Judged[] = []
  for (const status of ['pending', 'approved'] as const) {
    let cursor: string | undefined
    do {
      const query = { status, limit: 100, ...(cursor === undefined ? {} : { cursor }) }
      const { recommendations, next_cursor: next } = await client.listRecommendations({ query })
      const ids = recommendations.map(({ id }) => id)
      if (ids.length === 0) break
      const { files, commands } = await client.renderManifests({
        body: { recommendation_ids: ids, format: 'kustomize' },
      })
      const inFiles = new Set(files.flatMap((file) => file.recommendation_ids))
      const inCommands = new Set(commands.map((each) => each.recommendation_id))
      judged.push(
        ...recommendations.map(({ id, rule_id: rule, bankable_savings: usd }): Judged => ({
          ...{ rule, usd: usd ?? 0 },
          how: inFiles.has(id) ? 'manifest' : inCommands.has(id) ? 'commands' : 'none',
        })),
      )
      cursor = next ?? undefined
    } while (cursor !== undefined)
  }
  return judged
}

function print(judged: readonly Judged[]): void {
  const usd = (some: readonly Judged[]) => some.reduce((sum, each) => sum + each.usd, 0)
  const rules = [...new Set(judged.map(({ rule }) => rule))].sort()
  for (const rule of rules) {
    const own = judged.filter((each) => each.rule === rule)
    const counts = (['manifest', 'commands', 'none'] as const).map(
      (how) => own.filter((each) => each.how === how).length,
    )
    console.log(
      `${rule.padEnd(32)}${counts.map((count) => String(count).padStart(5)).join('')}  $${usd(own).toFixed(2)}/month bankable`,
    )
  }
  const runnable = judged.filter(({ how }) => how !== 'none')
  const share = usd(judged) === 0 ? 1 : usd(runnable) / usd(judged)
  console.log(
    `${runnable.length} of ${judged.length} recommendations have a manifest or commands: ${(100 * share).toFixed(1)} % of $${usd(judged).toFixed(2)}/month bankable, aim ${100 * shareMin} %`,
  )
  if (share < shareMin) process.exitCode = 1
}
