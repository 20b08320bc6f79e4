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
      A custom role holds any of these but <code>metrics:submit</code>, which belongs to agent tokens alone. No
      permission implies another, and nobody grants what they lack.
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
    <h3 id="narrowing">Narrowed roles</h3>
    <p>
      A custom role can be narrowed to a part of the fleet: <code>clusters</code> lists cluster ids (<code>cls_…</code>,
      not names), <code>namespaces</code> lists namespaces of whatever clusters it sees. <code>null</code>, or leaving
      the field out, means all; an empty list means none.
    </p>
    <ul>
      <li>Clusters that a role does not see do not exist for it: 404, and they are in no list and no sum.</li>
      <li>
        A role narrowed to namespaces sees the rows of its namespaces; what concerns a whole cluster (summary, idle
        costs, nodes, sync, changes, agent tokens) is 403 <code>role_narrowed</code>. It sees which clusters there are
        and how they do, with <code>null</code> for counts and cost.
      </li>
      <li>
        What belongs to no cluster (new clusters, users, roles, signing keys, the audit, other users’ API keys) is 403
        <code>role_narrowed</code> for every narrowed role. Everybody manages their own API keys.
      </li>
      <li>Deleting a cluster takes it out of all roles; a role whose last cluster goes sees none, not all.</li>
    </ul>
    <pre>
{"name":"team-a","permissions":["clusters:read","reports:read"],"clusters":["cls_01k3v7m9q2x4t6b8n0d2f4h6j8"],"namespaces":["team-a"]}</pre>
  </section>`
}

export function conventions(): HtmlValue {
  const { person, api_key: key, agent, address, login, page } = rateLimits
  return html`<section id="conventions">
    <h2>Conventions</h2>
    <ul>
      <li>
        JSON in snake_case; times in RFC 3339, UTC. An unknown body field is 422, an unknown query parameter, one that
        is given twice or one with a value that it cannot have 400.
      </li>
      <li>
        A body has at most ${bodyBytesMax.toLocaleString('en')} bytes, unless the route says otherwise. More is 413
        <code>body_too_large</code> with <code>max_bytes</code>. A body is nested at most ${jsonDepthMax} levels deep
        and has at most ${jsonKeysMax.toLocaleString('en')} keys. More is 400 <code>malformed_json</code>.
      </li>
      <li>
        Credentials: <code>Authorization: Bearer</code> with a token from log-in, or <code>X-API-Key</code>. Never both,
        never in the address. A token is valid for 24 hours and renewed with <code>POST /auth/refresh</code>, for 30
        days after the log-in at most.
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
        <code>X-Request-Id</code> (1 to 128 of letters, digits, <code>.</code> <code>_</code> <code>-</code>) is taken
        over or made, and returned.
      </li>
    </ul>
    <h3 id="idempotency">Idempotency-Key</h3>
    <p>
      A POST under /api/v1 may carry <code>Idempotency-Key</code>, 1 to 255 visible ASCII characters of your choice. The
      same request with the same key is done once and answered alike for 24 hours, with
      <code>Idempotency-Replayed: true</code> and without its secrets. While the first is still running: 409
      <code>idempotency_in_progress</code>; the key with another request: 422 <code>idempotency_key_reused</code>. Each
      user and each API key has keys of its own.
    </p>
    <h3 id="limits">Rate limits</h3>
    <p>
      In 60 seconds from a caller’s first request: ${person} for a user over all sessions, ${key} for an API key,
      ${agent} for the agents of a cluster, ${address} for an address without a valid credential, ${login} log-ins for
      an address (an IPv6 /48). They hold across all servers of one database. Pages and files have a limit of their own,
      ${page} for an address and a server. Every answer carries
      <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> (epoch
      seconds); beyond it is 429 <code>rate_limited</code> with <code>Retry-After</code>. Health and metrics are not
      counted.
    </p>
    <h3 id="throttle">Failed log-ins</h3>
    <p>
      Ten wrong passwords in 15 minutes for one account from one address, or a hundred from one address (an IPv6 /48)
      over all accounts, are followed by 429 <code>login_throttled</code> with <code>Retry-After</code>. Other addresses
      are not concerned, so nobody can lock you out from elsewhere; a browser that has signed in before has a count of
      its own. A log-in that succeeds clears the count, and so does choosing a password by a one-time link.
    </p>
  </section>`
}

export function auditSection(): HtmlValue {
  return html`<section id="audit-actions">
    <h2>Audit actions</h2>
    <p>
      What <code>action</code> can be in <code>GET /api/v1/audit</code>; each entry is written with the change itself.
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
