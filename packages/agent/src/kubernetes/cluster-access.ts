import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import { rereadFile } from './reread-file.ts'

/** Where an API server is and how the agent logs in. */
export type ClusterAccess = {
  /** The address, with a path before those of the API if it has one, and without a slash at the end. */
  readonly origin: string
  /** Asked for with every request: tokens and certificates are replaced while the agent runs. */
  credentials(): Promise<Credentials>
  /** The server answered 401: whatever is cached of the credentials may have expired. */
  forgetCredentials?(): void
  /** Requests go through this proxy: http, https or socks5. */
  readonly proxy?: URL
}

export type Credentials = {
  /** Several values of one name are several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly tls: SecureContextOptions & { rejectUnauthorized?: boolean; servername?: string }
}

/** The credentials cannot be made: a file is missing, or an exec plugin fails. */
export class LoginError extends Error {}

/** Where Kubernetes puts what a pod needs to reach the API server. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** From a pod of the cluster itself. */
export function inClusterAccess(options: {
  host: string
  port: string
  directory?: string
  now: () => number
}): ClusterAccess {
  const { host, port, directory = serviceAccountDirectory, now } = options
  const token = rereadFile(join(directory, 'token'), now)
  const authority = rereadFile(join(directory, 'ca.crt'), now)
  return {
    origin: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    credentials: async () => {
      const [text, ca] = await Promise.all([token.read(), authority.read()])
      return { headers: { authorization: `Bearer ${text.toString().trim()}` }, tls: { ca } }
    },
    forgetCredentials: () => token.forget(),
  }
}
