import type { Deps } from '../deps.ts'

export async function analyse(_deps: Deps, _payload: { clusterId: string }): Promise<void> {}
