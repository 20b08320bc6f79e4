import { describeBytes, describeMillicores } from '@plimsoll/engine'
import {
  FORMATS,
  SKIP_CODES,
  workloadKey,
  type LiveWorkload,
  type ManifestRequest,
  type ReviewFacts,
  type Skip,
  type WantedChange,
} from '@plimsoll/engine/manifests'
import type { ManifestFormat } from '@plimsoll/engine/vocabulary'
import { targetKey } from '@plimsoll/engine/rules'
import type { Grant } from '../platform/auth/caller.ts'
import { listClusterPlaces, type ClusterPlace } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import { listHelmPaths } from './queries/helm-paths.ts'
import {
  listByIds,
  listEvidenceDigests,
  listShapesOf,
  maySee,
  type RecommendationRow,
} from '../recommendations/index.ts'
import { listNamesakes } from '../ingest/index.ts'
import { Problem } from '../platform/http/problem.ts'
import { type EvidenceDigest, quantities } from '@plimsoll/pipeline/advice'
import { canonicalProvider } from '@plimsoll/pricebook'
import { declaredPaths, type HelmWish } from './declared-paths.ts'

export type RenderWish = {
  ids: readonly string[]
  format: ManifestFormat
  helm: HelmWish
  kustomizeBase: string | null
}

/** Reads the requested recommendations that the caller may see. */
export async function readRequest(
  db: Db,
  grant: Grant,
  { ids, format, helm, kustomizeBase }: RenderWish,
): Promise<ManifestRequest> {
  const { reads } = FORMATS[format]
  const unique = [...new Set(ids)]
  const rows = (await listByIds(db, unique)).filter((row) => maySee(grant, row))
  const open = rows.filter(isOpen)
  if (helm.valuesPath) demandOneContainer(open)
  const clusterIds = [...new Set(open.map((row) => row.cluster_id))]
  const openIds = open.map((row) => row.recommendation_id)
  const [places, shapes, paths, digests, namesakes] = await Promise.all([
    listClusterPlaces(db, [...new Set(rows.map((row) => row.cluster_id))]),
    listShapesOf(db, clusterIds, openIds),
    reads.helmPaths ? listHelmPaths(db, clusterIds) : [],
    listEvidenceDigests(db, clusterIds, openIds),
    reads.namesakes ? listNamesakes(db, clusterIds, openIds) : [],
  ])
  const shapeOf = new Map(shapes.map((each) => [`${each.cluster_id} ${workloadKey(each)}`, each.shape]))
  const placeOf = ({ cluster_id: id }: RecommendationRow): ClusterPlace =>
    places.get(id) ?? { name: id, provider: '', region: '' }
  return {
    format,
    wanted: open.map((row) => wantedOf(row, placeOf(row), shapeOf)),
    facts: rows.map((row) => factsOf(row, placeOf(row).name, digests.get(row.recommendation_id) ?? null)),
    skipped: [...skipMissing(unique, rows), ...rows.flatMap(skipClosed)],
    ...declaredPaths(helm, paths),
    kustomizeBase,
    namesakes: namesakes
      .filter((each) => maySee(grant, each))
      .map(({ cluster_id: clusterId, ...each }) => ({ clusterId, ...each })),
  }
}

/** One values path holds the requests of one container. */
function demandOneContainer(open: readonly RecommendationRow[]): void {
  const containers = new Set(open.map((row) => [row.cluster_id, targetKey(row.content.target)].join(' ')))
  if (containers.size <= 1) return
  const detail = 'applies to one container, but the recommendations concern several; store a path for each container'
  throw new Problem('invalid_body', `/helm/values_path: ${detail}.`, {
    errors: [{ pointer: '/helm/values_path', code: 'several_containers', detail }],
  })
}

const isOpen = ({ status }: RecommendationRow) => status === 'pending' || status === 'approved'

/** Missing and inaccessible recommendations get the same response. */
function skipMissing(ids: readonly string[], rows: readonly RecommendationRow[]): Skip[] {
  const found = new Set(rows.map((row) => row.recommendation_id))
  return ids.filter((id) => !found.has(id)).map((id) => skip(id, 'not_found', 'Check the ID.'))
}

function skipClosed({ recommendation_id: id, status }: RecommendationRow): Skip[] {
  if (status === 'pending' || status === 'approved') return []
  const advice = status === 'rejected' ? 'Reopen it first.' : 'Use an open recommendation for the same workload.'
  return [skip(id, status, advice)]
}

const skip = (recommendationId: string, code: Skip['code'], advice: string): Skip => ({
  recommendationId,
  code,
  message: `${SKIP_CODES[code]}. ${advice}`,
  alternativeFormat: null,
})

type Shapes = ReadonlyMap<string, LiveWorkload | null>

function wantedOf(
  row: RecommendationRow,
  { name: clusterName, provider, region }: ClusterPlace,
  shapeOf: Shapes,
): WantedChange {
  const { content, namespace } = row
  const workload = { kind: row.workload_kind ?? '', namespace, name: row.workload_name ?? '' }
  const shape = shapeOf.get(`${row.cluster_id} ${workloadKey(workload)}`)
  return {
    id: row.recommendation_id,
    clusterId: row.cluster_id,
    clusterName,
    provider: canonicalProvider(provider),
    region,
    change: content.change,
    ...(content.action === undefined ? {} : { action: content.action }),
    current: content.current,
    recommended: content.recommended,
    live: shape === undefined ? 'not_seen' : (shape ?? 'gone'),
  }
}

function factsOf(row: RecommendationRow, clusterName: string, digest: EvidenceDigest | null): ReviewFacts {
  const { change, current, recommended } = row.content
  const { kind, namespace, name } = change.object
  const named = change.fields.map(({ path, from, to }) => ({ path: path.replace(/^resources\./, ''), from, to }))
  const list = (of: 'from' | 'to') => named.map((each) => `${each.path} ${each[of] ?? '–'}`).join(', ')
  const spec = (of: typeof current) => Object.values(quantities(of)).join(', ')
  return {
    id: row.recommendation_id,
    title: row.title,
    workload: [clusterName, namespace, `${kind} ${name}`].filter((part) => part !== '').join(' / '),
    ruleId: row.rule_id,
    from: named.length > 0 ? list('from') : spec(current),
    to: named.length > 0 ? list('to') : spec(recommended),
    estimatedUsdPerMonth: Number(row.estimated_savings),
    bankableUsdPerMonth: row.bankable_savings === null ? null : Number(row.bankable_savings),
    risk: row.risk,
    confidence: row.confidence,
    backtest: digest ? backtestWords(digest) : '',
    evidence: digest ? evidenceWords(digest) : '',
  }
}

function backtestWords({ proposed, current }: EvidenceDigest): string {
  if (!proposed) return ''
  const words = `${minutes(proposed.minutes_short)} min short, ${days(proposed.oom_days)} OOM days`
  return current ? `${words} (now ${minutes(current.minutes_short)} and ${days(current.oom_days)})` : words
}

const minutes = (count: number) => (count > 0 && count < 1 ? 'under 1' : String(Math.round(count)))
const days = (count: number) => String(Number(count.toFixed(1)))

function evidenceWords({ hours, coverage, cpu_p95: cpu, memory_max: memory }: EvidenceDigest): string {
  return [
    hours === null ? '' : `${Math.round(hours / 24)} days`,
    coverage === null ? '' : `${Math.round(coverage * 100)} % of samples`,
    cpu === null ? '' : `CPU p95 ${describeMillicores(cpu)}`,
    memory === null ? '' : `memory max ${describeBytes(memory)}`,
  ]
    .filter((word) => word !== '')
    .join(', ')
}
