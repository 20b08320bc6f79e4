import { type RenderManifestsBody, batchIdsMax } from '@plimsoll/contract'
import type { Static } from 'typebox'
import { unknownCluster } from '../clusters/index.ts'
import { maySeeCluster, type Caller } from '../platform/auth/caller.ts'
import type { Deps } from '../platform/deps.ts'
import { Problem, quoted } from '../platform/http/problem.ts'
import { listMemberIds } from '../plans/index.ts'

type Named = Pick<Static<typeof RenderManifestsBody>, 'recommendation_ids' | 'cluster_id' | 'step_id'>

/** The recommendations that a request names: by their IDs, or by the step of the plan that they are in. */
export async function namedIds(
  deps: Deps,
  caller: Caller,
  { recommendation_ids: ids, cluster_id: clusterId, step_id: stepId }: Named,
): Promise<string[]> {
  if (ids && (clusterId !== undefined || stepId !== undefined)) {
    refuse('/step_id', 'combination', 'send recommendation_ids, or cluster_id with step_id')
  }
  if (ids) return ids
  if (stepId === undefined) refuse('/recommendation_ids', 'required', 'is required unless step_id is sent')
  if (clusterId === undefined) refuse('/cluster_id', 'required', 'is required with step_id')
  if (!maySeeCluster(caller, clusterId)) {
    const error = unknownCluster(clusterId)
    throw new Problem('invalid_body', `/cluster_id: ${error.detail}.`, { errors: [error] })
  }
  const members = await listMemberIds(deps.db, { clusterId, stepId }, ['pending', 'approved'], caller.namespaces)
  if (members.length === 0) {
    refuse('/step_id', 'unknown_step', `${quoted(stepId)} is not a step with open recommendations in the current plan`)
  }
  if (members.length > batchIdsMax) {
    const detail = `the step has ${members.length} open recommendations, more than ${batchIdsMax}; send recommendation_ids in parts`
    refuse('/step_id', 'too_many', detail)
  }
  return members
}

function refuse(pointer: string, code: string, detail: string): never {
  throw new Problem('invalid_body', `${pointer}: ${detail}.`, { errors: [{ pointer, code, detail }] })
}
