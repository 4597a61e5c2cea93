import { expect, test } from 'vitest'
import { operatorText } from '../../shared/i18n/en/operator.ts'
import {
  type BrandDraft,
  checkBrand,
  freshBrand,
  parseDownloads,
  splitHosts,
  writeDownloads,
} from './brand-draft.ts'

const words = operatorText.brandForm
const whole: BrandDraft = { ...freshBrand, cn: '锻造云', en: 'Forge' }

test('a valid brand has no problem', () => {
  expect(checkBrand({ ...whole, accent: '#0b7a5b', hosts: 'forge.example\nforge2.example' }, words)).toEqual(
    {},
  )
})

test.each([
  ['hosts', { hosts: 'forge.example:8080' }],
  ['hosts', { hosts: 'https://forge.example' }],
  ['accent', { accent: 'green' }],
  ['downloads', { downloads: 'Busbar for Windows http://forge.example/a.exe' }],
  ['versions', { versions: { ...whole.versions, tv: { latest: '1.4', lowest: '1.0.0' } } }],
] as const)('a problem appears beside its field: %s', (field, part) => {
  expect(Object.keys(checkBrand({ ...whole, ...part }, words))).toEqual([field])
})

test('hosts are read however they are set apart', () => {
  expect(splitHosts(' Forge.example, a.example\n\nb.example; ')).toEqual([
    'forge.example',
    'a.example',
    'b.example',
  ])
})

test('downloads are written as they are read', () => {
  const text = 'Forge for Windows https://forge.example/setup.exe\n安卓客户端 https://forge.example/a.apk'
  expect(writeDownloads(parseDownloads(text) ?? [])).toBe(text)
})
