import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'
import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'

/** Where an API server is and how one proves to it who one is. */
export type ClusterAccess = {
  /** Its address, with a path before those of the API if it has one, and without a slash at the end. */
  readonly origin: string
  /** Asked for with every request: tokens and certificates are replaced while we run. */
  credentials(): Promise<Credentials>
}

export type Credentials = {
  readonly headers: Readonly<Record<string, string>>
  readonly tls: SecureContextOptions & { rejectUnauthorized?: boolean; servername?: string }
}

/** Where Kubernetes puts what a pod needs to reach the API server. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A file is read anew after so long. The kubelet replaces tokens well before they expire. */
const fileSeconds = 10

/** From a pod of the cluster itself. */
export function inClusterAccess(options: {
  host: string
  port: string
  directory?: string
  now: () => number
}): ClusterAccess {
  const { host, port, directory = serviceAccountDirectory, now } = options
  let known: { at: number; credentials: Promise<Credentials> } | undefined
  return {
    origin: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    credentials: () => {
      if (!known || now() - known.at > fileSeconds * 1000)
        known = { at: now(), credentials: readCredentials(directory) }
      const { credentials } = known
      // What could not be read is tried again with the next request.
      credentials.catch(() => (known = undefined))
      return credentials
    },
  }
}

async function readCredentials(directory: string): Promise<Credentials> {
  const [token, ca] = await Promise.all([
    readFile(join(directory, 'token'), 'utf8'),
    readFile(join(directory, 'ca.crt')),
  ])
  return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca } }
}

/**
 * From outside, with what kubectl uses. The library knows every way of logging in, and is loaded only here because it takes 75 MB.
 * Throws a sentence for whoever named the file when it does not lead to a cluster.
 */
export async function kubeconfigAccess(path: string, context?: string): Promise<ClusterAccess> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  try {
    config.loadFromFile(path)
  } catch (error) {
    throw new Error(`The kubeconfig ${path} cannot be read: ${firstLine(error)}.`)
  }
  if (context !== undefined) config.setCurrentContext(context)
  const cluster = config.getCurrentCluster()
  if (!cluster) {
    const known = config.getContexts().map(({ name }) => name)
    const wanted = config.getCurrentContext() || undefined
    const lacks = wanted === undefined ? 'has no current context' : `has no cluster for the context '${wanted}'`
    throw new Error(`The kubeconfig ${path} ${lacks}; its contexts are: ${known.join(', ') || 'none'}.`)
  }
  return {
    origin: cluster.server.replace(/(?<!\/)\/+$/, ''),
    credentials: async () => {
      const made: RequestOptions = {}
      await config.applyToHTTPSOptions(made)
      const { headers, ca, cert, key, pfx, passphrase, auth } = made
      const basic = typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {}
      // The library leaves these two to connections of its own.
      const servername = cluster.tlsServerName
      const rejectUnauthorized = cluster.skipTLSVerify ? false : undefined
      return {
        headers: { ...basic, ...(headers as Record<string, string> | undefined) },
        tls: defined({ ca, cert, key, pfx, passphrase, rejectUnauthorized, servername }),
      }
    },
  }
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0] : String(error))

const defined = (values: Record<string, unknown>): Credentials['tls'] =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null))
