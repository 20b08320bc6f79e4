import { Type, type Static } from 'typebox'
import {
  Closed,
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

/** Of the answer to `?archive=tar`. */
export const archiveMediaType = 'application/x-tar+gzip'

export const manifestFormats = ['json-patch', 'strategic-merge', 'helm', 'kustomize', 'yaml'] as const
export type ManifestFormatName = (typeof manifestFormats)[number]

const Format = Type.Unsafe<ManifestFormatName>({ type: 'string', enum: [...manifestFormats] })

const ValuesPath = Formed('^[-A-Za-z0-9_./\\\\]+$', 'a path of names and dots, such as web.resources', {
  minLength: 1,
  maxLength: 500,
  description: 'Where `resources` of a container are in the values of its chart; dots inside a name as `\\.`',
  examples: ['web.resources'],
})

const Chart = Formed(`^${visibleCharacter('-')}${visibleText}$`, 'visible text that does not begin with a dash', {
  minLength: 1,
  maxLength: 500,
  description: 'As `helm` takes it; shown in commands, never fetched',
  examples: ['oci://registry.example.com/charts/web'],
})

/** A name in a path, but neither `.` nor `..`, and no option of a command. */
const pathSegment = '(?:[A-Za-z0-9_][-A-Za-z0-9._]*|\\.[-A-Za-z0-9_][-A-Za-z0-9._]*|\\.\\.[-A-Za-z0-9._]+)'

/** Inside the checkout: what holds `plimsoll` itself cannot be built by a part of it. */
const Base = Formed(`^${pathSegment}(?:/${pathSegment})*/?$`, 'a directory such as deploy/production', {
  maxLength: 300,
  description: 'The directory of your kustomization, from where `plimsoll` is to lie',
  examples: ['deploy/production'],
})

export const RenderManifestsBody = Closed(
  {
    recommendation_ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: batchIdsMax,
    }),
    format: Format,
    helm: Type.Optional(
      Closed(
        { values_path: Type.Optional(ValuesPath), chart: Type.Optional(Chart) },
        { description: 'For `helm`: what the workload cannot tell. A path needs recommendations of one container.' },
      ),
    ),
    kustomize: Type.Optional(
      Closed(
        { base: Type.Optional(Base) },
        {
          description:
            'For `kustomize`: with `base` there is an overlay over it for each cluster, to be built instead of your directory; without, components to add to your kustomization.',
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
    ],
  },
)

export const RenderManifestsQuery = Closed({
  archive: Type.Optional(
    Type.Unsafe<'tar'>({
      type: 'string',
      enum: ['tar'],
      description: 'Answer with the directory as it should lie in Git, as does `Accept: application/x-tar+gzip`',
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
        namespace: Type.String({ description: 'Empty for what belongs to no namespace' }),
        name: Type.String(),
      }),
      'Null for a file that is about several objects',
    ),
    recommendation_ids: Ids,
    path_source: Nullable(
      Type.Unsafe<'verified' | 'declared' | 'guessed' | 'none'>({
        type: 'string',
        enum: ['verified', 'declared', 'guessed', 'none'],
      }),
      'How the place in the values of a Helm chart was found; null for other formats',
    ),
  },
  { title: 'ManifestFile' },
)

const step = {
  tool: Type.String({ examples: ['kubectl', 'kubectl-local', 'kustomize', 'helm', 'argocd', 'flux'] }),
  cluster_id: Type.String(),
  description: Type.String(),
  command: Type.String({ description: 'To be run where the directory `plimsoll` lies' }),
}

export const ManifestResult = Type.Object(
  {
    format: Format,
    manifest: Type.String({ description: 'All files as one text' }),
    files: Type.Array(ManifestFile, { description: 'By cluster, namespace, kind and name' }),
    apply: Type.Array(
      Type.Object({ ...step, lines: Nullable(Type.String(), 'YAML to add to an object of Argo CD or Flux') }),
    ),
    verify: Type.Array(
      Type.Object({
        ...step,
        expect: Type.String({ description: 'What the command prints when the change is there' }),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        recommendation_id: Type.String(),
        code: Type.String({ description: 'For programs', examples: ['owned_by_operator'] }),
        message: Type.String({ description: 'Why, and what to do instead' }),
        alternative_format: Nullable(Format),
      }),
      { description: 'Each id is either here or in a file' },
    ),
    warnings: Type.Array(
      Type.Object(
        { code: Type.String(), message: Type.String(), recommendation_ids: Ids },
        { description: 'Read before committing' },
      ),
    ),
    pull_request: Nullable(
      Type.Object({ title: Type.String(), body: Type.String({ description: 'Markdown' }), branch: Type.String() }),
      'For `gh pr create --title … --body-file …` and `glab mr create`; null where every id was skipped',
    ),
  },
  { title: 'ManifestResult' },
)

const ObjectName = Formed(
  '^[A-Za-z0-9]([-A-Za-z0-9._:]{0,251}[A-Za-z0-9])?$',
  'a name of Kubernetes: 1 to 253 letters, digits, -, . and _',
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
    values_path: Nullable(ValuesPath, 'Null takes it back'),
    chart: Type.Optional(Chart),
    rendered: Type.Optional(
      Type.String({
        maxLength: 200_000,
        description:
          'The proof: what the command in `proof` prints. Exactly the CPU request of the named container must be the sentinel of this path. At most 50,000 keys and values, 100 levels and 100 aliases; no key twice in one map.',
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
          description: 'A CPU request that stands for this path and no other',
          examples: ['512044871m'],
        }),
        command: Type.String({
          description:
            'Set RELEASE, CHART if it is not named, and VALUES to your own values if you have some; send what it prints as `rendered`. It pins the version of the chart that the workload’s label `helm.sh/chart` tells; where that is a part of your chart, take the version of yours',
        }),
      }),
      'How to prove the path; null where there is none',
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
