import type { ClusterAccess, Credentials } from '../cluster-access.ts'
import { proxyFor } from './proxy-for.ts'
import { rereadFile } from '../reread-file.ts'
import { execPluginOf } from './exec-plugin.ts'
import { impersonationHeaders } from './impersonation.ts'
import { anonymous, execLogin, fixedLogin, tokenFileLogin, type Login } from './login.ts'
import {
  bytesIn,
  KubeconfigError,
  pathIn,
  readKubeconfig,
  textIn,
  type Entry,
  type Kubeconfig,
} from './read-kubeconfig.ts'

export type KubeconfigOptions = {
  /** In the order of KUBECONFIG. */
  readonly paths: readonly string[]
  readonly context?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Access from outside the cluster with a kubeconfig. Throws a readable error if the files do not define a cluster. */
export async function kubeconfigAccess({ paths, context, env, now }: KubeconfigOptions): Promise<ClusterAccess> {
  const { cluster, user } = pick(await readKubeconfig(paths), context)
  const origin = originOf(cluster)
  const login = loginOf(user, cluster, { env, now })
  const headers = impersonationHeaders(user)
  const serverTls = serverTlsOf(cluster, now)
  const clientTls = clientTlsOf(user, now)
  const proxy = proxyFor(origin, textIn(cluster, 'proxy-url'), env)
  return {
    origin,
    credentials: async () => {
      const [{ authorization, ...certified }, server, client] = await Promise.all([
        login.part(),
        serverTls(),
        clientTls(),
      ])
      return {
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
        tls: { ...server, ...client, ...certified },
      }
    },
    forgetCredentials: () => login.forget(),
    ...(proxy ? { proxy } : {}),
  }
}

function pick(config: Kubeconfig, wanted: string | undefined): { cluster: Entry; user: Entry } {
  const { path, contexts, clusters, users, currentContext } = config
  const name = wanted ?? currentContext
  const known = `its contexts are: ${[...contexts.keys()].join(', ') || 'none'}`
  if (name === '') throw new KubeconfigError(`The kubeconfig ${path} has no current context; ${known}.`)
  const context = contexts.get(name)
  if (!context) throw new KubeconfigError(`The kubeconfig ${path} has no context '${name}'; ${known}.`)
  const cluster = clusters.get(textIn(context, 'cluster') ?? '')
  if (!cluster) throw new KubeconfigError(`The kubeconfig ${path} has no cluster for the context '${name}'; ${known}.`)
  const userName = textIn(context, 'user')
  const user = userName === undefined ? { name: '', file: context.file, fields: {} } : users.get(userName)
  if (!user) throw new KubeconfigError(`The kubeconfig ${path} has no user '${userName}' for the context '${name}'.`)
  return { cluster, user }
}

function originOf(cluster: Entry): string {
  const server = textIn(cluster, 'server') ?? ''
  const protocol = URL.canParse(server) ? new URL(server).protocol : ''
  if (protocol === 'https:' || protocol === 'http:') return server.replace(/(?<!\/)\/+$/, '')
  throw new KubeconfigError(
    `The cluster '${cluster.name}' in ${cluster.file} has the server '${server}', which is not a URL.`,
  )
}

function loginOf(user: Entry, cluster: Entry, options: Pick<KubeconfigOptions, 'env' | 'now'>): Login {
  const [token, tokenFile] = [textIn(user, 'token'), pathIn(user, 'tokenFile')]
  const [username, password] = [textIn(user, 'username'), textIn(user, 'password')]
  const hasToken = token !== undefined || tokenFile !== undefined
  if (hasToken && username !== undefined) {
    throw new KubeconfigError(`The user '${user.name}' in ${user.file} has both a token and a username.`)
  }
  if (tokenFile !== undefined) return tokenFileLogin(tokenFile, options.now, token)
  if (token !== undefined) return fixedLogin(`Bearer ${token}`)
  if (username !== undefined) {
    return fixedLogin(`Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`)
  }
  const plugin = execPluginOf(user, cluster)
  if (plugin) return execLogin(plugin, options)
  if (user.fields['auth-provider'] !== undefined) {
    throw new KubeconfigError(
      `The user '${user.name}' in ${user.file} uses auth-provider, which Kubernetes replaced with exec plugins.`,
    )
  }
  return anonymous
}

type Tls = Credentials['tls']

function serverTlsOf(cluster: Entry, now: () => number): () => Promise<Tls> {
  const isInsecure = cluster.fields['insecure-skip-tls-verify'] === true
  const servername = textIn(cluster, 'tls-server-name')
  const data = bytesIn(cluster, 'certificate-authority-data')
  const path = pathIn(cluster, 'certificate-authority')
  if (isInsecure && (data || path !== undefined)) {
    throw new KubeconfigError(
      `The cluster '${cluster.name}' in ${cluster.file} has both insecure-skip-tls-verify and a certificate authority. Keep one of them.`,
    )
  }
  const file = data || path === undefined ? undefined : rereadFile(path, now)
  return async () => {
    const ca = data ?? (await file?.read())
    return {
      ...(ca ? { ca } : {}),
      ...(isInsecure ? { rejectUnauthorized: false } : {}),
      ...(servername === undefined ? {} : { servername }),
    }
  }
}

/** Embedded data wins over files. */
function clientTlsOf(user: Entry, now: () => number): () => Promise<Tls> {
  const read = (field: string) => {
    const data = bytesIn(user, `${field}-data`)
    const path = pathIn(user, field)
    if (data || path === undefined) return { isSet: data !== undefined, read: async () => data }
    const file = rereadFile(path, now)
    return { isSet: true, read: () => file.read() }
  }
  const [cert, key] = [read('client-certificate'), read('client-key')]
  if (cert.isSet !== key.isSet) {
    throw new KubeconfigError(
      `The user '${user.name}' in ${user.file} has a client certificate without its key, or a key without its certificate.`,
    )
  }
  return async () => {
    const [certificate, privateKey] = await Promise.all([cert.read(), key.read()])
    return certificate && privateKey ? { cert: certificate, key: privateKey } : {}
  }
}
