import { expect, test } from 'vitest'
import { AddressGuard } from './address-guard.ts'

const strict = new AddressGuard([])
const allowing = new AddressGuard(['10.0.0.0/8', '127.0.0.1', '169.254.0.0/16', 'fd00::/8', '100.64.0.0/10'])

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'localhost',
  '',
  '1',
])('%s is refused', (address) => {
  expect(strict.judge(address)).toBe('refused')
})

test.each(['1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1'])(
  '%s is public',
  (address) => {
    expect(strict.judge(address)).toBe('public')
  },
)

test.each(['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd12::1', '169.254.1.1'])(
  '%s is allowed by a setting',
  (address) => {
    expect(allowing.judge(address)).toBe('allowed')
  },
)

test.each([
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'FD00:0EC2:0::254',
])('%s, a metadata service, is refused whatever is allowed', (address) => {
  expect(allowing.judge(address)).toBe('refused')
  expect(strict.judge(address)).toBe('refused')
})
