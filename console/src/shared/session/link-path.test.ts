import { alarmContacts } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { parseLinkPath } from './link-path.ts'
import { isExempt } from './mobile-url.ts'

const begins = Object.values(alarmContacts.linkPages)

describe('the addresses that links in mails have', () => {
  test.each(begins)('%s leads to its page and not to the sign-in', (begin) => {
    expect(parseLinkPath(`${begin}a_B-1`)).toEqual({ page: begin.slice(1, -1), token: 'a_B-1' })
    expect(parseLinkPath(`${begin}a_B-1/`)?.token).toBe('a_B-1')
  })

  test.each(begins)('a phone opens %s as it is', (begin) => {
    expect(isExempt(`${begin}token`)).toBe(true)
  })

  test.each(['/contact/', '/contact', '/unsubscribe/a/b', '/alarmCenter/link/a', '/x/contact/a'])(
    '%s is not a link from a mail',
    (pathname) => {
      expect(parseLinkPath(pathname)).toBeUndefined()
      expect(isExempt(pathname)).toBe(false)
    },
  )
})
