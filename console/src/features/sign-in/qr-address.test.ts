import { describe, expect, it } from 'vitest'
import { readQrAddress } from './qr-address.ts'

describe('the address in a QR code', () => {
  it('uses the page’s own address if the platform has no public one', () => {
    expect(readQrAddress('/qr/qr.x', 'http://192.168.1.20:8080/login?to=%2Fsafety')).toEqual({
      href: 'http://192.168.1.20:8080/qr/qr.x',
      isOnlyHere: false,
    })
  })

  it('is the public one where there is one', () => {
    expect(readQrAddress('https://busbar.example/qr/qr.x', 'http://10.0.0.1/login')).toEqual({
      href: 'https://busbar.example/qr/qr.x',
      isOnlyHere: false,
    })
  })

  it.each(['http://localhost:8080', 'http://brand.localhost', 'http://127.0.0.1:8080', 'http://[::1]:8080'])(
    'is known to be out of a phone’s reach on %s',
    (origin) => expect(readQrAddress('/qr/qr.x', `${origin}/login`).isOnlyHere).toBe(true),
  )

  it('is in reach where a name only looks like this computer', () => {
    expect(readQrAddress('/qr/qr.x', 'https://localhost.example/login').isOnlyHere).toBe(false)
  })
})
