import { describe, expect, it } from 'vitest'
import { payloadText, viewPayload } from './raw-payload.ts'

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')

describe('the head of a payload', () => {
  it('is laid out where it is JSON, and shown as it is where that is cut off', () => {
    expect(viewPayload(base64('{"温度":[1,2]}'))).toEqual({
      kind: 'text',
      text: '{\n  "温度": [\n    1,\n    2\n  ]\n}',
    })
    expect(viewPayload(base64('{"a":1,"b'))).toEqual({ kind: 'text', text: '{"a":1,"b' })
  })

  it('shows characters that turn the direction, and stays the same JSON', () => {
    const view = viewPayload(base64('{"a":"1\u202e2"}'))
    expect(payloadText(view)).toBe('{\n  "a": "1\\u202e2"\n}')
    expect(JSON.parse(payloadText(view))).toEqual({ a: '1\u202e2' })
  })

  it('is text where only its last letter was cut', () => {
    const whole = Buffer.from('{"名": "值')
    expect(viewPayload(base64(whole.subarray(0, -1)))).toMatchObject({ kind: 'text' })
  })

  it('is text in the encoding of its machine, and in UTF-8 whatever that is', () => {
    const gbk = Uint8Array.of(...Buffer.from('{"'), 0xce, 0xc2, 0xb6, 0xc8, ...Buffer.from('":1}'))
    expect(viewPayload(base64(gbk))).toMatchObject({ kind: 'binary' })
    expect(viewPayload(base64(gbk), 'gbk')).toMatchObject({ text: '{\n  "温度": 1\n}' })
    expect(viewPayload(base64('{"温度":1}'), 'gbk')).toMatchObject({ text: '{\n  "温度": 1\n}' })
  })

  it('is bytes with the readable characters if it is not text', () => {
    const view = viewPayload(
      base64(Uint8Array.of(0x08, 0xff, ...Buffer.from('Node Control/Rebirth'), 0x00, 0x41)),
    )
    expect(view).toMatchObject({ kind: 'binary', readable: ['Node Control/Rebirth'] })
    expect(payloadText(view).split('\n')[0]).toBe(
      '0000  08 ff 4e 6f 64 65 20 43 6f 6e 74 72 6f 6c 2f 52  ··Node Control/R',
    )
  })

  it('may be nothing', () => {
    expect(viewPayload('')).toEqual({ kind: 'none' })
  })
})
