import type { DeliveryError } from '@plimsoll/contract'
import type { RenderedMail } from '@plimsoll/engine/messages'
import { createTransport } from 'nodemailer'
import type { SmtpSettings } from '../platform/config.ts'

type MailResult = { status: number | null; error: DeliveryError | null }

/** The operator has set the mail server, so its address is not checked. TLS is required unless the operator allows less. */
export async function sendMail(
  smtp: SmtpSettings | undefined,
  recipients: readonly string[],
  { mail, msMax }: { mail: RenderedMail; msMax: number },
): Promise<MailResult> {
  if (!smtp) return { status: null, error: 'not_configured' }
  const transport = createTransport({
    host: smtp.host,
    port: smtp.port,
    secure: smtp.isTls,
    requireTLS: smtp.requiresTls,
    ...(smtp.auth ? { auth: smtp.auth } : {}),
    connectionTimeout: msMax,
    greetingTimeout: msMax,
    socketTimeout: msMax,
    // A message holds text of clusters: it must not name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const sending = transport.sendMail({ ...mail, from: smtp.from, to: [...recipients] })
  try {
    const { response } = (await before(sending, msMax)) as { response: string }
    return { status: Number(response.slice(0, 3)) || null, error: null }
  } catch (error) {
    return failureOf(error)
  } finally {
    transport.close()
  }
}

const timedOut = Symbol('timed out')

async function before<T>(work: Promise<T>, msMax: number): Promise<T> {
  work.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('the mail server is too slow', { cause: timedOut })), msMax)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const classes: Record<string, DeliveryError> = {
  EAUTH: 'rejected',
  EDNS: 'dns',
  EENVELOPE: 'rejected',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
}

/** The text of an error may quote the answer and the recipients, so only its class is kept. */
function failureOf(error: unknown): MailResult {
  const { code = '', responseCode, message, cause } = error as Error & { code?: string; responseCode?: number }
  if (cause === timedOut) return { status: null, error: 'timeout' }
  if (code !== 'ETLS' && responseCode !== undefined) return { status: responseCode, error: 'rejected' }
  return { status: null, error: classes[code] ?? (/certificate|TLS|SSL/.test(message) ? 'tls' : 'connection') }
}
