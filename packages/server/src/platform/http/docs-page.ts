import { rateLimits } from '@plimsoll/contract'
import { curlOf } from './docs-curl.ts'
import { auditSection, conventions, problemSection, roleSection } from './docs-access.ts'
import { fieldTable, parameterTable, prose, shapeSection, typeText } from './docs-shapes.ts'
import { html, type HtmlValue } from './html.ts'
import type { OpenApi, Operation } from './openapi.ts'

/** The API reference: every route with its permission, parameters, responses and an example. */
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
        <link rel="icon" href="/assets/favicon.svg" />
      </head>
      <body>
        <header>
          <h1>Plimsoll API</h1>
          <p>${prose(api.info.description)}</p>
          <p>Version ${api.info.version} · <a href="/openapi.json">OpenAPI 3.1 document</a></p>
        </header>
        <nav aria-label="Contents">
          <ul>
            <li><a href="#start">Quick start with curl</a></li>
            ${groups.map((group) => html`<li><a href="#${anchor(group)}">${group}</a></li>`)}
            <li><a href="#permissions">Roles and permissions</a></li>
            <li><a href="#conventions">Conventions and limits</a></li>
            <li><a href="#shapes">Schemas</a></li>
            <li><a href="#audit-actions">Audit actions</a></li>
            <li><a href="#problems">Problems</a></li>
          </ul>
        </nav>
        <main>
          ${quickStart(publicUrl)} ${groups.map((group) => groupSection(api, group, operations, publicUrl))}
          ${roleSection()} ${conventions()} ${shapeSection(api)} ${auditSection()} ${problemSection()}
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
  const commands = `# The URL of the server, and a file with a token, valid for 24 hours. curl reads the header from the file,
# because other processes can read command-line arguments.
URL=${publicUrl}
AUTH=$(mktemp)
curl -s $URL/auth/login -H 'Content-Type: application/json' -d @- <<'JSON' |
{"email":"you@example.com","password":"your password"}
JSON
  sed -n 's/.*"token":"\\([^"]*\\)".*/Authorization: Bearer \\1/p' > $AUTH

# Connect a cluster: the response shows the agent token once
curl -s $URL/api/v1/clusters -H @$AUTH -H 'Content-Type: application/json' \\
  -d '{"name":"prod-eu","provider":"aws","region":"eu-central-1"}'

# Create a viewer: the response has a link to set a password
curl -s $URL/api/v1/users -H @$AUTH -H 'Content-Type: application/json' \\
  -d '{"email":"grace@example.com","role":"viewer"}'

# Create an API token for a script (the API calls it an API key), and use it
curl -s $URL/api/v1/api-keys -H @$AUTH -H 'Content-Type: application/json' \\
  -d '{"name":"nightly report","scopes":["clusters:read"]}'
KEY=$(mktemp) && printf 'X-API-Key: %s' 'plk_…' > $KEY
curl -s $URL/api/v1/clusters -H @$KEY`
  return html`<section id="start">
    <h2>Quick start with curl</h2>
    <p>
      If no user exists yet, the server prints a one-time set-up link at start. Open the link, and choose an e-mail
      address and a password.
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
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const body = content?.schema
  const answers = Object.entries(operation.responses).filter(([status]) => status !== 'default')
  return html`<article id="${operation.operationId}">
    <h3><code>${method} ${path}</code></h3>
    <p><strong>${operation.summary}.</strong> ${prose(operation.description ?? '')}</p>
    <p class="access">${accessText(operation['x-access'])}</p>
    ${parameterTable(operation.parameters)}
    ${
      body === undefined
        ? ''
        : html`<h4>Body${operation.requestBody?.required ? '' : ' (optional)'}</h4>
            <p>${mediaType}, at most ${operation.requestBody?.['x-max-bytes'].toLocaleString('en')} bytes</p>
            ${fieldTable(api, body)}`
    }
    ${answers.map((answer) => answerSection(api, answer))}
    <h4>Try it</h4>
    <pre>${curlOf(api, { method, path, operation, publicUrl })}</pre>
  </article>`
}

function answerSection(
  api: OpenApi,
  [status, { description, content = {} }]: [string, Operation['responses'][string]],
): HtmlValue {
  const { 'application/json': json, ...others } = content
  const schema = json?.schema
  return html`<h4>${status} ${prose(description)}</h4>
    ${schema === undefined ? '' : '$ref' in schema ? html`<p>${typeText(schema)}</p>` : fieldTable(api, schema)}
    ${Object.entries(others).map(([mediaType, { schema: bytes }]) => otherAnswer(mediaType, bytes.description))}`
}

const otherAnswer = (mediaType: string, description: unknown) =>
  html`<p>Or <code>${mediaType}</code>: ${prose(typeof description === 'string' ? description : '')}</p>`

function accessText(access: Operation['x-access']): string {
  if (access === 'probe') return 'Public. There is no rate limit.'
  if (access === 'free')
    return `Public. The limit is ${rateLimits.page.toLocaleString('en')} requests a minute per IP address.`
  if (access === 'anonymous') return 'Public. The rate limit applies per IP address.'
  if (access === 'person') return 'Requires a signed-in user (no API keys).'
  return access === 'caller' ? 'Requires a signed-in user or an API key.' : `Requires the permission ${access}.`
}
