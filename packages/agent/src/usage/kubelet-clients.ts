import type { ClusterAccess, Credentials } from '../kubernetes/cluster-access.ts'
import { httpClient, type HttpClient } from '../kubernetes/http-client.ts'
import type { KubeletPlace } from '../kinds/nodes.ts'
import type { ApiClient } from '../watch/api-client.ts'

export type KubeletAccess = {
  readonly access: Pick<ClusterAccess, 'credentials'>
  /** Whether a certificate must be signed by the cluster's authority, for the address that is asked. */
  readonly isVerified: boolean
}

const clientsMax = 20_000

/**
 * Connections to kubelets, as whoever we are to the API server, which they ask whether we may look. Unless certificates are verified
 * one cannot know who answers, and the token goes there all the same.
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
    // Nodes come and go; connections that are not used close by themselves.
    if (clients.size > clientsMax) clients.clear()
    const client = httpClient({ origin, credentials })
    clients.set(origin, client)
    return client
  }
}

/** The name in the API server's certificate, and whether that one is verified, say nothing about kubelets. */
function kubeletTls({ servername: _name, ...tls }: Credentials['tls'], isVerified: boolean): Credentials['tls'] {
  return { ...tls, rejectUnauthorized: isVerified }
}

/** As Node.js calls what is wrong with a certificate. */
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

/** Whether somebody answered of whom it is not certain who they are. */
export const isUnverified = (error: Error) => certificateCodes.has((error as NodeJS.ErrnoException).code ?? '')
