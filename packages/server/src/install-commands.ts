import type { InstallCommands } from '@plimsoll/contract'
import type { Settings } from './deps.ts'
import { isLoopback } from './loopback.ts'

const namespace = 'plimsoll'

/** Where the chart and the manifest of the agent are, for everybody: there is no secret in them. */
export const installPaths = { chart: '/install/plimsoll-agent.tgz', manifest: '/install/agent.yaml' } as const

/** Works whether the object is there already or not, so the same command serves after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

type InstallSettings = Pick<Settings, 'publicUrl' | 'agentImage'>

/** Only the fingerprint of a token is kept, so whoever asks later finds this in its place. */
export const tokenPlaceholder = 'YOUR-AGENT-TOKEN'

/** The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands. */
export function installCommands(settings: InstallSettings, token: string): InstallCommands {
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
