import { groupBy } from '../group-by.ts'
import { originOf } from './gitops-origin.ts'
import type { ManifestFile } from './manifest-file.ts'
import { describeTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { endingsFor, guarded, ownValues } from './shell-variables.ts'
import type { WrittenIndex } from './written-index.ts'

/** The words for a release in commands, and the variables to set first. */
export type HelmText = {
  readonly release: string
  readonly chart: string
  /** Variables of these two. */
  readonly needs: readonly string[]
  /** An option that pins the chart version; empty: unknown. */
  readonly version: string
  readonly values: string
  readonly hint: string
  readonly valuesHint: string
  /** The suffix of the variables of this release. */
  readonly ending: string
}

export type HelmTextOf = (file: ManifestFile, patch: ObjectPatch) => HelmText

/** Each of several releases has its own variables, because it has its own chart. */
export function helmTextOf({ files, patches, fileOf, patchOf, chartOf }: WrittenIndex): HelmTextOf {
  const named = files.flatMap((file) => {
    const patch = patchOf(file)
    return patch ? [{ key: file.path, names: namesOf(patch) }] : []
  })
  const endings = named.length < 2 ? new Map<string, string>() : endingsFor(named)
  const together = groupBy(patches, fileOf)
  return (file, patch) => {
    const words = textOf(endings.get(file.path) ?? '', releaseOf(patch), chartOf(patch), patch)
    const chart = chartLabelOf(together.get(file) ?? [])
    return {
      ...words,
      version: chart ? ` --version ${shellWord(chart.version)}` : '',
      hint: words.hint + versionHint(chart),
    }
  }
}

type ChartLabel = { readonly name: string; readonly version: string }

/** The chart label that all workloads of a release share; null: they differ, so the release has subcharts. */
function chartLabelOf(patches: readonly ObjectPatch[]): ChartLabel | null {
  const labels = new Set(patches.map(({ live }) => (live && originOf(live).helm?.chart) ?? ''))
  for (const sibling of patches.flatMap(({ live }) => live?.releaseSiblings ?? [])) {
    if (sibling.chart !== null) labels.add(sibling.chart)
  }
  const [label = ''] = labels
  return labels.size === 1 ? parseChartLabel(label) : null
}

const labelCharsMax = 63

/** `web-1.2.3`. A label cannot hold `+`, which becomes `_`. A label that may be truncated is ignored. */
export function parseChartLabel(text: string): ChartLabel | null {
  if (text.length >= labelCharsMax) return null
  const found = /^([A-Za-z0-9][-A-Za-z0-9._]*?)-(v?\d+\.\d+\.\d+(?:-[-0-9A-Za-z.]+)?(?:_[-0-9A-Za-z.]+)?)$/.exec(text)
  const [, name, version] = found ?? []
  return name === undefined || version === undefined ? null : { name, version: version.replace('_', '+') }
}

/** Without a version, helm would also upgrade to the newest chart. */
const versionHint = (chart: ChartLabel | null) =>
  chart
    ? ` The version is the running version of chart ${chart.name}. If ${chart.name} is a subchart, use the version of your own chart.`
    : ' The running chart version is unknown: add --version unless the chart is a directory.'

const releaseOf = ({ live }: ObjectPatch) => (live ? (originOf(live).helm?.release ?? null) : null)

function namesOf(patch: ObjectPatch): string[] {
  const { target, clusterName } = patch
  const name = releaseOf(patch) ?? target.name
  const inSpace = `${target.namespace} ${name}`
  return [name, inSpace, `${clusterName} ${name}`, `${clusterName} ${inSpace}`]
}

function textOf(ending: string, release: string | null, chart: string | null, { target }: ObjectPatch) {
  const [chartName, releaseName, valuesName] = [`CHART${ending}`, `RELEASE${ending}`, `VALUES${ending}`]
  const whose = release === null ? 'this release' : `release ${release}`
  const toSet = [
    ...(release === null ? [`${releaseName} to the name of the release that creates ${describeTarget(target)}`] : []),
    ...(chart === null ? [`${chartName} to the chart of ${whose} (directory, name or URL)`] : []),
  ]
  return {
    release: release === null ? guarded(releaseName) : shellWord(release),
    chart: chart === null ? guarded(chartName) : shellWord(chart),
    needs: [...(release === null ? [releaseName] : []), ...(chart === null ? [chartName] : [])],
    values: ownValues(valuesName),
    hint: toSet.length === 0 ? '' : ` Set ${toSet.join(' and ')}.`,
    valuesHint: ` Set ${valuesName} to your own values files, separated by commas. Without ${valuesName}, the command uses the default values of the chart.`,
    ending,
  }
}
