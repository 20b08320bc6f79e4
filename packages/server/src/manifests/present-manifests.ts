import type { ManifestResult } from '@plimsoll/contract'
import type { ManifestFormat } from '@plimsoll/engine/vocabulary'
import type { ManifestFile, RenderedManifests } from '@plimsoll/engine/manifests'
import { writeStream, writeText, writeYaml } from './write-text.ts'

export function presentManifests(format: ManifestFormat, rendered: RenderedManifests): ManifestResult {
  const files = rendered.files.map(presentFile)
  return {
    format,
    manifest: writeStream(files),
    files,
    apply: rendered.apply.map(({ tool, clusterId, description, command, lines }) => ({
      tool,
      cluster_id: clusterId,
      description,
      command,
      lines: lines === null ? null : writeYaml(lines),
    })),
    verify: rendered.verify.map(({ tool, clusterId, description, command, expect }) => ({
      tool,
      cluster_id: clusterId,
      description,
      command,
      expect,
    })),
    skipped: rendered.skipped.map(({ recommendationId, code, message, alternativeFormat }) => ({
      recommendation_id: recommendationId,
      code,
      message,
      alternative_format: alternativeFormat,
    })),
    commands: rendered.commands.map(({ recommendationId, clusterId, steps }) => ({
      recommendation_id: recommendationId,
      cluster_id: clusterId,
      steps: steps.map(presentStep),
    })),
    node_removals: rendered.nodeRemovals.map(({ clusterId, pool, nodes, steps }) => ({
      cluster_id: clusterId,
      pool,
      nodes: [...nodes],
      steps: steps.map(presentStep),
    })),
    warnings: rendered.warnings.map(({ code, message, recommendationIds }) => ({
      code,
      message,
      recommendation_ids: [...recommendationIds],
    })),
    pull_request: rendered.pullRequest,
  }
}

type CommandStep = ManifestResult['commands'][number]['steps'][number]

const presentStep = ({
  title,
  commands,
  note,
}: RenderedManifests['commands'][number]['steps'][number]): CommandStep => ({
  title,
  commands: [...commands],
  note,
})

const presentFile = (file: ManifestFile): ManifestResult['files'][number] => ({
  path: file.path,
  media_type: file.mediaType,
  content: writeText(file),
  target: file.target && {
    cluster_id: file.target.clusterId,
    api_version: file.target.apiVersion,
    kind: file.target.kind,
    namespace: file.target.namespace,
    name: file.target.name,
  },
  recommendation_ids: [...file.recommendationIds],
  path_source: file.pathSource ?? null,
})
