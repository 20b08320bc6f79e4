type Description = {
  readonly title: string
  /** The format changes the values of a Helm chart, not the objects that the chart creates. */
  readonly editsCharts: boolean
}

/** By the ID in the API, in display order. */
const described = {
  kustomize: { title: 'Kustomize', editsCharts: false },
  helm: { title: 'Helm', editsCharts: true },
  'json-patch': { title: 'JSON patch', editsCharts: false },
  'strategic-merge': { title: 'Strategic merge', editsCharts: false },
  yaml: { title: 'YAML', editsCharts: false },
} as const satisfies Record<string, Description>

export type ManifestFormat = keyof typeof described

export const MANIFEST_FORMATS = Object.keys(described) as readonly ManifestFormat[]

export const describeFormat = (format: ManifestFormat): Description => described[format]
