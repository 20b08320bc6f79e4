const unknown = 'unknown'

const providerAliases: Record<string, readonly string[]> = {
  aws: ['amazon', 'amazon web services', 'ec2', 'eks'],
  gcp: ['google', 'google cloud', 'gce', 'gke'],
  azure: ['microsoft', 'microsoft azure', 'aks'],
  oci: ['oracle', 'oracle cloud', 'oke'],
  digitalocean: ['do', 'doks'],
}

const canonicalByAlias = new Map(
  Object.entries(providerAliases).flatMap(([name, aliases]) =>
    [name, ...aliases].map((alias) => [alias, name] as const),
  ),
)

/** Known providers get their one name; others are kept as they were sent, and priced from fallback rates later. */
export function canonicalPlace({ provider, region }: { provider?: string; region?: string }) {
  const sent = provider?.trim() ?? ''
  const here = region?.trim() ?? ''
  return {
    provider: sent === '' ? unknown : (canonicalByAlias.get(sent.toLowerCase()) ?? sent),
    region: here === '' ? unknown : here,
  }
}
