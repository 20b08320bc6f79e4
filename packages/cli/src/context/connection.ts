import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createClient, type Client } from '@plimsoll/client'
import type { CliDeps } from '../cli-deps.ts'
import { usageError } from '../exit-codes.ts'
import { readConfig, type Context } from './config-file.ts'

export type Connection = {
  readonly server: string
  readonly client: Client
  readonly apiKey: string
  /** `fetch` that refuses redirects. */
  readonly send: Send
  readonly context: string | undefined
}

const requestSecondsMax = 120
const commandSecondsMax = 60

/** `PLIMSOLL_URL` and `PLIMSOLL_API_KEY` take precedence over the context. */
export async function connect(deps: CliDeps, wanted: string | undefined): Promise<Connection> {
  const { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: key } = deps.env
  const context = await findContext(deps, wanted)
  const server = serverOf(given(url) ?? context?.server ?? noServer())
  const apiKey = given(key) ?? (context ? await keyOf(context) : undefined)
  if (apiKey === undefined) {
    throw usageError('There is no API key. Set PLIMSOLL_API_KEY, or run "plimsoll login".')
  }
  const client = openClient(deps, server, apiKey)
  return { server, context: context?.name, client, apiKey, send: guarded(deps.fetch ?? fetch) }
}

export const openClient = (deps: CliDeps, server: string, apiKey: string): Client =>
  createClient({ baseUrl: server, credential: { apiKey }, fetch: guarded(deps.fetch ?? fetch) })

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

function noServer(): never {
  throw usageError('There is no server. Run "plimsoll login --server URL", or set PLIMSOLL_URL and PLIMSOLL_API_KEY.')
}

async function findContext(deps: CliDeps, wanted: string | undefined): Promise<Context | undefined> {
  const { PLIMSOLL_URL: url, PLIMSOLL_API_KEY: key } = deps.env
  if (wanted === undefined && given(url) !== undefined && given(key) !== undefined) return undefined
  const { current, contexts } = await readConfig(deps)
  const name = wanted ?? current
  if (name === undefined) return undefined
  const found = contexts.find((context) => context.name === name)
  if (!found) throw usageError(`There is no context "${name}". "plimsoll context list" shows the contexts.`)
  return found
}

/** The address without a slash at the end. */
export function serverOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw usageError(`"${address}" is not an address such as https://plimsoll.example.com.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw usageError('The address of the server must not contain credentials, a query or a fragment.')
  }
  return `${url.origin}${url.pathname.replace(/\/$/, '')}`
}

async function keyOf({ key_file: file, key_command: command }: Context): Promise<string | undefined> {
  if (command) return runKeyCommand(command)
  return file === undefined ? undefined : readKeyFile(file)
}

export async function readKeyFile(path: string): Promise<string> {
  const content = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`The API key cannot be read: ${error.message}.`)
  })
  return keyIn(content, path)
}

export async function runKeyCommand([program = '', ...args]: readonly string[]): Promise<string> {
  const options = { timeout: commandSecondsMax * 1000, windowsHide: true }
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: Error) => {
    throw usageError(`The program for the API key failed: ${error.message}`)
  })
  return keyIn(stdout, program)
}

export function keyIn(content: string, source: string): string {
  const key = content.trim()
  if (key === '' || /[^!-~]/.test(key)) throw usageError(`${source} does not contain an API key.`)
  return key
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/** A redirect would send the API key to another address. */
const guarded =
  (send: Send): Send =>
  async (url, init) => {
    const limit = new AbortController()
    const timer = setTimeout(
      () => limit.abort(new Error(`no response in ${requestSecondsMax} s`)),
      requestSecondsMax * 1000,
    )
    const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
    // The limit ends with the headers: a large export takes longer. `fetch` itself ends a body that stops for minutes.
    const response = await send(url, { ...init, signal, redirect: 'manual' }).finally(() => clearTimeout(timer))
    if (response.status < 300 || response.status >= 400) return response
    throw new Error(`The server redirects to ${response.headers.get('location') ?? 'another address'}.`)
  }
