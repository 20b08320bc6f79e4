import type { InstallCommands } from '@plimsoll/contract'
import type { Settings } from '../platform/deps.ts'
import { isLoopback } from '../platform/loopback.ts'

const namespace = 'plimsoll'

/** Public paths of the chart and the manifest of the agent: they contain no secret. */
export const installPaths = { chart: '/install/plimsoll-agent.tgz', manifest: '/install/agent.yaml' } as const

/** Works whether the object exists or not, so the same command works after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

type InstallSettings = Pick<Settings, 'publicUrl' | 'agentImage'>

/** Only the hash of a token is stored, so later reads show this placeholder. */
export const tokenPlaceholder = 'YOUR-AGENT-TOKEN'

/**
 * The agent reads its token from a Secret in its namespace. The token goes through standard input: every process of the
 * machine can read arguments, and Helm would store values in its release. No user input goes into these commands.
 */
export function installCommands(settings: InstallSettings, token: string): InstallCommands {
  const { publicUrl, agentImage } = settings
  const values = [
    `url='${publicUrl}'`,
    `existingSecret=${tokenSecret}`,
    ...(agentImage ? [`image='${agentImage}'`] : []),
  ]
  return {
    kubectl: `${createSecret(token)} && kubectl apply --filename '${publicUrl}${installPaths.manifest}'`,
    helm:
      `${createSecret(token)} &&` +
      ` helm upgrade --install plimsoll-agent '${publicUrl}${installPaths.chart}'` +
      ` --namespace ${namespace} --set-string ${values.join(',')}`,
    note: `The agent is read-only. ${imageNote(agentImage)} ${addressNote(publicUrl)}`,
  }
}

/**
 * The same for kubectl and Helm, so one Secret serves both. Helm deletes the Secret `plimsoll-agent` of a release that had
 * its token as a value, so the name differs.
 */
const tokenSecret = 'plimsoll-agent-token'

const createSecret = (token: string) =>
  `kubectl create namespace ${namespace} ${applied} &&` +
  ` printf %s '${token}' | kubectl --namespace ${namespace} create secret generic ${tokenSecret} --from-file=token=/dev/stdin ${applied}`

function imageNote(agentImage: string | undefined): string {
  if (agentImage !== undefined) return `The cluster must be able to pull ${agentImage}.`
  return 'Build the image from deploy/agent/Dockerfile. Pass its name with --set image=… for Helm, or append ?image=… to the URL for kubectl.'
}

/** Shown if a command or a manifest has an address that pods cannot reach. */
export function addressNote(publicUrl: string): string {
  if (!isLoopback(publicUrl)) return `The cluster must reach ${publicUrl}.`
  return `Pods cannot reach this server at ${publicUrl}. Set PLIMSOLL_PUBLIC_URL to a URL that pods can reach, or run the agent on this machine (docs/agent.md).`
}
