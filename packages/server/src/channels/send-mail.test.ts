import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aChannel, aMessage, queue } from '../../test/channels.ts'
import { useTestApp } from '../../test/test-app.ts'
import type { SmtpSettings } from '../platform/config.ts'
import { deliverChannel } from './jobs/deliver.ts'

const t = useTestApp()

let mails: { to: string[]; raw: string }[] = []
let refused: string | undefined
let smtp: SmtpSettings

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) =>
    address === refused ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
  onData: (stream, { envelope }, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString() })
      done()
    })
  },
})

beforeAll(async () => {
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  smtp = {
    host: '127.0.0.1',
    port,
    isTls: false,
    requiresTls: false,
    auth: undefined,
    from: 'plimsoll@example.com',
  }
})
afterAll(() => new Promise<void>((done) => server.close(() => done())))
beforeEach(async () => {
  mails = []
  refused = undefined
  await t.db.deleteFrom('channel').execute()
})

const lastTry = () =>
  t.db.selectFrom('delivery_try').select(['status', 'error']).orderBy('at', 'desc').executeTakeFirst()

async function sendVia(settings: SmtpSettings | undefined, recipients = ['ada@example.com', 'eva@example.org']) {
  const { channelId } = await aChannel(t.deps, 'email', { recipients })
  await queue(t.deps, aMessage({ title: 'Cluster <b>prod</b> — größer\r\nBcc: victim@example.com' }))
  await deliverChannel({ ...t.deps, settings: { ...t.deps.settings, smtp: settings } }, channelId)
}

test('a mail server receives text and HTML, for every recipient', async () => {
  await sendVia(smtp)
  expect(await lastTry()).toEqual({ status: 250, error: null })
  expect(mails.map(({ to }) => to)).toEqual([['ada@example.com', 'eva@example.org']])
  const raw = mails[0]?.raw ?? ''
  const [head = ''] = raw.split('\r\n\r\n')
  const names = head.split('\r\n').flatMap((line) => /^[\w-]+(?=:)/.exec(line)?.[0].toLowerCase() ?? [])
  expect(names).toEqual(expect.arrayContaining(['auto-submitted', 'references', 'list-unsubscribe', 'message-id']))
  expect(names).not.toContain('bcc')
  expect(head).toContain('From: plimsoll@example.com')
  expect(head).toMatch(/multipart\/alternative/)
  const [text = '', html = ''] = raw.split('Content-Type: text/html')
  expect(text).toContain('Cluster <b>prod</b>')
  expect(html).toContain('&lt;b&gt;prod')
})

test('a refused recipient, a missing server and missing settings each have their own failure class', async () => {
  refused = 'ada@example.com'
  await sendVia(smtp, ['ada@example.com'])
  expect(await lastTry()).toEqual({ status: 550, error: 'rejected' })
  await t.db.deleteFrom('channel').execute()
  await sendVia(undefined)
  expect(await lastTry()).toEqual({ status: null, error: 'not_configured' })
  await t.db.deleteFrom('channel').execute()
  await sendVia({ ...smtp, port: 1 })
  expect(await lastTry()).toEqual({ status: null, error: 'connection' })
  expect(mails).toEqual([])
})

test('a server without TLS gets no mail unless the operator allows it', async () => {
  await sendVia({ ...smtp, requiresTls: true })
  expect(await lastTry()).toEqual({ status: null, error: 'tls' })
  expect(mails).toEqual([])
})
