import { commandsOf, type RecommendationCommands } from './commands/commands-of-recommendations.ts'
import { nodeRemovals, type NodeRemoval, type RemovablePool } from './commands/node-removals.ts'
import { contextWarnings } from './cluster-contexts.ts'
import type { RenderOptions } from './format-type.ts'
import { FORMATS } from './format-list.ts'
import type { ManifestFile } from './manifest-file.ts'
import { planPatches, type WantedChange } from './plan-patches.ts'
import { writePullRequest, type PullRequest, type ReviewFacts } from './pull-request.ts'
import type { Skip, Warning } from './skips.ts'
import { verifyStepsOf } from './verify-commands.ts'
import { indexWritten, type ApplyStep, type VerifyStep, type Written } from './written-index.ts'
import type { ManifestFormat } from '../vocabulary/manifest-formats.ts'

export type ManifestRequest = RenderOptions & {
  readonly format: ManifestFormat
  readonly wanted: readonly WantedChange[]
  readonly facts: readonly ReviewFacts[]
  /** Skipped before, such as recommendations that do not exist. */
  readonly skipped: readonly Skip[]
  readonly chartOf: Written['chartOf']
  /** The nodes that the changes make removable; all of one cluster. */
  readonly removable?: readonly RemovablePool[]
}

export type RenderedManifests = {
  readonly files: readonly ManifestFile[]
  readonly apply: readonly ApplyStep[]
  readonly verify: readonly VerifyStep[]
  readonly skipped: readonly Skip[]
  /** Steps for recommendations without a file. */
  readonly commands: readonly RecommendationCommands[]
  /** Steps to run after the rollout. */
  readonly nodeRemovals: readonly NodeRemoval[]
  readonly warnings: readonly Warning[]
  /** Null: nothing changes, so there is nothing to review. */
  readonly pullRequest: PullRequest | null
}

/** Renders some recommendations in one format. The same request gives the same value. */
export function renderManifests(request: ManifestRequest): RenderedManifests {
  const { chartOf, namesakes } = request
  const format = FORMATS[request.format]
  const plan = planPatches(request.wanted, format)
  const { files, patches, refused, warnings } = format.render(plan.patches, request)
  const skipped = [...request.skipped, ...plan.skipped, ...refused].sort((a, b) =>
    a.recommendationId < b.recommendationId ? -1 : 1,
  )
  const written = indexWritten({ patches, files, chartOf, namesakes })
  const kept = new Set(patches.flatMap(({ recommendationIds }) => recommendationIds))
  const notices = [
    ...plan.warnings.filter(({ recommendationIds }) => recommendationIds.some((id) => kept.has(id))),
    ...warnings,
    ...format.warn(written, request),
  ]
  return {
    files,
    apply: format.apply(written),
    verify: verifyStepsOf(written, format),
    skipped,
    commands: commandsOf(request.wanted, kept),
    nodeRemovals: nodeRemovals(request.removable ?? []),
    warnings: [...notices, ...contextWarnings(patches)],
    // Setup steps of one reader are not part of the pull request.
    pullRequest:
      patches.length === 0 ? null : writePullRequest(format.id, patches, request.facts, { skipped, warnings: notices }),
  }
}
