import { builtInRoles, permissions, problems, rateLimits } from '@plimsoll/contract'
import { html, type HtmlValue } from './html.ts'
import type { OpenApi, Operation, Parameter } from './openapi.ts'

type Schema = Record<string, unknown>

/** The reference for people: every route with who may call it, what it takes, what it answers and how to try it. */
export function docsPage(api: OpenApi, publicUrl: string): string {
  const operations = listOperations(api)
  const groups = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Other'))]
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Plimsoll API</title>
        <link rel="stylesheet" href="/assets/plimsoll.css" />
      </head>
      <body>
        <header>
          <h1>Plimsoll API</h1>
          <p>${api.info.description}</p>
          <p>Version ${api.info.version} · <a href="/openapi.json">OpenAPI 3.1 document</a></p>
        </header>
        <nav aria-label="Contents">
          <ul>
            <li><a href="#start">Five minutes with curl</a></li>
            ${groups.map((group) => html`<li><a href="#${anchor(group)}">${group}</a></li>`)}
            <li><a href="#roles">Roles and permissions</a></li>
            <li><a href="#conventions">Conventions</a></li>
            <li><a href="#problems">Problems</a></li>
          </ul>
        </nav>
        <main>
          ${quickStart(publicUrl)} ${groups.map((group) => groupSection(api, group, operations, publicUrl))}
          ${roleSection()} ${conventions()} ${problemSection()}
        </main>
      </body>
    </html> `.text
}

type Listed = { method: string; path: string; operation: Operation }

function listOperations(api: OpenApi): Listed[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags !== undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

const anchor = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

function quickStart(publicUrl: string): HtmlValue {
  const commands = `# The address, and a token that is valid for 24 hours
URL=${publicUrl}
TOKEN=$(curl -s $URL/auth/login -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')

# A cluster: the answer holds the agent token, this once
curl -s $URL/api/v1/clusters -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"prod-eu","provider":"aws","region":"eu-central-1"}'

# A viewer: the answer holds a link with which they choose their password
curl -s $URL/api/v1/users -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"email":"grace@example.com","role":"viewer"}'

# An API key for a script, and the script's first call
curl -s $URL/api/v1/api-keys -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"name":"nightly report","scopes":["clusters:read"]}'
curl -s $URL/api/v1/clusters -H 'X-API-Key: plk_…'`
  return html`<section id="start">
    <h2>Five minutes with curl</h2>
    <p>
      No user yet? The server prints a one-time set-up link when it starts on an empty database. Open it, choose an
      e-mail address and a password.
    </p>
    <pre>${commands}</pre>
  </section>`
}

function groupSection(api: OpenApi, group: string, operations: Listed[], publicUrl: string): HtmlValue {
  const mine = operations.filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === group)
  return html`<section id="${anchor(group)}">
    <h2>${group}</h2>
    ${mine.map((each) => operationArticle(api, each, publicUrl))}
  </section>`
}

function operationArticle(api: OpenApi, { method, path, operation }: Listed, publicUrl: string): HtmlValue {
  const body = operation.requestBody?.content['application/json']?.schema
  const answers = Object.entries(operation.responses).filter(([status]) => status !== 'default')
  return html`<article id="${operation.operationId}">
    <h3><code>${method} ${path}</code></h3>
    <p><strong>${operation.summary}.</strong> ${operation.description}</p>
    <p class="access">${accessText(operation['x-access'])}</p>
    ${parameterTable(operation.parameters)}
    ${
      body === undefined
        ? ''
        : html`<h4>Body${operation.requestBody?.required ? '' : ' (optional)'}</h4>
            ${fieldTable(api, body)}`
    }
    ${answers.map(([status, { description, content }]) => {
      const schema = content?.['application/json']?.schema
      return html`<h4>${status} ${description}</h4>
        ${schema === undefined ? '' : fieldTable(api, schema)}`
    })}
    <h4>Try it</h4>
    <pre>${curl(api, method, path, operation, publicUrl)}</pre>
  </article>`
}

function accessText(access: Operation['x-access']): string {
  if (access === 'free') return 'For anyone; not counted against any limit.'
  if (access === 'anonymous') return 'For anyone; counted per address.'
  if (access === 'person') return 'For anyone signed in (not for API keys).'
  return access === 'caller' ? 'For anyone signed in or with an API key.' : `Needs the permission ${access}.`
}

function parameterTable(parameters: Parameter[]): HtmlValue {
  if (parameters.length === 0) return ''
  const row = ({ name, in: place, required, description, schema }: Parameter) =>
    html`<tr>
      <td><code>${name}</code></td>
      <td>${place}${required ? '' : ', optional'}</td>
      <td>${typeText(schema)}</td>
      <td>${description}</td>
    </tr>`
  return html`<table>
    <thead>
      <tr>
        <th>Parameter</th>
        <th>In</th>
        <th>Type</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${parameters.map(row)}
    </tbody>
  </table>`
}

function fieldTable(api: OpenApi, schema: Schema): HtmlValue {
  const { properties = {}, required = [] } = resolve(api, schema) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  const row = ([name, field]: [string, Schema]) => {
    const about = field.description ?? resolve(api, field).description
    const note = typeof about === 'string' ? about : ''
    return html`<tr>
      <td><code>${name}</code>${required.includes(name) ? '' : ' (optional)'}</td>
      <td>${typeText(field)}</td>
      <td>${note}</td>
    </tr>`
  }
  return html`<table>
    <thead>
      <tr>
        <th>Field</th>
        <th>Type</th>
        <th></th>
      </tr>
    </thead>
    <tbody>
      ${Object.entries(properties).map(row)}
    </tbody>
  </table>`
}

function resolve(api: OpenApi, schema: Schema): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined
  return name === undefined ? schema : (api.components.schemas[name] ?? {})
}

function typeText(schema: Schema): string {
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1) ?? ''
  if (Array.isArray(schema.enum)) return schema.enum.length > 12 ? 'string' : schema.enum.join(' | ')
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((each: Schema) => typeText(each)).join(' | ')
  if (schema.type === 'array') return `array of ${typeText((schema.items ?? {}) as Schema)}`
  return typeof schema.format === 'string'
    ? `${String(schema.type)} (${schema.format})`
    : typeof schema.type === 'string'
      ? schema.type
      : 'any'
}

function curl(api: OpenApi, method: string, path: string, operation: Operation, publicUrl: string): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const credential = operation.security.length === 0 ? '' : ' \\\n  -H "Authorization: Bearer $TOKEN"'
  const body = operation.requestBody?.content['application/json']?.schema
  const examples = body === undefined ? undefined : resolve(api, body).examples
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  const data = example === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(example)}'`
  return `curl -s${verb} ${publicUrl}${path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)}${credential}${data}`
}

function roleSection(): HtmlValue {
  const roles = Object.entries(builtInRoles)
  const row = (permission: (typeof permissions)[number]) =>
    html`<tr>
      <td><code>${permission}</code></td>
      ${roles.map(([, held]) => html`<td>${held.includes(permission) ? 'yes' : '–'}</td>`)}
    </tr>`
  return html`<section id="roles">
    <h2>Roles and permissions</h2>
    <p>
      A custom role holds any of these, and can be narrowed to clusters and namespaces. Nobody grants what they lack.
    </p>
    <table>
      <thead>
        <tr>
          <th>Permission</th>
          ${roles.map(([name]) => html`<th>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${permissions.map(row)}
      </tbody>
    </table>
  </section>`
}

function conventions(): HtmlValue {
  const { person, key, agent, address } = rateLimits
  return html`<section id="conventions">
    <h2>Conventions</h2>
    <ul>
      <li>JSON in snake_case; times in RFC 3339, UTC. An unknown body field is 422, an unknown query parameter 400.</li>
      <li>
        Credentials: <code>Authorization: Bearer</code> with a token from log-in, or <code>X-API-Key</code>. Never both,
        never in the address.
      </li>
      <li>
        Limits per minute: ${person} for a user, ${key} for an API key, ${agent} for an agent, ${address} for an address
        without credential. Every answer carries <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and
        <code>X-RateLimit-Reset</code> (epoch seconds); beyond it is 429 with <code>Retry-After</code>.
      </li>
      <li>
        Lists answer with <code>next_cursor</code> and <code>has_more</code>; a cursor is good for 24 hours and for the
        parameters it came with.
      </li>
      <li>
        Single resources carry an <code>ETag</code>: <code>If-None-Match</code> gives 304, <code>If-Match</code> on a
        change gives 412 when somebody edited it meanwhile.
      </li>
      <li>
        <code>Idempotency-Key</code> on a POST under /api/v1: the same request with the same key is done once and
        answered alike for 24 hours, without its secrets.
      </li>
      <li>
        <code>X-Request-Id</code> (1 to 128 of letters, digits, <code>.</code> <code>_</code> <code>-</code>) is taken
        over or made, and returned.
      </li>
    </ul>
  </section>`
}

function problemSection(): HtmlValue {
  const row = ([code, { status, title }]: [string, { status: number; title: string }]) =>
    html`<tr id="problem-${code}">
      <td><code>${code}</code></td>
      <td>${status}</td>
      <td>${title}</td>
    </tr>`
  return html`<section id="problems">
    <h2>Problems</h2>
    <p>
      Every failure is <code>application/problem+json</code> (RFC 9457) with a <code>code</code> for programs and a
      <code>detail</code> for people.
    </p>
    <table>
      <thead>
        <tr>
          <th>Code</th>
          <th>Status</th>
          <th>Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${Object.entries(problems).map(row)}
      </tbody>
    </table>
  </section>`
}
