import { access } from 'node:fs/promises'

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && codes.includes(code)
}
