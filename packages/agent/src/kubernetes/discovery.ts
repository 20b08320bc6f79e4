import { ApiError, refusal, type ApiClient } from '../watch/api-client.ts'
import { text } from '../watch/lines.ts'

const patienceMs = 30_000

/** The JSON response of a path. */
export async function getJson(client: ApiClient, path: string, signal: AbortSignal): Promise<unknown> {
  const answer = await client.get(path, {}, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]))
  if (answer.status !== 200) throw await refusal(answer)
  return JSON.parse(await text(answer.body))
}

/** Such as v1.33.2-eks-1234567. */
export async function kubernetesVersion(client: ApiClient, signal: AbortSignal): Promise<string> {
  const { gitVersion = '' } = (await getJson(client, '/version', signal)) as { gitVersion?: string }
  return gitVersion
}

/** The uid of kube-system, which every cluster has and which never changes. */
export async function clusterUid(client: ApiClient, signal: AbortSignal): Promise<string> {
  const { metadata } = (await getJson(client, '/api/v1/namespaces/kube-system', signal)) as {
    metadata?: { uid?: string }
  }
  if (!metadata?.uid) throw new Error('the namespace kube-system has no uid')
  return metadata.uid
}

/** The served versions of an API group; empty if the cluster does not have the group. */
export async function servedVersions(client: ApiClient, group: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { versions = [] } = (await getJson(client, `/apis/${group}`, signal)) as { versions?: { version?: string }[] }
    return versions.flatMap(({ version }) => version ?? [])
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return []
    throw error
  }
}
