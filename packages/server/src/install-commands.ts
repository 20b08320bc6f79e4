import type { Settings } from './deps.ts'

const namespace = 'plimsoll'

/** The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands. */
export function installCommands({ publicUrl }: Settings, token: string): { helm: string; kubectl: string } {
  return {
    helm:
      `helm upgrade --install plimsoll-agent deploy/helm/agent --namespace ${namespace} --create-namespace` +
      ` --set server.url='${publicUrl}' --set token='${token}'`,
    kubectl:
      `kubectl create namespace ${namespace} && kubectl --namespace ${namespace} create secret generic plimsoll-agent` +
      ` --from-literal=url='${publicUrl}' --from-literal=token='${token}'`,
  }
}
