import { BatchReader, type Batch } from '@plimsoll/contract'

/** Maps with user-defined keys, such as container names, which are not fields. */
const freeKeys = new Set(['objects.workload.containers'])
/** Lists of names whose values are compared too. */
const comparedValues = '.request_managers'

/**
 * The fields of a batch, as paths such as `nodes.labels.agentpool` or `objects.quota.hard.cpu_request`. A field without
 * a value (empty text, 0, an empty list) is omitted.
 */
export function fieldsOf(batch: Batch): Set<string> {
  const reader = new BatchReader(batch)
  const fields = new Set<string>()
  const add = (path: string, value: unknown): void => {
    if (value === undefined || value === null || value === '' || value === 0 || value === false) return
    if (Array.isArray(value)) {
      for (const each of value) add(path, each)
    } else if (typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) add(`${path}.${freeKeys.has(path) ? '*' : key}`, each)
    } else fields.add(path.endsWith(comparedValues) ? `${path}=${JSON.stringify(value)}` : path)
  }
  add('agent', batch.agent)
  add('namespaces', reader.namespaces())
  add('nodes', reader.nodes())
  add('pods', reader.pods())
  add('volumes', reader.volumes())
  add('balancers', reader.balancers())
  for (const { kind, spec } of reader.objects()) add(`objects.${kind}`, spec)
  if (reader.rejectedRecords > 0) throw new Error(`records are refused: ${JSON.stringify(reader.rejections)}`)
  return fields
}
