import type { Deliverer } from '@plimsoll/contract'

const tools = { helm: 'Helm', argocd: 'Argo CD', flux: 'Flux' }
const kinds = {
  Release: 'release',
  Application: 'application',
  HelmRelease: 'HelmRelease',
  Kustomization: 'Kustomization',
}

/** The tools that manage a workload, in one sentence. */
export const deliveryWords = (deliverers: readonly Deliverer[]) =>
  `Managed by ${deliverers.map(delivererWords).join(' and ')}.`

function delivererWords({ tool, kind, namespace, name }: Deliverer): string {
  if (name === null) return `${tools[tool]} (${kinds[kind]})`
  return `${tools[tool]} (${kinds[kind]} ${namespace === null ? name : `${namespace}/${name}`})`
}
