import { ApiError, errorText } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { cn } from '../i18n/cn/index.ts'
import { en } from '../i18n/en/index.ts'
import { judgeFailure } from './failures.ts'
import { refusalWords } from './refusal-words.ts'

const failure = (http: number, hwcode = 0) => new ApiError({ http, hwcode, code: '', message: '' })

describe('the console’s reaction to a failed call', () => {
  it.each([
    [200, 500, 'Server-api Error'],
    [400, 400, 'Api Request Error(400)'],
    [403, 403, 'Access denied(403)'],
    [404, 404, 'Request error(404)'],
    [408, 0, 'The platform took too long'],
    [500, 0, 'Server Error (500)'],
    [501, 0, 'Service not implemented (501)'],
    [502, 0, 'Network Error (502)'],
    [503, 503, 'Service Unavailable (503)'],
    [504, 0, 'Network Timeout (504)'],
    [505, 0, 'HTTP version not supported (505)'],
    [418, 0, 'Connecting error(418)!'],
    [0, 0, 'Network or interface error!'],
  ])('HTTP %i with hwcode %i', (http, hwcode, text) => {
    expect(judgeFailure(failure(http, hwcode), en)).toMatchObject({ kind: 'notice', notice: text })
  })

  it('says only the 113 text for 401 with 113', () => {
    expect(judgeFailure(failure(401, 113), en)).toEqual({
      kind: 'sessionOver',
      notice: 'Invalid token (Token expired), Please log in again.',
    })
  })

  it('shows the platform’s text for 113, in both languages', () => {
    expect(judgeFailure(failure(401, 113), cn)).toMatchObject({ notice: errorText('113', 'cn') })
    expect(judgeFailure(failure(401, 113), en)).toMatchObject({ notice: errorText('113', 'en') })
  })

  it('has a separate text for 401 without 113', () => {
    expect(judgeFailure(failure(401), en)).toEqual({
      kind: 'sessionOver',
      notice: 'Invalid token (Token expired), no permission to access! Please log in again.',
    })
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

  it('are those of the code if the platform names a field of the call, or says nothing', () => {
    expect(refused('400', 'The field newPhone is not valid', 'newPhone')).toBe(errorText('400', 'en'))
    expect(refused('STORAGE_FULL', '')).toBe(errorText('STORAGE_FULL', 'en'))
    expect(refused('NEWER_CODE', 'x')).toBeUndefined()
  })
})
