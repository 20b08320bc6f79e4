import type { CreatedCluster } from '@plimsoll/contract'
import type { Settings } from './deps.ts'

const namespace = 'plimsoll'

/** Where the chart and the manifest of the agent are, for everybody: there is no secret in them. */
export const installPaths = { chart: '/install/plimsoll-agent.tgz', manifest: '/install/agent.yaml' } as const

/** Works whether the object is there already or not, so the same command serves after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

/** The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands. */
export function installCommands({ publicUrl }: Settings, token: string): NonNullable<CreatedCluster['install']> {
  return {
    kubectl:
      `kubectl create namespace ${namespace} ${applied} &&` +
      ` kubectl --namespace ${namespace} create secret generic plimsoll-agent --from-literal=token='${token}' ${applied} &&` +
      ` kubectl apply --filename '${publicUrl}${installPaths.manifest}'`,
    helm:
      `helm upgrade --install plimsoll-agent '${publicUrl}${installPaths.chart}'` +
      ` --namespace ${namespace} --create-namespace --set-string url='${publicUrl}',token='${token}'`,
    note:
      `Each command installs the agent, which only reads. Its image is plimsoll-agent, which you build from deploy/agent/Dockerfile` +
      ` and put where the cluster can pull it; name it with --set image=… . The cluster must reach ${publicUrl}.`,
  }
}
