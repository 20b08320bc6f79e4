import type { CreatedCluster } from '@plimsoll/contract'
import type { Settings } from './deps.ts'

const namespace = 'plimsoll'

/** Works whether the object is there already or not, so the same command serves after a rotation. */
const applied = '--dry-run=client --output yaml | kubectl apply --filename -'

/**
 * The agent reads its token from a secret in its own namespace. Nothing a person typed goes into these commands, and none
 * names what is not there: this version has no chart.
 */
export function installCommands({ publicUrl }: Settings, token: string): NonNullable<CreatedCluster['install']> {
  return {
    kubectl:
      `kubectl create namespace ${namespace} ${applied} &&` +
      ` kubectl --namespace ${namespace} create secret generic plimsoll-agent` +
      ` --from-literal=url='${publicUrl}' --from-literal=token='${token}' ${applied}`,
    helm: null,
    note:
      'The command puts the address and the token where the agent will look for them. The agent itself is not part of ' +
      'this version yet; until then anything that speaks POST /api/v1/agent/metrics can report with the token.',
  }
}
