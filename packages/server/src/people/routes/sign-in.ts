import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type AuditAction, operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { presentedCredential } from '../../platform/auth/authenticate.ts'
import { storedText } from '../../platform/auth/credential-text.ts'
import { beginLogin, liftThrottle, noteFailedLogin, noteLogin } from '../login-throttle.ts'
import { parseOneTimeCode } from '../../platform/auth/one-time-code.ts'
import { clearSessionCookies, issueToken, setSessionCookies, signIn, type SignedIn } from '../sign-in.ts'
import type { Db } from '../../platform/db/database.ts'
import { deleteLinksOf, deleteSetUpLinks, findLink } from '../../platform/auth/queries/one-time-links.ts'
import { deleteSession, deleteSessionsOf, extendSession, findSessionEnd } from '../../platform/auth/queries/sessions.ts'
import {
  findLogin,
  findUser,
  hasUsers,
  insertUser,
  lockLogin,
  lockPeople,
  updateUser,
} from '../../platform/auth/queries/users.ts'
import type { Deps } from '../../platform/deps.ts'
import { transactAsCaller } from '../../platform/http/change.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { handle } from '../../platform/http/handle.ts'

export const authRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.signIn, {
    handler: async (request, reply) => {
      const { email, password, cookie } = request.body
      const attempt = await beginLogin(deps, request, email.toLowerCase())
      const { user, userId } = await checkPassword(deps, email.toLowerCase(), password, attempt)
      // The answer is the same for users without a password, so it does not reveal who has one.
      if (!user || !mayUsePassword(deps, user.email)) {
        await noteFailedLogin(deps, request, attempt, userId)
        throw wrongLogin(deps)
      }
      await noteLogin(deps, attempt)
      const result = await deps.db.transaction().execute(async (tx) => {
        // The check takes time: a password that was changed meanwhile must not open a session.
        if (!(await lockLogin(tx, user.userId, user.passwordHash))) throw wrongLogin(deps)
        return signIn(deps, tx, request, user)
      })
      if (cookie) setSessionCookies(deps, reply, result)
      return result
    },
  })

  handle(app, operations.acceptLink, {
    handler: async (request, reply) => {
      const { code, email, password, cookie } = request.body
      // An invalid code must cost neither a hash nor the lock on users.
      await demandLink(deps, deps.db, code)
      const passwordHash = await deps.passwords.hash(password)
      const result = await deps.db.transaction().execute(async (tx) => {
        const { user, ...what } = await acceptLink(deps, tx, { code, email, passwordHash })
        const signedIn = await signIn(deps, tx, request, user)
        await recordChange(deps, tx, request, { ...what, target: { type: 'user', id: user.userId } })
        return signedIn
      })
      if (cookie) setSessionCookies(deps, reply, result)
      return result
    },
  })

  handle(app, operations.refreshSession, {
    handler: async (request, reply) => {
      const result = await transactAsCaller(deps, request, async (tx) => {
        const user = requestUser(request)
        const endsAt = await findSessionEnd(tx, user.credentialId)
        const issued = await issueToken(deps, tx, { sessionId: user.credentialId, signedIn: user, endsAt })
        await extendSession(tx, user.credentialId, new Date(issued.expires_at))
        return issued
      })
      const presented = presentedCredential(request)
      if (presented.kind === 'bearer' && presented.fromCookie) setSessionCookies(deps, reply, result)
      return result
    },
  })

  handle(app, operations.signOut, {
    handler: async (request, reply) => {
      const { credentialId } = requestUser(request)
      await transactAsCaller(deps, request, async (tx) => {
        await deleteSession(tx, credentialId)
        await recordChange(deps, tx, request, {
          action: 'session.delete',
          target: { type: 'session', id: credentialId },
        })
      })
      return clearSessionCookies(deps, reply).code(204).send(null)
    },
  })

  handle(app, operations.getMe, {
    handler: async (request) => {
      const caller = requestUser(request)
      return {
        user: { id: caller.userId, email: caller.email, role: caller.role },
        permissions: [...caller.permissions].sort(),
        clusters: caller.clusters === null ? null : [...caller.clusters],
        namespaces: caller.namespaces === null ? null : [...caller.namespaces],
        teams: caller.teams === null ? null : [...caller.teams],
        credential: {
          kind: caller.kind === 'person' ? ('jwt' as const) : caller.kind,
          id: caller.credentialId,
          expires_at: caller.credentialExpiresAt?.toISOString() ?? null,
        },
      }
    },
  })

  handle(app, operations.changePassword, {
    handler: async (request, reply) => {
      const { userId, email, credentialId } = requestUser(request)
      const { current_password: current, new_password: wanted } = request.body
      const attempt = await beginLogin(deps, request, email)
      const { user: checked } = await checkPassword(deps, email, current, { known: true })
      if (!checked) {
        await noteFailedLogin(deps, request, attempt, userId)
        throw wrongCurrentPassword()
      }
      await noteLogin(deps, attempt)
      const passwordHash = await deps.passwords.hash(wanted)
      await transactAsCaller(deps, request, async (tx) => {
        if (!(await lockLogin(tx, userId, checked.passwordHash))) throw wrongCurrentPassword()
        await updateUser(tx, userId, { password_hash: passwordHash }, deps.now())
        await deleteSessionsOf(tx, userId, { except: credentialId })
        await deleteLinksOf(tx, userId)
        await recordChange(deps, tx, request, { action: 'user.change_password', target: { type: 'user', id: userId } })
      })
      return reply.code(204).send(null)
    },
  })
}

/** The same work for an unknown, disabled or invited user and for a wrong password: timing reveals nothing. */
async function checkPassword(deps: Deps, email: string, password: string, { known }: { known: boolean }) {
  const found = await findLogin(deps.db, email)
  const passwordHash = found && !found.disabled ? found.password_hash : null
  const matches = await deps.passwords.verify(password, passwordHash, known ? 'known' : 'stranger')
  const userId = found?.user_id ?? null
  if (!found || passwordHash === null || !matches) return { userId, user: undefined }
  return { userId, user: { userId: found.user_id, email: found.email, role: found.role, passwordHash } }
}

type Acceptance = { code: string; email: string | undefined; passwordHash: string }
type Accepted = { user: SignedIn; action: AuditAction; detail: Record<string, string> }

async function acceptLink(deps: Deps, tx: Db, { code, email, passwordHash }: Acceptance): Promise<Accepted> {
  await lockPeople(tx)
  const link = await demandLink(deps, tx, code)
  return link.user_id === null
    ? makeFirstAdmin(deps, tx, email, passwordHash)
    : choosePassword(deps, tx, link.user_id, { email, passwordHash })
}

async function demandLink(deps: Deps, db: Db, code: string) {
  const parsed = parseOneTimeCode(code)
  const link = parsed && (await findLink(db, parsed.linkId, deps.now()))
  if (!parsed || !link || !deps.secrets.macMatches(storedText('link', parsed.secret), link.secret_mac)) throw linkGone()
  return link
}

async function makeFirstAdmin(deps: Deps, tx: Db, email: string | undefined, passwordHash: string): Promise<Accepted> {
  if (await hasUsers(tx)) throw linkGone()
  if (email === undefined) {
    throw new Problem('invalid_body', 'The set-up link requires the e-mail address of the first admin.', {
      errors: [{ pointer: '/email', code: 'required', detail: 'is required' }],
    })
  }
  const user = { userId: randomUUID(), email: email.toLowerCase(), role: 'admin' }
  await insertUser(tx, { ...user, passwordHash, now: deps.now() })
  await deleteSetUpLinks(tx)
  return { user, action: 'user.create', detail: { email: user.email, role: user.role, from: 'set-up link' } }
}

async function choosePassword(
  deps: Deps,
  tx: Db,
  userId: string,
  { email, passwordHash }: Omit<Acceptance, 'code'>,
): Promise<Accepted> {
  const user = await findUser(tx, userId)
  if (!user || user.disabled) throw linkGone()
  if (!mayUsePassword(deps, user.email))
    throw new Problem('password_sign_in_off', 'Sign in with the identity provider. Passwords are turned off.')
  if (email !== undefined && email.toLowerCase() !== user.email) throw linkOfAnother()
  await updateUser(tx, userId, { password_hash: passwordHash }, deps.now())
  await deleteLinksOf(tx, userId)
  await deleteSessionsOf(tx, userId)
  await liftThrottle(deps, tx, user.email)
  return { user: { userId, email: user.email, role: user.role }, action: 'user.accept_link', detail: {} }
}

const mayUsePassword = ({ settings }: Deps, email: string) =>
  settings.passwordOnlyFor === null || settings.passwordOnlyFor === email

const wrongLogin = ({ settings }: Deps) =>
  new Problem(
    'invalid_credentials',
    settings.passwordOnlyFor === null
      ? 'The e-mail address or the password is wrong.'
      : 'The e-mail address or the password is wrong. Most users sign in with single sign-on: use "Sign in with your organization".',
  )

const wrongCurrentPassword = () =>
  new Problem('invalid_body', 'The current password is wrong.', {
    errors: [{ pointer: '/current_password', code: 'password', detail: 'is wrong' }],
  })

const linkOfAnother = () =>
  new Problem('invalid_body', '/email: the link belongs to another e-mail address; omit or correct it.', {
    errors: [{ pointer: '/email', code: 'other_address', detail: 'is not the e-mail address of the link' }],
  })

const linkGone = () =>
  new Problem('link_gone', 'This link has been used, has expired or is invalid. Request a new link.')
