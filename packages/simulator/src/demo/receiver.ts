import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

export type ReceivedMessage = { at: Date; text: string; facts: string[] }

const messagesKept = 100
const bytesMax = 100_000

export type DemoReceiver = { url: string; close: () => void }

/** Takes messages like a Slack webhook, and shows them on a page. It listens on the loopback address only. */
export async function openReceiver(): Promise<DemoReceiver> {
  const received: ReceivedMessage[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(messagesPage(received))
      return
    }
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      if (body.length < bytesMax) body += text
    })
    request.on('end', () => {
      received.unshift(readMessage(body, new Date()))
      received.length = Math.min(received.length, messagesKept)
      response.writeHead(200).end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The demo ends although the receiver listens.
  server.unref()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

type SlackBlock = { fields?: { text?: string }[] }

/** The text and the fields of a Slack message. Another body is shown as it is. */
export function readMessage(body: string, at: Date): ReceivedMessage {
  try {
    const { text = '', blocks = [] } = JSON.parse(body) as { text?: string; blocks?: SlackBlock[] }
    const fields = blocks.flatMap(({ fields: ofBlock = [] }) => ofBlock.map((field) => field.text ?? ''))
    return { at, text, facts: fields.map((field) => field.replaceAll('*', '').replaceAll('\n', ': ')) }
  } catch {
    return { at, text: body, facts: [] }
  }
}

/** Slack escapes these three characters already; the page escapes all of its text again. */
const plain = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

const escaped = (text: string) =>
  plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

export function messagesPage(received: readonly ReceivedMessage[]): string {
  const items = received.map(
    ({ at, text, facts }) =>
      `<li><time>${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time> <b>${escaped(text)}</b>` +
      `<ul>${facts.map((fact) => `<li>${escaped(fact)}</li>`).join('')}</ul></li>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="10">
<title>Received messages</title><style>body{font:15px/1.5 system-ui;max-width:60em;margin:2em auto;padding:0 1em}
time{color:#666}</style><h1>Received messages</h1>
<p>${items.length === 0 ? 'No messages yet. Plimsoll collects alerts for 5 minutes before it sends them. Send a test in Settings → Alerts and channels.' : `${items.length}, newest first`}</p>
<ul>${items.join('')}</ul></html>`
}
