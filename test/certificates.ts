import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

/** A certificate and its key, as PEM. */
export type Certified = { readonly cert: string; readonly key: string }

export type Authority = Certified & { readonly name: string }

/** The certificate authority. */
export function anAuthority(name: string): Authority {
  return { name, ...issue({ name, isAuthority: true }) }
}

/** For a server at this address or name; self-signed without an authority. */
export function aCertificate(host: string, signer?: Authority): Certified {
  return issue({ name: host, host, ...(signer ? { signer } : {}) })
}

type Wanted = { name: string; host?: string; isAuthority?: boolean; signer?: Authority }

function issue({ name, host, isAuthority = false, signer }: Wanted): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = [
    extension('2.5.29.19', sequence(...(isAuthority ? [der(0x01, Buffer.from([0xff]))] : []))),
    ...(host === undefined ? [] : [extension('2.5.29.17', sequence(alternativeName(host)))]),
  ]
  const body = sequence(
    der(0xa0, integer(2)),
    integer(isAuthority ? 1 : 2),
    sequence(oid('1.2.840.10045.4.3.2')),
    distinguished(signer?.name ?? name),
    sequence(time('20200101000000Z'), time('20991231000000Z')),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, signer ? createPrivateKey(signer.key) : privateKey)
  const whole = sequence(body, sequence(oid('1.2.840.10045.4.3.2')), der(0x03, Buffer.from([0]), signature))
  return { cert: pem('CERTIFICATE', whole), key: pemKey(privateKey) }
}

const pemKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

const pem = (label: string, bytes: Buffer) =>
  // An empty line before the end is not valid PEM.
  [
    `-----BEGIN ${label}-----`,
    ...(bytes.toString('base64').match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
    '',
  ].join('\n')

/** One ASN.1 value: tag, length and content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.from([value]))
const time = (text: string) => der(0x18, Buffer.from(text))
const extension = (id: string, value: Buffer) => sequence(oid(id), der(0x04, value))

const distinguished = (name: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))))

/** An IP address as bytes, anything else as a name. */
const alternativeName = (host: string) =>
  isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const number of rest) {
    const septets = [number & 0x7f]
    for (let more = number >> 7; more > 0; more >>= 7) septets.unshift((more & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return der(0x06, Buffer.from(bytes))
}
