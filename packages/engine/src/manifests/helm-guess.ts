import { originOf } from './gitops-origin.ts'
import { parseChartLabel } from './helm-text.ts'
import type { LiveContainer, LiveWorkload, ReleaseSibling } from './live-workload.ts'
import { isObjectName } from './safe-text.ts'
import { refuse, type Refusal } from './skips.ts'
import type { ValuesPath } from './values-path.ts'

/**
 * The path that most charts use, if no other workload of the release can use the same path. The check detects a guess
 * without effect. A guess that could change another workload is never made.
 */
export function guessPath(live: LiveWorkload, container: LiveContainer): ValuesPath | Refusal {
  const { helm } = originOf(live)
  if (!helm) return assumePath(live, container)
  const isOnly = live.containers.filter(({ list }) => list === 'containers').length === 1
  if (!isOnly || container.list !== 'containers') return unknown('The workload has several containers.')
  if (!live.releaseSiblings) return unknown('Plimsoll does not know the other workloads of the release.')
  const component = componentOf(live.labels)
  const doubt = doubtOf(helm.chart, component, live.releaseSiblings)
  if (doubt !== undefined) return unknown(doubt)
  return { path: component === null ? ['resources'] : [component, 'resources'], source: 'guessed' }
}

/**
 * No label names a chart, but not every chart sets labels. The file is marked, and its check proves the path against the real
 * chart. A workload of Argo CD or Flux without these labels does not come from a chart.
 */
function assumePath(live: LiveWorkload, container: LiveContainer): ValuesPath | Refusal {
  const { argo, flux } = originOf(live)
  if (argo !== null || flux) return notHelm
  const isOnly = live.containers.length === 1 || container.name === ''
  return { path: isOnly ? ['resources'] : [container.name, 'resources'], source: 'assumed' }
}

function doubtOf(chart: string | null, component: string | null, siblings: readonly ReleaseSibling[]) {
  const charts = new Set([chart, ...siblings.map((each) => each.chart)].map(chartName))
  if (charts.size > 1) {
    return 'The release has several charts. The path of a subchart starts with its name or alias.'
  }
  const rival = siblings.find((each) => component === null || each.component === component)
  return rival && `${rival.kind} ${rival.name} of the same release may use the same values path.`
}

/** Versions of one chart may differ while a release is rolled out. */
const chartName = (label: string | null) => (label === null ? '' : (parseChartLabel(label)?.name ?? label))

/** The label `app.kubernetes.io/component`; null where it cannot be a key of values. */
export function componentOf(labels: LiveWorkload['labels']): string | null {
  const component = labels['app.kubernetes.io/component']
  return component !== undefined && isObjectName(component) ? component : null
}

const howToSay = 'helm.values_path in the request, or PUT /api/v1/gitops/helm-paths for the workload'

const unknown = (reason: string) =>
  refuse(
    'helm_path_unknown',
    `${reason} Set the values path of its resources (${howToSay}), or use the format kustomize.`,
    'kustomize',
  )

const notHelm = refuse(
  'not_helm',
  `If a chart creates it, set the values path of its resources (${howToSay}). Otherwise use another format: kustomize, strategic-merge, json-patch or yaml.`,
  'kustomize',
)
