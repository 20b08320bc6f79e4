import {
  agentPermissions,
  auditActions,
  bodyBytesMax,
  builtInRoles,
  jsonDepthMax,
  jsonKeysMax,
  permissions,
  problems,
  rateLimits,
  type Permission,
} from '@plimsoll/contract'
import { html, type HtmlValue } from './html.ts'

export function roleSection(): HtmlValue {
  const roles = Object.entries({ ...builtInRoles, agent: agentPermissions })
  const row = (permission: Permission) =>
    html`<tr>
      <td><code>${permission}</code></td>
      ${roles.map(([, held]) => html`<td>${held.includes(permission) ? 'yes' : '–'}</td>`)}
    </tr>`
  return html`<section id="permissions">
    <h2>Roles and permissions</h2>
    <p>
      A custom role can have every permission except <code>metrics:submit</code>, which only agent tokens have. No
      permission implies another. You can grant only permissions that you have.
    </p>
    <table class="matrix" tabindex="0">
      <thead>
        <tr>
          <th>Permission</th>
          ${roles.map(([name]) => html`<th>${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${[...permissions, ...agentPermissions].map(row)}
      </tbody>
    </table>
    <h3 id="narrowing">Limited roles</h3>
    <p>
      A custom role can be limited to a part of the fleet: <code>clusters</code> lists cluster IDs (<code>cls_…</code>,
      not names), and <code>namespaces</code> lists namespaces in these clusters. <code>null</code> or an omitted field
      means all; an empty list means none.
    </p>
    <ul>
      <li>Clusters outside the role return 404 and are in no list or total.</li>
      <li>
        A role limited to namespaces sees the rows of its namespaces. Operations on the whole cluster (summary, idle
        cost, nodes, sync, changes, agent tokens) return 403 <code>role_narrowed</code>. The role sees the list of
        clusters and their status, with <code>null</code> for counts and cost.
      </li>
      <li>
        Fleet-wide operations (new clusters, users, roles, signing keys, the audit log, API keys of other users) return
        403 <code>role_narrowed</code> for every limited role. Every user manages their own API keys.
      </li>
      <li>Deleting a cluster removes it from all roles. A role without remaining clusters sees none, not all.</li>
    </ul>
    <pre>
{"name":"team-a","permissions":["clusters:read","reports:read"],"clusters":["cls_01k3v7m9q2x4t6b8n0d2f4h6j8"],"namespaces":["team-a"]}</pre>
  </section>`
}

export function conventions(): HtmlValue {
  const { person, api_key: key, agent, address, login, redirect, page } = rateLimits
  return html`<section id="conventions">
    <h2>Conventions</h2>
    <ul>
      <li>
        JSON in snake_case; times in RFC 3339, UTC. Unknown body fields return 422. Unknown, repeated or invalid query
        parameters return 400.
      </li>
      <li>
        A body has at most ${bodyBytesMax.toLocaleString('en')} bytes, unless the operation allows more. A larger body
        returns 413
        <code>body_too_large</code> with <code>max_bytes</code>. A body is nested at most ${jsonDepthMax} levels deep
        and has at most ${jsonKeysMax.toLocaleString('en')} keys; otherwise 400 <code>malformed_json</code>.
      </li>
      <li>
        Credentials: <code>Authorization: Bearer</code> with a token from the sign-in, or <code>X-API-Key</code>.
        Clients that cannot send <code>X-API-Key</code> send the key as <code>Authorization: Bearer plk_…</code>. Never
        send both headers, and never put a credential into the URL. A token is valid for 24 hours. Renew it with
        <code>POST /auth/refresh</code> for up to 30 days after a sign-in with a password. A session of the identity
        provider ends after 24 hours.
      </li>
      <li>
        Lists return <code>next_cursor</code> and <code>has_more</code>. A cursor is valid for 24 hours and for the same
        parameters.
      </li>
      <li>
        Single resources have an <code>ETag</code>. <code>If-None-Match</code> returns 304 for an unchanged resource.
        <code>If-Match</code> on a change returns 412 if the resource has changed since.
      </li>
      <li>
        Every response has <code>X-Request-Id</code>. It repeats the header of the request if the header has 1 to 128
        letters, digits, <code>.</code> <code>_</code> <code>-</code>.
      </li>
    </ul>
    <h3 id="idempotency">Idempotency-Key</h3>
    <p>
      A POST under /api/v1 can have an <code>Idempotency-Key</code>: 1 to 255 visible ASCII characters. The same request
      with the same key runs once. For 24 hours a repeated request returns the same response, with
      <code>Idempotency-Replayed: true</code> and without secrets. While the first request runs: 409
      <code>idempotency_in_progress</code>. The key with another request: 422 <code>idempotency_key_reused</code>. Keys
      are separate for each user and each API key.
    </p>
    <h3 id="limits">Rate limits</h3>
    <table>
      <thead>
        <tr>
          <th>Caller</th>
          <th>Requests in 60 seconds from the first request</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>user, over all sessions</td>
          <td>${person}</td>
        </tr>
        <tr>
          <td>API key</td>
          <td>${key}</td>
        </tr>
        <tr>
          <td>agents of a cluster</td>
          <td>${agent}</td>
        </tr>
        <tr>
          <td>IP address (IPv6: /48) without a valid credential</td>
          <td>${address}</td>
        </tr>
        <tr>
          <td>sign-ins of an IP address (IPv6: /48)</td>
          <td>${login}</td>
        </tr>
        <tr>
          <td>redirects to and from the identity provider, per IP address (IPv6: /48)</td>
          <td>${redirect}</td>
        </tr>
        <tr>
          <td>pages and files, per IP address and server</td>
          <td>${page}</td>
        </tr>
      </tbody>
    </table>
    <p>
      All servers of one database share the limits, except the limit for pages and files. Every response has
      <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> (epoch
      seconds). Above the limit, requests return 429 <code>rate_limited</code> with <code>Retry-After</code>. Health and
      metrics requests do not count.
    </p>
    <h3 id="throttle">Failed sign-ins</h3>
    <p>
      After ten wrong passwords in 15 minutes for one account from one IP address, or a hundred from one IP address
      (IPv6: /48) over all accounts, sign-ins return 429 <code>login_throttled</code> with <code>Retry-After</code>.
      Other addresses are not affected, so others cannot lock you out. A browser that has signed in before has a
      separate count. A successful sign-in or a new password by a one-time link resets the count.
    </p>
  </section>`
}

export function auditSection(): HtmlValue {
  return html`<section id="audit-actions">
    <h2>Audit actions</h2>
    <p>
      Values of <code>action</code> in <code>GET /api/v1/audit</code>. Each entry is written in the transaction of its
      change.
    </p>
    ${twoColumns(
      ['Action', 'Meaning'],
      Object.entries(auditActions).map(([action, meaning]) => [html`<code>${action}</code>`, meaning]),
    )}
  </section>`
}

const twoColumns = (heads: string[], rows: HtmlValue[][]): HtmlValue =>
  html`<table>
    <thead>
      <tr>
        ${heads.map((head) => html`<th>${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`

export function problemSection(): HtmlValue {
  const row = ([code, { status, title }]: [string, { status: number; title: string }]) =>
    html`<tr id="problem-${code}">
      <td><code>${code}</code></td>
      <td>${status}</td>
      <td>${title}</td>
    </tr>`
  return html`<section id="problems">
    <h2>Problems</h2>
    <p>
      Every failure is <code>application/problem+json</code> (RFC 9457, <a href="#shape-Problem">Problem</a>) with a
      <code>code</code> for programs and a <code>detail</code> for people.
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
