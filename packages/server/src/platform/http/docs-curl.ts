import { resolve, type Schema } from './docs-shapes.ts'
import type { OpenApi, Operation, Parameter } from './openapi.ts'

/** A call to copy into a shell: it has all required parts, and choices are variables. */
export function curlOf(
  api: OpenApi,
  { method, path, operation, publicUrl }: { method: string; path: string; operation: Operation; publicUrl: string },
): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const lines = [
    `curl -s${verb} ${address(publicUrl, path, operation)}`,
    ...credentialOf(operation),
    ...requiredOf(operation, 'header').map((parameter) => `-H "${parameter.name}: ${valueOf(parameter)}"`),
    ...bodyOf(api, operation),
  ]
  return lines.join(' \\\n  ')
}

function address(publicUrl: string, path: string, operation: Operation): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => variable(name))
  const query = requiredOf(operation, 'query').map((parameter) => `${parameter.name}=${valueOf(parameter)}`)
  return query.length === 0 ? `${publicUrl}${filled}` : `"${publicUrl}${filled}?${query.join('&')}"`
}

const requiredOf = ({ parameters }: Operation, place: 'query' | 'header') =>
  parameters.filter((parameter) => parameter.required && parameter.in === place)

const variable = (name: string) => `$${name.toUpperCase()}`

/** Computed values cannot be shown literally. */
const computed: Record<string, string> = {
  'Content-Digest': 'sha-256=:$(openssl dgst -sha256 -binary batch.json.gz | base64):',
}

function valueOf({ name, schema }: Parameter): string {
  if (name.endsWith('_id')) return variable(name)
  const { examples, enum: choices, const: only } = schema as { examples?: string[]; enum?: string[]; const?: string }
  return computed[name] ?? examples?.[0] ?? only ?? choices?.[0] ?? variable(name)
}

/** A file with the header: every process of a machine can read the arguments of a command. */
function credentialOf({ security }: Operation): string[] {
  if (security.length === 0) return []
  return [security.some((each) => 'agent_token' in each) ? '-H @$AGENT_AUTH' : '-H @$AUTH']
}

function bodyOf(api: OpenApi, { requestBody }: Operation): string[] {
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (mediaType === undefined || content === undefined) return []
  const schema: Schema = resolve(api, content.schema)
  const file = schema['x-file']
  if (typeof file === 'string') return [`-H 'Content-Type: ${mediaType}' --data-binary @${file}`]
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined
  return example === undefined ? [] : [`-H 'Content-Type: ${mediaType}' -d ${quotedForShell(JSON.stringify(example))}`]
}

const quotedForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
