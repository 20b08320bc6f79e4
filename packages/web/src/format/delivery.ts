import type { Deliverer } from '@plimsoll/contract'

const tools = { helm: 'Helm', argocd: 'Argo CD', flux: 'Flux' }
const kinds = {
  Release: 'release',
  Application: 'application',
  HelmRelease: 'HelmRelease',
  Kustomization: 'Kustomization',
}

/** Who brings a workload into the cluster, in one sentence. */
export const deliveryWords = (deliverers: readonly Deliverer[]) =>
  `Delivered by ${deliverers.map(delivererWords).join(', with ')}.`

function delivererWords({ tool, kind, namespace, name }: Deliverer): string {
  if (name === null) return `a ${tools[tool]} ${kinds[kind]}`
  return `the ${tools[tool]} ${kinds[kind]} ${namespace === null ? name : `${namespace}/${name}`}`
}
