import { IfMatch, NoContent } from '../schemas/common.ts'
import {
  archiveMediaType,
  HelmPath,
  HelmPathList,
  ListHelmPathsQuery,
  ManifestResult,
  PutHelmPathBody,
  RenderManifestsBody,
  RenderManifestsQuery,
} from '../schemas/manifests.ts'
import { RecommendationParams } from '../schemas/path-params.ts'
import { ListPoliciesQuery, Policy, PolicyList, PutPolicyBody } from '../schemas/policies.ts'
import { RecommendationDetail, RecommendationQuery } from '../schemas/recommendation-detail.ts'
import {
  GroupRecommendationsQuery,
  ListRecommendationsQuery,
  ListWithheldQuery,
  Preview,
  PreviewBody,
  RecommendationGroups,
  RecommendationList,
  WithheldList,
} from '../schemas/recommendation-lists.ts'
import { BatchBody, BatchResult, MoveBody, RecommendationHistory, SnoozeBody } from '../schemas/recommendation-moves.ts'
import { MovedRecommendation } from '../schemas/recommendations.ts'
import { RuleList } from '../schemas/rules.ts'
import { Savings, SavingsQuery } from '../schemas/savings.ts'
import { operation } from './operation.ts'

const move = {
  tag: 'Recommendations',
  params: RecommendationParams,
  headers: IfMatch,
  body: MoveBody,
  response: { 200: MovedRecommendation },
} as const

const repeated =
  'A repeated call changes nothing. From any other status, the call returns 409 with the allowed actions.'

export const recommendationOperations = {
  listHelmPaths: operation('GET /api/v1/gitops/helm-paths', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'List the Helm values paths of workloads',
    query: ListHelmPathsQuery,
    response: { 200: HelmPathList },
  }),

  setHelmPath: operation('PUT /api/v1/gitops/helm-paths', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Set the Helm values path of a workload',
    description:
      'Manifests in the format `helm` use the path. Without `rendered` the path is declared, and `proof` has the command to verify it. With a matching `rendered`, the path is verified as long as the workload has the same chart version. A rendered chart that disproves a stored path removes the path. The workload and its container must exist in the cluster.',
    headers: IfMatch,
    body: PutHelmPathBody,
    response: { 200: HelmPath },
  }),

  renderManifests: operation('POST /api/v1/gitops/manifests', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Create manifests for recommendations',
    description:
      'Renders the pending and approved recommendations in `recommendation_ids`, or in the plan step `step_id` of `cluster_id`. Each ID is in a file, or in `skipped` with a code and the remedy. Recommendations for one workload share a file. The archive also contains `plimsoll.md`: commands, checks and skipped IDs. If every ID is skipped, the response is the problem `nothing_rendered` (422). Nothing changes in Plimsoll or in a cluster. The response is deterministic.',
    query: RenderManifestsQuery,
    body: RenderManifestsBody,
    response: { 200: ManifestResult },
    bytes: {
      [archiveMediaType]:
        'With `?archive=tar` or `Accept: application/x-tar+gzip`: the directory to commit, and `plimsoll.md`',
    },
  }),

  groupRecommendations: operation('GET /api/v1/recommendations/groups', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Group recommendations by cluster, namespace, workload, rule or verification',
    description:
      'Groups all recommendations that match the filters. To list the recommendations of a group, use its fields as filters.',
    query: GroupRecommendationsQuery,
    response: { 200: RecommendationGroups },
  }),

  approveRecommendation: operation('POST /api/v1/recommendations/:id/approve', {
    ...move,
    access: 'recommendations:write',
    summary: 'Approve a recommendation',
    description: `Freezes the content: later analyses do not change it. ${repeated}`,
  }),

  rejectRecommendation: operation('POST /api/v1/recommendations/:id/reject', {
    ...move,
    access: 'recommendations:write',
    summary: 'Reject a recommendation',
    description: `The same recommendation does not return for 30 days, unless the workload changes or the savings grow by 50 %. ${repeated}`,
  }),

  applyRecommendation: operation('POST /api/v1/recommendations/:id/apply', {
    ...move,
    access: 'recommendations:apply',
    summary: 'Mark a recommendation as implemented',
    description: `Plimsoll changes nothing in the cluster. Later agent reports verify the change. ${repeated}`,
  }),

  reopenRecommendation: operation('POST /api/v1/recommendations/:id/reopen', {
    ...move,
    access: 'recommendations:write',
    summary: 'Reopen a rejected recommendation',
    description: `Sets the status to pending. ${repeated}`,
  }),

  withdrawRecommendation: operation('POST /api/v1/recommendations/:id/withdraw', {
    ...move,
    access: 'recommendations:write',
    summary: 'Withdraw an approval or the status implemented',
    description:
      'Undoes the last decision; the history records a withdrawal, not a rejection. `approved` becomes `pending`. `implemented` becomes `approved`, only while `verification` is `awaiting`, and requires recommendations:apply. Each call undoes one decision: send If-Match or an Idempotency-Key if the call may be repeated. A repeated call on a pending recommendation changes nothing. From any other status, the call returns 409 with the allowed actions.',
  }),

  snoozeRecommendation: operation('POST /api/v1/recommendations/:id/snooze', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Snooze a pending recommendation',
    params: RecommendationParams,
    headers: IfMatch,
    body: SnoozeBody,
    response: { 200: MovedRecommendation },
  }),

  moveRecommendations: operation('POST /api/v1/recommendations/batch', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Approve, reject or apply several recommendations',
    description:
      'Each recommendation succeeds or fails independently; the results have the order of the IDs. With `atomic`, one failure means that nothing changes (409 with the same fields). A duplicate ID counts once. `apply` also requires the permission recommendations:apply.',
    body: BatchBody,
    response: { 200: BatchResult },
  }),

  previewSavings: operation('POST /api/v1/recommendations/preview', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Preview the savings of several recommendations',
    description:
      'Select recommendations by `ids` (or `recommendation_ids`, a synonym), or by `status` (pending, approved or both) and the other filters of the list. The scheduler simulation applies all of them. `nodes_freed` lists the nodes that only these changes make removable. `blockers` lists what keeps the other affected nodes. `bankable_savings` are the savings of these changes alone; the list shows shares of plan steps. `shares_differ_because` explains the difference. `bankable_savings` is null without scheduling constraints from the agent, and for more than 20 clusters. A role limited to namespaces sees no nodes, and explanations only for its namespaces.',
    body: PreviewBody,
    response: { 200: Preview },
  }),

  listRecommendations: operation('GET /api/v1/recommendations', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'List recommendations',
    description:
      'Highest savings first, in every status unless `status` is set. `totals` counts the matches of the other filters by status. Snoozed recommendations are omitted unless requested.',
    query: ListRecommendationsQuery,
    response: { 200: RecommendationList },
  }),

  getRecommendation: operation('GET /api/v1/recommendations/:id', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Show a recommendation with its evidence',
    params: RecommendationParams,
    query: RecommendationQuery,
    response: { 200: RecommendationDetail, 304: NoContent },
  }),

  getRecommendationHistory: operation('GET /api/v1/recommendations/:id/history', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Show the history of a recommendation',
    params: RecommendationParams,
    response: { 200: RecommendationHistory },
  }),

  listRules: operation('GET /api/v1/rules', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'List the rules',
    response: { 200: RuleList },
  }),

  getSavings: operation('GET /api/v1/savings', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Show estimated, bankable and realized savings',
    description:
      'Savings history by month or day. `estimated` includes open, approved and implemented recommendations; each object counts once. Expired, superseded and rejected recommendations do not count. `verified` is the realized amount in the period, in USD; all other fields are USD per month. `observed` and `verified` value the freed requests at node prices; the bill drops only when nodes are removed.',
    query: SavingsQuery,
    response: { 200: Savings },
  }),

  listWithheld: operation('GET /api/v1/recommendations/withheld', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'List withheld recommendations with the reason and the remedy',
    query: ListWithheldQuery,
    response: { 200: WithheldList },
  }),

  listPolicies: operation('GET /api/v1/policies', {
    access: 'settings:read',
    tag: 'Recommendations',
    summary: 'List recommendation policies',
    description:
      'Settings of a namespace override settings of its cluster, which override the defaults. ' +
      'Without `cluster_id`, lists the policies of all clusters of your role.',
    query: ListPoliciesQuery,
    response: { 200: PolicyList },
  }),

  setPolicy: operation('PUT /api/v1/policies', {
    access: 'settings:write',
    tag: 'Recommendations',
    summary: 'Set the recommendation policy of a cluster or a namespace',
    description: 'Replaces the policy of this scope and starts an analysis with the new policy.',
    headers: IfMatch,
    body: PutPolicyBody,
    response: { 200: Policy },
  }),
}
