import { rateLimitWindowSeconds } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressBlock } from './address.ts'
import type { Deps } from '../deps.ts'
import { enforceRate } from './enforce-rate-limit.ts'

type Window = { hits: number; resetsAt: Date }

/** About 10 MB. Counting does not stop a caller with that many addresses. */
const windowsMax = 50_000

export type PageLimit = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Counts pages and static files per address, in this process only. A file costs less than a database write, and the
 * dashboard must load while the database is unavailable.
 */
export function openPageLimit({ limits, now }: Pick<Deps, 'limits' | 'now'>): PageLimit {
  const windows = new Map<string, Window>()
  return ({ ip }, reply) => {
    const window = openWindow(windows, addressBlock(ip), now())
    window.hits += 1
    const resetsInSeconds = Math.max(1, Math.ceil((window.resetsAt.getTime() - now().getTime()) / 1000))
    enforceRate(reply, limits.page, { ...window, resetsInSeconds })
  }
}

/** All windows have the same length, so the map is in the order of their ends. */
function openWindow(windows: Map<string, Window>, address: string, now: Date): Window {
  for (const [oldest, { resetsAt }] of windows) {
    if (resetsAt > now && windows.size < windowsMax) break
    windows.delete(oldest)
  }
  const open = windows.get(address)
  if (open) return open
  const opened = { hits: 0, resetsAt: new Date(now.getTime() + rateLimitWindowSeconds * 1000) }
  windows.set(address, opened)
  return opened
}
