import { ApiError, errorText } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { cn } from '../i18n/cn/index.ts'
import { en } from '../i18n/en/index.ts'
import { judgeFailure } from './failures.ts'
import { refusalWords } from './refusal-words.ts'

const failure = (http: number, hwcode = 0) => new ApiError({ http, hwcode, code: '', message: '' })

describe('the console’s reaction to a failed call', () => {
  it.each([
    [200, 500, en.notices.failed],
    [400, 400, en.notices.http[400]],
    [403, 403, en.notices.http[403]],
    [404, 404, en.notices.http[404]],
    [408, 0, 'The platform took too long'],
    [418, 0, en.notices.failed],
    [500, 0, en.notices.failed],
    [501, 0, en.notices.failed],
    [502, 0, en.notices.unreachable],
    [503, 503, en.notices.unreachable],
    [504, 0, en.notices.unreachable],
    [0, 0, en.notices.unreachable],
  ])('HTTP %i with hwcode %i', (http, hwcode, text) => {
    expect(judgeFailure(failure(http, hwcode), en)).toMatchObject({ kind: 'notice', notice: text })
  })

  it.each([
    [401, 113],
    [200, 113],
    [401, 0],
  ])('says with HTTP %i and hwcode %i that the session is over', (http, hwcode) => {
    const notice = '登录已失效，请重新登录'
    expect(judgeFailure(failure(http, hwcode), cn)).toEqual({ kind: 'sessionOver', notice })
  })

  it('leaves business failures to the caller', () => {
    expect(judgeFailure(failure(200, 420), en)).toEqual({ kind: 'callersOwn' })
  })

  it('takes a missing server for unreachable, a refusing one not', () => {
    expect(judgeFailure(failure(0), cn)).toMatchObject({ unreachable: true })
    expect(judgeFailure(failure(502), cn)).toMatchObject({ unreachable: true })
    expect(judgeFailure(failure(403), cn)).toMatchObject({ unreachable: false })
  })
})

describe('the words of a refusal', () => {
  const refused = (code: string, message: string, field?: string) =>
    refusalWords(new ApiError({ http: 200, hwcode: 420, code, message, ...(field ? { field } : {}) }), 'en')

  it('are the platform’s, which name the limit that was met', () => {
    const columns = 'Line 2 has more than 256 columns. Check the separators of the file.'
    expect(refused('TAG_FILE_TOO_LONG', columns)).toBe(columns)
  })

  it('are the platform’s beside a field too, which say what is wrong with it', () => {
    const leads = 'This address leads to 127.0.0.1: an address of the platform’s own machine'
    expect(refused('DESTINATION_ADDRESS', leads, 'url')).toBe(leads)
  })

  it('are those of the code if the platform names a field of the call, or says nothing', () => {
    expect(refused('400', 'The field newPhone is not valid', 'newPhone')).toBe(errorText('400', 'en'))
    expect(refused('STORAGE_FULL', '')).toBe(errorText('STORAGE_FULL', 'en'))
    expect(refused('NEWER_CODE', 'x')).toBeUndefined()
  })
})
