import { MANIFEST_FORMATS, type ManifestFormat } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import {
  Closed,
  ClusterId,
  Formed,
  ItemEtag,
  NamespaceName,
  Nullable,
  pageFields,
  pageQuery,
  Timestamp,
  visibleCharacter,
  visibleText,
} from './common.ts'
import { batchIdsMax } from './recommendation-moves.ts'

/** The media type of the response to `?archive=tar`. */
export const archiveMediaType = 'application/x-tar+gzip'

const Format = Type.Unsafe<ManifestFormat>({ type: 'string', enum: [...MANIFEST_FORMATS] })

const ValuesPath = Formed('^[-A-Za-z0-9_./\\\\]+$', 'a path of names and dots, such as web.resources', {
  minLength: 1,
  maxLength: 500,
  description: 'Path of the container `resources` in the values of the chart; write a dot inside a name as `\\.`',
  examples: ['web.resources'],
})

const Chart = Formed(`^${visibleCharacter('-')}${visibleText}$`, 'visible text that does not begin with a dash', {
  minLength: 1,
  maxLength: 500,
  description: 'Chart argument for `helm`; used in commands, never fetched',
  examples: ['oci://registry.example.com/charts/web'],
})

/** A name in a path; not `.` or `..`, and not a command-line option. */
const pathSegment = '(?:[A-Za-z0-9_][-A-Za-z0-9._]*|\\.[-A-Za-z0-9_][-A-Za-z0-9._]*|\\.\\.[-A-Za-z0-9._]+)'

/**
 * Relative to the parent directory of `plimsoll`, and never that directory itself: a kustomization cannot include its
 * parent.
 */
const Base = Formed(`^${pathSegment}(?:/${pathSegment})*/?$`, 'a directory such as deploy/production', {
  maxLength: 300,
  description: 'Directory of your kustomization, relative to the directory that contains `plimsoll`',
  examples: ['deploy/production'],
})

export const RenderManifestsBody = Closed(
  {
    recommendation_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: batchIdsMax,
        description: 'Required without `step_id`',
      }),
    ),
    cluster_id: Type.Optional(ClusterId('The cluster of `step_id`')),
    step_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Instead of `recommendation_ids`: all open recommendations of a step of the plan, at most 500',
        examples: ['stp_01k3v7m9q2x4t6b8n0d2f4h6j8'],
      }),
    ),
    format: Format,
    helm: Type.Optional(
      Closed(
        { values_path: Type.Optional(ValuesPath), chart: Type.Optional(Chart) },
        {
          description:
            'For `helm`: values that Plimsoll cannot detect from the workload. A path requires recommendations for one container.',
        },
      ),
    ),
    kustomize: Type.Optional(
      Closed(
        { base: Type.Optional(Base) },
        {
          description:
            'For `kustomize`: with `base`, each cluster gets an overlay over `base`, which you build instead of `base`. Without `base`, you get components to add to your kustomization.',
        },
      ),
    ),
  },
  {
    title: 'RenderManifestsBody',
    examples: [
      {
        recommendation_ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'],
        format: 'strategic-merge',
      },
      {
        cluster_id: 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8',
        step_id: 'stp_01k3v7m9q2x4t6b8n0d2f4h6j8',
        format: 'kustomize',
      },
    ],
  },
)

export const RenderManifestsQuery = Closed({
  archive: Type.Optional(
    Type.Unsafe<'tar'>({
      type: 'string',
      enum: ['tar'],
      description: 'Return the directory to commit as an archive, like `Accept: application/x-tar+gzip`',
    }),
  ),
})

const Ids = Type.Array(Type.String())

const ManifestFile = Type.Object(
  {
    path: Type.String({ examples: ['plimsoll/prod-eu/shop/deployment-web.patch.yaml'] }),
    media_type: Type.String(),
    content: Type.String(),
    target: Nullable(
      Type.Object({
        cluster_id: Type.String(),
        api_version: Type.String(),
        kind: Type.String(),
        namespace: Type.String({ description: 'Empty for cluster-scoped objects' }),
        name: Type.String(),
      }),
      'Null for a file with several objects',
    ),
    recommendation_ids: Ids,
    path_source: Nullable(
      Type.Unsafe<'verified' | 'declared' | 'guessed' | 'assumed' | 'none'>({
        type: 'string',
        enum: ['verified', 'declared', 'guessed', 'assumed', 'none'],
      }),
      'How the values path of the Helm chart was found; null for other formats',
    ),
  },
  { title: 'ManifestFile' },
)

const step = {
  tool: Type.String({ examples: ['kubectl', 'kubectl-local', 'kustomize', 'helm', 'git', 'argocd', 'flux'] }),
  cluster_id: Type.String(),
  description: Type.String(),
  command: Type.String({ description: 'Run in the directory that contains `plimsoll`' }),
}

const CommandSteps = Type.Array(
  Type.Object({
    title: Type.String(),
    commands: Type.Array(Type.String(), {
      description:
        'For a POSIX shell, in this order. `CONTEXT` is your kubectl context of the cluster; a command stops if a variable is not set',
    }),
    note: Type.String({ description: 'What to check or set, and what else to change; can be empty' }),
  }),
)

const RecommendationCommands = Type.Object(
  { recommendation_id: Type.String(), cluster_id: Type.String(), steps: CommandSteps },
  { title: 'RecommendationCommands' },
)

const NodeRemoval = Type.Object(
  {
    cluster_id: Type.String(),
    pool: Type.String({ description: 'Node pool; empty if the nodes have no pool' }),
    nodes: Type.Array(Type.String()),
    steps: CommandSteps,
  },
  { title: 'NodeRemoval' },
)

export const ManifestResult = Type.Object(
  {
    format: Format,
    manifest: Type.String({ description: 'All files as one text' }),
    files: Type.Array(ManifestFile, { description: 'By cluster, namespace, kind and name' }),
    apply: Type.Array(
      Type.Object({ ...step, lines: Nullable(Type.String(), 'YAML to add to an Argo CD or Flux object') }),
    ),
    verify: Type.Array(
      Type.Object({
        ...step,
        expect: Type.String({ description: 'Output of the command if the change is in place' }),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        recommendation_id: Type.String(),
        code: Type.String({ description: 'Machine-readable code', examples: ['owned_by_operator'] }),
        message: Type.String({ description: 'Reason and remedy, for display' }),
        alternative_format: Nullable(Format),
      }),
      { description: 'Each ID is either here or in a file' },
    ),
    commands: Type.Array(RecommendationCommands, {
      description: 'Commands for recommendations that have no manifest',
    }),
    node_removals: Type.Array(NodeRemoval, {
      description:
        'With `step_id` of a `free` step: commands that remove its nodes, by pool. Run them after the changes are rolled out. Empty for a role limited to namespaces',
    }),
    warnings: Type.Array(
      Type.Object(
        { code: Type.String(), message: Type.String(), recommendation_ids: Ids },
        { description: 'Read before committing' },
      ),
    ),
    pull_request: Nullable(
      Type.Object({ title: Type.String(), body: Type.String({ description: 'Markdown' }), branch: Type.String() }),
      'For `gh pr create --title … --body-file …` and `glab mr create`; null if every ID was skipped',
    ),
  },
  { title: 'ManifestResult' },
)

const ObjectName = Formed(
  '^[A-Za-z0-9]([-A-Za-z0-9._:]{0,251}[A-Za-z0-9])?$',
  'a Kubernetes name: 1 to 253 letters, digits, -, . and _',
)

const workload = {
  cluster_id: Type.String({ minLength: 1, maxLength: 100 }),
  namespace: NamespaceName,
  kind: Formed('^[A-Za-z][A-Za-z0-9]{0,62}$', 'a kind such as Deployment', { examples: ['Deployment'] }),
  name: ObjectName,
}

export const PutHelmPathBody = Closed(
  {
    ...workload,
    container: ObjectName,
    values_path: Nullable(ValuesPath, 'Null removes the stored path'),
    chart: Type.Optional(Chart),
    rendered: Type.Optional(
      Type.String({
        maxLength: 200_000,
        description:
          'Output of the command in `proof`. Only the CPU request of the named container may equal the sentinel of this path. At most 50,000 keys and values, 100 levels and 100 aliases; no duplicate key in a map.',
      }),
    ),
  },
  {
    title: 'PutHelmPathBody',
    examples: [
      {
        cluster_id: 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8',
        namespace: 'shop',
        kind: 'Deployment',
        name: 'web',
        container: 'app',
        values_path: 'web.resources',
      },
    ],
  },
)

export const HelmPath = Type.Object(
  {
    ...workload,
    container: Type.String(),
    values_path: Nullable(Type.String()),
    chart: Nullable(Type.String()),
    path_source: Type.Unsafe<'verified' | 'declared' | 'none'>({
      type: 'string',
      enum: ['verified', 'declared', 'none'],
    }),
    proof: Nullable(
      Type.Object({
        sentinel: Type.String({
          description: 'CPU request that is unique to this path',
          examples: ['512044871m'],
        }),
        command: Type.String({
          description:
            'Set RELEASE, CHART unless named, and VALUES to your own values files, if any. Send the output as `rendered`. The command pins the chart version from the label `helm.sh/chart` of the workload; for a subchart, use the version of your chart',
        }),
      }),
      'How to verify the path; null without a path',
    ),
    updated_at: Timestamp,
    etag: ItemEtag,
  },
  { title: 'HelmPath' },
)

const helmPathPageSize = { max: 500, default: 100 }

export const ListHelmPathsQuery = Closed({
  cluster_id: Type.String({ minLength: 1, maxLength: 100 }),
  ...pageQuery(helmPathPageSize.max, helmPathPageSize.default),
})

export const HelmPathList = Type.Object(
  { helm_paths: Type.Array(HelmPath, { description: 'By namespace, kind, name and container' }), ...pageFields },
  { title: 'HelmPathList' },
)

export type ManifestResult = Static<typeof ManifestResult>
export type HelmPath = Static<typeof HelmPath>
export type HelmPathList = Static<typeof HelmPathList>
