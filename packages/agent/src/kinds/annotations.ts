/** The only annotations whose values leave the cluster: settings for Plimsoll and annotations of deployment tools. */
const sent =
  /^(plimsoll\.dev\/[\w.-]+|meta\.helm\.sh\/release-(name|namespace)|argocd\.argoproj\.io\/(tracking-id|instance)|(kustomize|helm)\.toolkit\.fluxcd\.io\/(name|namespace)|cluster-autoscaler\.kubernetes\.io\/safe-to-evict|karpenter\.sh\/do-not-disrupt)$/

export function sentAnnotations(annotations: Record<string, string> | undefined): Record<string, string> | undefined {
  const kept = Object.entries(annotations ?? {}).filter(([name, value]) => sent.test(name) && value.length <= 512)
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
