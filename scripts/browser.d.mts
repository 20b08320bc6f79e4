import type { Browser } from 'playwright-core'

export function findBrowser(): string | undefined
export function openBrowser(): Promise<Browser>
