type Texts = Record<string, string>

/** The annotations of Helm. `valuesPath`: a user has declared the path of the resources in the chart values. */
export function helmRelease(of: {
  namespace: string
  release: string
  chart: string
  component?: string
  valuesPath?: string
}): { labels: Texts; annotations: Texts } {
  return {
    labels: {
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/instance': of.release,
      'helm.sh/chart': of.chart,
      ...(of.component === undefined ? {} : { 'app.kubernetes.io/component': of.component }),
    },
    annotations: {
      'meta.helm.sh/release-name': of.release,
      'meta.helm.sh/release-namespace': of.namespace,
      ...(of.valuesPath === undefined ? {} : { 'plimsoll.dev/helm-values-path': of.valuesPath }),
    },
  }
}

/** The annotations of Argo CD. */
export const argoCd = (application: string, workload: string): Texts => ({
  'argocd.argoproj.io/tracking-id': `${application}:apps/Deployment:${workload}`,
})

/** The labels of Flux for a Kustomization and for a HelmRelease. */
export const fluxKustomization = (name: string): Texts => fluxLabels('kustomize', name)
export const fluxHelmRelease = (name: string): Texts => fluxLabels('helm', name)

const fluxLabels = (toolkit: 'helm' | 'kustomize', name: string): Texts => ({
  [`${toolkit}.toolkit.fluxcd.io/name`]: name,
  [`${toolkit}.toolkit.fluxcd.io/namespace`]: 'flux-system',
})
