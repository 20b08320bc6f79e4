import type { ManifestFormatName } from '@plimsoll/contract'

type Format = {
  readonly value: ManifestFormatName
  readonly word: string
  /** Changes the values of a chart; users can enter the path of a container in them. */
  readonly isOfCharts?: true
}

/** In display order. A format that the API adds needs a line here to compile. */
const described: Record<ManifestFormatName, Omit<Format, 'value'>> = {
  kustomize: { word: 'Kustomize' },
  helm: { word: 'Helm', isOfCharts: true },
  'json-patch': { word: 'JSON patch' },
  'strategic-merge': { word: 'Strategic merge' },
  yaml: { word: 'YAML' },
}

export const formats: readonly Format[] = Object.entries(described).map(([value, format]) => ({
  value: value as ManifestFormatName,
  ...format,
}))

export const isOfCharts = (value: ManifestFormatName) => formats.some((each) => each.value === value && each.isOfCharts)

/** Shown first: a GitOps tool would revert any other change to a workload of a chart. */
export const firstFormat = (isChart: boolean): ManifestFormatName =>
  formats.find((each) => (each.isOfCharts ?? false) === isChart)?.value ?? 'kustomize'
