import { expect, test } from 'vitest'
import { readAdvisories } from './advisories.mjs'

/** @param {Record<string, string>} severities by package */
const audited = (severities) =>
  JSON.stringify({
    vulnerabilities: Object.fromEntries(
      Object.entries(severities).map(([name, severity]) => [name, { severity, range: '<2' }]),
    ),
    metadata: { vulnerabilities: {} },
  })

test('a registry that is asked in vain neither passes nor fails', () => {
  for (const output of [
    '{ "message": "405 Method Not Allowed - POST https://registry/-/npm/v1/security/audits/quick", "statusCode": 405 }',
    'npm warn audit 405\n{ "error": { "code": "ENOTFOUND", "summary": "request failed" } }',
    'Segmentation fault',
    '',
  ]) {
    const { code, text } = readAdvisories(output)
    expect(code).toBe(0)
    expect(text).toMatch(/^NOT CHECKED/)
  }
})

test('severe advisories fail and are named, others are counted', () => {
  expect(readAdvisories(audited({}))).toEqual({ code: 0, text: 'Advisories: 0 severe, 0 others' })
  expect(readAdvisories(audited({ a: 'moderate' }))).toEqual({
    code: 0,
    text: 'Advisories: 0 severe, 1 others',
  })
  const { code, text } = readAdvisories(audited({ a: 'low', b: 'critical', c: 'high' }))
  expect(code).toBe(1)
  expect(text).toBe('Advisories: 2 severe, 1 others\n  critical  b <2\n  high  c <2')
})
