import type { CreatedCluster } from './schemas/clusters.ts'

const namespace = 'plimsoll'

/** Where the chart and the manifest of the agent are, for everybody: there is no secret in them. */
export const installPaths = { chart: '/install/plimsoll-agent.tgz', manifest: '/install/agent.yaml' } as const

/** Works whether the object is there already or not, so the same command serves after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

export type InstallSettings = { publicUrl: string; agentImage: string | undefined }

/** The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands. */
export function installCommands(settings: InstallSettings, token: string): NonNullable<CreatedCluster['install']> {
  const { publicUrl, agentImage } = settings
  const values = [`url='${publicUrl}'`, `token='${token}'`, ...(agentImage ? [`image='${agentImage}'`] : [])]
  return {
    kubectl:
      `kubectl create namespace ${namespace} ${applied} &&` +
      ` kubectl --namespace ${namespace} create secret generic plimsoll-agent --from-literal=token='${token}' ${applied} &&` +
      ` kubectl apply --filename '${publicUrl}${installPaths.manifest}'`,
    helm:
      `helm upgrade --install plimsoll-agent '${publicUrl}${installPaths.chart}'` +
      ` --namespace ${namespace} --create-namespace --set-string ${values.join(',')}`,
    note: `The agent only reads. ${imageNote(agentImage)} ${addressNote(publicUrl)}`,
  }
}

function imageNote(agentImage: string | undefined): string {
  if (agentImage !== undefined) return `The cluster must be able to pull ${agentImage}.`
  return 'Build its image from deploy/agent/Dockerfile and name it: --set image=… for Helm, ?image=… behind the address for kubectl.'
}

/** Said where a command or a manifest names an address that no pod reaches the server at. */
export function addressNote(publicUrl: string): string {
  if (!isLoopback(publicUrl)) return `The cluster must reach ${publicUrl}.`
  return `No pod reaches this server at ${publicUrl}: set PLIMSOLL_PUBLIC_URL, or run the agent on this machine as docs/agent.md says.`
}

const loopback = /^https?:\/\/(localhost|[^/:@]+\.localhost|127\.[^/:@]*|\[::1\])(:\d+)?(\/|$)/i

/** Whether an address leads back to the machine of whoever opens it: from inside a cluster, to the pod itself. */
export const isLoopback = (url: string): boolean => loopback.test(url)

/** As the manifest is before anybody has named an image, so that a manifest tells what the commands for it are. */
const unnamedImage = 'plimsoll-agent:'

export function installSettingsIn(manifest: string): InstallSettings | undefined {
  const publicUrl = quotedAfter(/name: PLIMSOLL_URL\n +value: (".*")$/m, manifest)
  const image = quotedAfter(/^ +image: (".*")$/m, manifest)
  if (publicUrl === undefined || image === undefined) return undefined
  return { publicUrl, agentImage: image.startsWith(unnamedImage) ? undefined : image }
}

/** JSON is YAML, and how the manifest holds what it was told. */
function quotedAfter(place: RegExp, text: string): string | undefined {
  const found = place.exec(text)?.[1]
  return found === undefined ? undefined : (JSON.parse(found) as string)
}
