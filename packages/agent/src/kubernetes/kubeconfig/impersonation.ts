import { isRecord, KubeconfigError, listIn, textIn, type Entry } from './read-kubeconfig.ts'

/** Headers for user impersonation. */
export function impersonationHeaders(user: Entry): Record<string, string | readonly string[]> {
  const [name, uid, groups] = [textIn(user, 'as'), textIn(user, 'as-uid'), listIn(user, 'as-groups')]
  const extra = extraOf(user)
  if (name === undefined) {
    if (uid === undefined && groups.length === 0 && extra.length === 0) return {}
    throw new KubeconfigError(
      `The user '${user.name}' in ${user.file} has as-uid, as-groups or as-user-extra without as.`,
    )
  }
  return {
    'impersonate-user': name,
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(extra),
  }
}

/** Keys may contain characters that are invalid in header names. */
function extraOf(user: Entry): [header: string, values: readonly string[]][] {
  const extra = user.fields['as-user-extra'] ?? {}
  if (!isRecord(extra))
    throw new KubeconfigError(`The user '${user.name}' in ${user.file} has an as-user-extra that is not a map.`)
  const entry: Entry = { ...user, fields: extra }
  return Object.keys(extra).map((key) => [`impersonate-extra-${escaped(key)}`, listIn(entry, key)])
}

const escaped = (key: string) => key.toLowerCase().replace(/[^a-z0-9!#$&'*+.^_`|~-]/g, encodeURIComponent)
