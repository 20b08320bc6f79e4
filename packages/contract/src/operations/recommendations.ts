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

const repeated = 'Repeating it changes nothing; any other state is a conflict, which says what is allowed.'

export const recommendationOperations = {
  listHelmPaths: operation('GET /api/v1/gitops/helm-paths', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Where workloads have their resources in the values of their Helm charts',
    query: ListHelmPathsQuery,
    response: { 200: HelmPathList },
  }),

  setHelmPath: operation('PUT /api/v1/gitops/helm-paths', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Say where a workload has its resources in the values of its Helm chart',
    description:
      'Manifests in the format `helm` then use it. Without `rendered` the path counts as declared, and the answer says what to run for the proof; with it, the path is proved and counts as verified while the workload comes from the same version of the chart. A rendering that disproves a stored path removes the path. The cluster must have shown the workload and its container.',
    headers: IfMatch,
    body: PutHelmPathBody,
    response: { 200: HelmPath },
  }),

  renderManifests: operation('POST /api/v1/gitops/manifests', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Turn recommendations into files that can be committed',
    description:
      'Pending and approved ones. Each id ends in a file or in `skipped`, with a code and what to do instead; several of one workload become one file. As an archive the directory comes with `plimsoll.md`, which holds the commands, the checks and what was skipped; where all were skipped the answer is `nothing_rendered`. Nothing is changed, here or in a cluster. The same request gives the same bytes.',
    query: RenderManifestsQuery,
    body: RenderManifestsBody,
    response: { 200: ManifestResult },
    bytes: {
      [archiveMediaType]:
        'With `?archive=tar` or `Accept: application/x-tar+gzip`: the directory as it should lie in Git, and `plimsoll.md`',
    },
  }),

  groupRecommendations: operation('GET /api/v1/recommendations/groups', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Sum up recommendations by cluster, namespace, workload, rule or verification',
    description: 'Of all that match the filters. What a group holds is listed with its own names as filters.',
    query: GroupRecommendationsQuery,
    response: { 200: RecommendationGroups },
  }),

  approveRecommendation: operation('POST /api/v1/recommendations/:id/approve', {
    ...move,
    access: 'recommendations:write',
    summary: 'Approve a recommendation',
    description: `From then on its content stays as it is, whatever later analyses say. ${repeated}`,
  }),

  rejectRecommendation: operation('POST /api/v1/recommendations/:id/reject', {
    ...move,
    access: 'recommendations:write',
    summary: 'Reject a recommendation',
    description: `The same advice is not given again for 30 days, unless the workload changes or the saving grows by half. ${repeated}`,
  }),

  applyRecommendation: operation('POST /api/v1/recommendations/:id/apply', {
    ...move,
    access: 'recommendations:apply',
    summary: 'Mark a recommendation as implemented',
    description: `Nothing is written to the cluster. What the agent sees from then on verifies it. ${repeated}`,
  }),

  reopenRecommendation: operation('POST /api/v1/recommendations/:id/reopen', {
    ...move,
    access: 'recommendations:write',
    summary: 'Take back a rejection',
    description: `It is pending again. ${repeated}`,
  }),

  snoozeRecommendation: operation('POST /api/v1/recommendations/:id/snooze', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Hide a pending recommendation for a while',
    params: RecommendationParams,
    headers: IfMatch,
    body: SnoozeBody,
    response: { 200: MovedRecommendation },
  }),

  moveRecommendations: operation('POST /api/v1/recommendations/batch', {
    access: 'recommendations:write',
    tag: 'Recommendations',
    summary: 'Approve, reject or apply many',
    description:
      'Each is done or not by itself, and answered in the order of the ids; with `atomic`, one that cannot be done leaves all as they were (409 with the same members). An id that comes twice is done once. `apply` also needs the permission recommendations:apply.',
    body: BatchBody,
    response: { 200: BatchResult },
  }),

  previewSavings: operation('POST /api/v1/recommendations/preview', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'What several recommendations would save together',
    description:
      'Of those that are named by `ids` (or `recommendation_ids`, which means the same), or of all that match `status` (pending, approved or both) and the other filters of the list. The scheduler is run again with all of them: `nodes_freed` are the nodes that go beyond those that could go anyway, `blockers` what keeps the other nodes that run what would be changed. What can be banked here is what these free alone: `bankable_savings` of a row in the list is its share when all open advice is followed, and `shares_differ_because` says why the two are not the same. `bankable_savings` is null where the agent does not tell what pods demand of nodes, and for more than 20 clusters at once. `estimated_savings` is the sum, as in the totals of the list. A role that is narrowed to namespaces sees no nodes, `unattributed_savings` is null for it, and `shares_differ_because` counts the other advice of its namespaces only: where there is none it is null.',
    body: PreviewBody,
    response: { 200: Preview },
  }),

  listRecommendations: operation('GET /api/v1/recommendations', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'List recommendations',
    description:
      'Those that save most first, of every status unless `status` names some. `totals` counts what matches the other filters, by status. Snoozed ones are left out unless asked for.',
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
    summary: 'Who moved a recommendation, when and why',
    params: RecommendationParams,
    response: { 200: RecommendationHistory },
  }),

  listRules: operation('GET /api/v1/rules', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'Every rule that makes recommendations',
    response: { 200: RuleList },
  }),

  getSavings: operation('GET /api/v1/savings', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'What recommendations promised, and what was observed to be saved',
    description:
      'From advice to money, by the month or day in which it came that far. `estimated` counts what is open, approved or done, each thing once: advice that expired, was replaced or rejected is not in it, nor a second time what was undone and is found again; `left_out` is what the open, approved and done ones come to beyond it. `bankable` and the two like it say what of each leaves the bill with whole nodes. `observed` is what is seen in the clusters now of what was done, and `verified` what that came to in those months: dollars, while all others are dollars a month. Both are at the prices of what is asked for less; the bill falls with the nodes that go.',
    query: SavingsQuery,
    response: { 200: Savings },
  }),

  listWithheld: operation('GET /api/v1/recommendations/withheld', {
    access: 'recommendations:read',
    tag: 'Recommendations',
    summary: 'What no advice is given about, why, and what would change that',
    query: ListWithheldQuery,
    response: { 200: WithheldList },
  }),

  listPolicies: operation('GET /api/v1/policies', {
    access: 'settings:read',
    tag: 'Recommendations',
    summary: 'How careful recommendations have to be',
    description:
      'The settings of a namespace take precedence over those of its cluster, and those over the defaults. ' +
      'Without `cluster_id`, lists the policies of all clusters that your role sees.',
    query: ListPoliciesQuery,
    response: { 200: PolicyList },
  }),

  setPolicy: operation('PUT /api/v1/policies', {
    access: 'settings:write',
    tag: 'Recommendations',
    summary: 'Set how careful recommendations have to be in a cluster or a namespace',
    description: 'Replaces what was set there. The next analysis follows it; it is started at once.',
    headers: IfMatch,
    body: PutPolicyBody,
    response: { 200: Policy },
  }),
}
