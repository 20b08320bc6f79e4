import { join } from 'node:path'
import type { SecureContextOptions } from 'node:tls'
import { rereadFile } from './reread-file.ts'

/** The address of an API server and its credentials. */
export type ClusterAccess = {
  /** The base URL with an optional path prefix, without a trailing slash. */
  readonly origin: string
  /** Called for every request, because tokens and certificates rotate while the agent runs. */
  credentials(): Promise<Credentials>
  /** Called after a 401, because cached credentials may have expired. */
  forgetCredentials?(): void
  /** Requests go through this proxy: http, https or socks5. */
  readonly proxy?: URL
}

export type Credentials = {
  /** An array sends several headers with the same name. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly tls: SecureContextOptions & { rejectUnauthorized?: boolean; servername?: string }
}

/** The credentials are not available: a file is missing, or an exec plugin failed. */
export class LoginError extends Error {}

/** The directory of the service account credentials in a pod. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Access from a pod in the cluster. */
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
