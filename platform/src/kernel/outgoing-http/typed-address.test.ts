import { expect, test } from 'vitest'
import type { OutgoingError } from './outgoing-error.ts'
import { parseTypedAddress, type TypedProtocol } from './typed-address.ts'

const all: readonly TypedProtocol[] = ['http', 'https', 'mqtt', 'mqtts']
const parse = (text: string) => parseTypedAddress(text, { protocols: all })

function problemOf(text: string, protocols = all): string {
  try {
    return `reads ${parseTypedAddress(text, { protocols }).href}`
  } catch (error) {
    const { problem, address } = error as OutgoingError
    return [problem, address].filter(Boolean).join(' ')
  }
}

test.each([
  ['https://mes.example.com/in?line=1#top', 'https://mes.example.com/in?line=1', 443, '/in?line=1'],
  ['HTTPS://MES.Example.com.', 'https://mes.example.com', 443, '/'],
  ['https://mes.example.com:443/', 'https://mes.example.com/', 443, '/'],
  [
    'http://mes.example.com:8080/数据',
    'http://mes.example.com:8080/%E6%95%B0%E6%8D%AE',
    8080,
    '/%E6%95%B0%E6%8D%AE',
  ],
  ['mqtts://broker.example.com', 'mqtts://broker.example.com', 8883, '/'],
  ['mqtt://[2001:DB8::1]:80', 'mqtt://[2001:db8::1]:80', 80, '/'],
  ['https://工厂.example', 'https://xn--fmrp5v.example', 443, '/'],
])('%s has one form', (text, href, port, path) => {
  expect(parse(text)).toMatchObject({ href, port, path })
  expect(parse(href)).toEqual(parse(text))
})

test.each([
  ['mes.example.com', 'syntax'],
  ['https:/mes.example.com', 'syntax'],
  ['https://', 'syntax'],
  ['https:// mes.example.com', 'syntax'],
  ['https://mes.example.com\\@10.0.0.1', 'user'],
  ['https://mes.example.com/\n', 'syntax'],
  ['https://mes.example.com:', 'syntax'],
  ['https://[::1', 'syntax'],
  ['https://a:b:c', 'syntax'],
  ['ftp://mes.example.com', 'protocol'],
  ['file:///etc/passwd', 'syntax'],
  ['gopher://mes.example.com', 'protocol'],
  ['https://me@mes.example.com', 'user'],
  ['https://me:secret@mes.example.com', 'user'],
  ['https://mes.example.com:25', 'port'],
  ['https://mes.example.com:0', 'port'],
  ['https://mes.example.com:65536', 'port'],
  ['mqtt://mes.example.com:25', 'port'],
  ['https://2130706433', 'form 127.0.0.1'],
  ['https://0x7f000001', 'form 127.0.0.1'],
  ['https://0177.0.0.1', 'form 127.0.0.1'],
  ['https://127.1', 'form 127.0.0.1'],
  ['https://0', 'form 0.0.0.0'],
  ['https://127.0.0.1.', 'form 127.0.0.1'],
  ['https://127。0。0。1', 'form 127.0.0.1'],
  ['https://①②⑦.0.0.1', 'form 127.0.0.1'],
  ['https://%31%32%37.0.0.1', 'form 127.0.0.1'],
  ['mqtt://0x7f.1', 'form 127.0.0.1'],
  ['https://8.8.2056', 'form 8.8.8.8'],
])('%s is refused: %s', (text, problem) => {
  expect(problemOf(text)).toBe(problem)
})

test('a protocol that is not asked for is refused', () => {
  expect(problemOf('mqtt://broker.example.com', ['https'])).toBe('protocol')
})
