import type { Settings } from './deps.ts'

const namespace = 'plimsoll'

/** Works whether the object is there already or not, so the same command serves after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

/** The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands. */
export function installCommands({ publicUrl }: Settings, token: string): { helm: string; kubectl: string } {
  return {
    helm:
      `helm upgrade --install plimsoll-agent deploy/helm/agent --namespace ${namespace} --create-namespace` +
      ` --set server.url='${publicUrl}' --set token='${token}'`,
    kubectl:
      `kubectl create namespace ${namespace} ${applied} &&` +
      ` kubectl --namespace ${namespace} create secret generic plimsoll-agent` +
      ` --from-literal=url='${publicUrl}' --from-literal=token='${token}' ${applied}`,
  }
}
