import { Passwords } from '../src/platform/auth/passwords.ts'

const passwords = new Passwords()
const made = new Map<string, Promise<string>>()

export function hashOnce(password: string): Promise<string> {
  const hash = made.get(password) ?? passwords.hash(password)
  made.set(password, hash)
  return hash
}
