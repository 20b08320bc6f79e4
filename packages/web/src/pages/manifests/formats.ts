import type { ManifestFormatName } from '@plimsoll/contract'

type Format = {
  readonly value: ManifestFormatName
  readonly word: string
  /** Changes the values of a chart; users can enter the path of a container in them. */
  readonly isOfCharts?: true
}

/** In display order. */
export const formats: readonly Format[] = [
  { value: 'kustomize', word: 'Kustomize' },
  { value: 'helm', word: 'Helm', isOfCharts: true },
  { value: 'json-patch', word: 'JSON patch' },
  { value: 'strategic-merge', word: 'Strategic merge' },
  { value: 'yaml', word: 'YAML' },
]

export const isOfCharts = (value: ManifestFormatName) => formats.some((each) => each.value === value && each.isOfCharts)

/** Shown first: a GitOps tool would revert any other change to a workload of a chart. */
export const firstFormat = (isChart: boolean): ManifestFormatName =>
  formats.find((each) => (each.isOfCharts ?? false) === isChart)?.value ?? 'kustomize'
