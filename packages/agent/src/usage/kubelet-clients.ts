import type { ClusterAccess, Credentials } from '../kubernetes/cluster-access.ts'
import { httpClient, type HttpClient } from '../kubernetes/http-client.ts'
import type { KubeletPlace } from '../kinds/nodes.ts'
import type { ApiClient } from '../watch/api-client.ts'

export type KubeletAccess = {
  readonly access: Pick<ClusterAccess, 'credentials'>
  /** Whether the cluster CA must have signed the certificate for the requested address. */
  readonly isVerified: boolean
}

const clientsMax = 20_000

/**
 * Connections to kubelets with the credentials of the API server; kubelets authorize requests through the API server.
 * Without verification the token may reach an impostor.
 */
export function kubeletClients({ access, isVerified }: KubeletAccess): (place: KubeletPlace) => ApiClient {
  const clients = new Map<string, HttpClient>()
  const credentials = async () => {
    const { headers, tls } = await access.credentials()
    return { headers, tls: kubeletTls(tls, isVerified) }
  }
  return ({ host, port }) => {
    const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
    const known = clients.get(origin)
    if (known) return known
    // Nodes change, so the cache is limited. Unused connections close by themselves.
    if (clients.size > clientsMax) clients.clear()
    const client = httpClient({ origin, credentials })
    clients.set(origin, client)
    return client
  }
}

/** The server name and the verification setting of the API server do not apply to kubelets. */
function kubeletTls({ servername: _name, ...tls }: Credentials['tls'], isVerified: boolean): Credentials['tls'] {
  return { ...tls, rejectUnauthorized: isVerified }
}

/** Certificate errors of Node.js. */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Whether the identity of the kubelet could not be verified. */
export const isUnverified = (error: Error) => certificateCodes.has((error as NodeJS.ErrnoException).code ?? '')
