import { useQuery } from '@tanstack/react-query'
import type { PolicyList } from '@plimsoll/contract'
import { useState } from 'react'
import type { PolicyScope } from '../../api/policies.ts'
import { policiesQuery } from '../../api/queries.ts'
import { useMaySetPolicy } from '../../api/session.ts'
import { OneCluster } from '../../parts/one-cluster.tsx'
import { QueryState } from '../../parts/states.tsx'
import { Dial } from './policies/safety-margin.tsx'
import { NodePools } from './policies/node-pools.tsx'
import { layersOf } from './policies/policy-draft.ts'
import { ScopePicker } from './policies/scope-picker.tsx'
import { usePolicyEdit } from './policies/use-policy-edit.ts'
import { EffectivePolicy } from './policies/effective-policy.tsx'

export function Policies() {
  return <OneCluster>{(clusterId) => <ClusterPolicies key={clusterId} clusterId={clusterId} />}</OneCluster>
}

function ClusterPolicies({ clusterId }: { clusterId: string }) {
  const policies = useQuery(policiesQuery(clusterId))
  const [namespace, setNamespace] = useState<string | null>(null)
  return (
    <QueryState query={policies} what="The policies">
      {(list) => (
        <>
          <ScopePicker policies={list.policies} namespace={namespace} onPick={setNamespace} />
          <OnePolicy
            key={namespace ?? ''}
            scope={{ clusterId, namespace }}
            list={list}
            onTakenAway={() => setNamespace(null)}
          />
        </>
      )}
    </QueryState>
  )
}

type OnePolicyProps = { scope: PolicyScope; list: PolicyList; onTakenAway: () => void }

function OnePolicy({ scope, list, onTakenAway }: OnePolicyProps) {
  const edit = usePolicyEdit(scope)
  const mayWrite = useMaySetPolicy(scope.namespace)
  const layers = layersOf(list, scope.namespace)
  return (
    <>
      <Dial layers={layers} edit={edit} mayWrite={mayWrite} />
      {scope.namespace === null && (
        <NodePools pools={list.node_pools ?? []} layers={layers} edit={edit} mayWrite={mayWrite} />
      )}
      <EffectivePolicy scope={scope} layers={layers} edit={edit} mayWrite={mayWrite} onTakenAway={onTakenAway} />
    </>
  )
}
